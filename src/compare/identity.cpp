// What a comparison is, so that nobody goes on with the runs of another.
#include <fmt/format.h>

#include <array>

#include "compare/replicates.hpp"
#include "compare/wire.hpp"
#include "evident/base/version.hpp"
#include "evident/compare/checkpoint.hpp"

namespace evident {
namespace {

void add(Fingerprint& sum, std::initializer_list<double> numbers) {
  for (const double n : numbers) sum.add(fmt::format("{}", n));
}

void add(Fingerprint& sum, const KernelOptions& k) {
  add(sum,
      {static_cast<double>(k.kind), static_cast<double>(k.grouping), static_cast<double>(k.scale_rule), k.scale,
       k.band_low, k.band_high, static_cast<double>(k.passes), static_cast<double>(k.mix_scales),
       static_cast<double>(k.own_moves), static_cast<double>(k.own_every), static_cast<double>(k.mixture_components)});
  if (k.until_mixed)
    add(sum, {k.until_mixed->log_likelihood, k.until_mixed->coordinate, static_cast<double>(k.until_mixed->least),
              static_cast<double>(k.until_mixed->most)});
}

void add(Fingerprint& sum, const SmcOptions& o) {
  sum.add(text(o.schedule));
  add(sum, {static_cast<double>(o.particles), static_cast<double>(o.resample), o.resample_threshold,
            static_cast<double>(o.waste_free), o.nan_limit, static_cast<double>(o.max_steps)});
  add(sum, o.kernel);
}

/// Options of all methods; those that have no readable fact of their own.
std::uint64_t sum_of(const CompareOptions& o) {
  Fingerprint sum;
  add(sum, o.smc);
  const PopulationMcmcOptions& p = o.population_mcmc;
  sum.add(text(p.ladder));
  add(sum, {static_cast<double>(p.chains), static_cast<double>(p.adaptive_ladder), static_cast<double>(p.update),
            static_cast<double>(p.exchange), static_cast<double>(p.burn_in), static_cast<double>(p.iterations),
            static_cast<double>(p.ladders)});
  add(sum, p.kernel);
  const RjmcmcOptions& r = o.rjmcmc;
  add(sum, {static_cast<double>(r.chains), static_cast<double>(r.burn_in), static_cast<double>(r.iterations),
            static_cast<double>(r.thin)});
  add(sum, r.kernel);
  const PosteriorChainOptions& c = o.posterior_chain;
  add(sum, {static_cast<double>(c.chains), static_cast<double>(c.burn_in), static_cast<double>(c.iterations)});
  add(sum, c.kernel);
  add(sum,
      {static_cast<double>(o.jump_passes), static_cast<double>(o.chib.burn_in), static_cast<double>(o.chib.draws)});
  return sum.value();
}

std::string hex(std::uint64_t sum) { return fmt::format("{:016x}", sum); }

JournalIdentity identity_of(const CompareOptions& o) {
  JournalIdentity out;
  out.fact("evident", version());
  out.fact("format", wire::layout());
  out.fact("method", info(o.method).name);
  out.fact("seed", std::to_string(o.seed));
  out.fact("data set", std::to_string(o.data_set));
  out.fact("particles", std::to_string(o.smc.particles));
  out.fact(o.with_islands() ? "islands" : "replicates", std::to_string(o.runs()));
  if (o.goal.precision > 0) out.fact("precision", fmt::format("{}", o.goal.precision));
  if (o.goal.decide > 0) out.fact("decide", fmt::format("{}", o.goal.decide));
  if (o.goal.seconds > 0) out.fact("seconds", fmt::format("{}", o.goal.seconds));
  out.fact("sum of the sampler's options", hex(sum_of(o)));
  return out;
}

std::string sum_of_priors(const Model& model) {
  Fingerprint sum;
  for (std::size_t j = 0; j < model.parameters().size(); ++j) {
    sum.add(model.parameters().names()[j]);
    sum.add(model.parameters().prior_text(j));
  }
  return hex(sum.value());
}

/// The likelihood at two draws of the prior: other data or another model would give other numbers.
std::string likelihood_at_draws(const Model& model, const std::string& name, std::uint64_t seed) {
  constexpr std::size_t kDraws = 2;
  constexpr std::uint64_t kApart = 0x6964656e74U;
  const Streams streams = Streams({.seed = seed, .model = identity(name)}).part(kApart);
  BlockStorage theta(model.parameters().size(), kDraws);
  std::array<double, kDraws> out{};
  try {
    model.draw_prior(streams, 0, theta.block());
    model.log_likelihood(theta.block(), out);
  } catch (const std::exception&) {
    return "none";  // the run will tell
  }
  return fmt::format("{:.9g} and {:.9g}", out[0], out[1]);
}

void add_model(JournalIdentity& to, const Model& model, const std::string& name, std::uint64_t seed) {
  to.fact(fmt::format("sum of the priors of model '{}'", name), sum_of_priors(model));
  to.fact(fmt::format("log likelihood of model '{}' at two draws", name), likelihood_at_draws(model, name, seed));
}

}  // namespace

JournalIdentity comparison_identity(const std::vector<Candidate>& candidates, const CompareOptions& options) {
  JournalIdentity out = identity_of(options);
  for (const Candidate& c : candidates) {
    out.fact(fmt::format("weight of model '{}'", c.name), fmt::format("{}", c.weight));
    if (c.smc) {
      Fingerprint own;
      add(own, *c.smc);
      out.fact(fmt::format("sum of the sampler's options of model '{}'", c.name), hex(own.value()));
    }
    if (c.model) add_model(out, *c.model, c.name, options.seed);
  }
  return out;
}

JournalIdentity comparison_identity(const FamilyCandidate& candidate, const CompareOptions& options) {
  JournalIdentity out = identity_of(options);
  for (const auto& [k, name] : candidate.listed) {
    out.fact(fmt::format("prior probability of model '{}'", name),
             fmt::format("{:.12g}", candidate.family->prior().log_probability(k)));
    add_model(out, candidate.family->model(k), name, options.seed);
  }
  return out;
}

}  // namespace evident
