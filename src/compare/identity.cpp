// What a comparison is, so that nobody goes on with the runs of another.
#include <fmt/format.h>

#include <array>

#include "base/version.hpp"
#include "compare/identity.hpp"
#include "compare/model_runs.hpp"
#include "compare/option_fields.hpp"
#include "compare/runner.hpp"
#include "evident/compare/checkpoint.hpp"
#include "journal/fingerprint_fields.hpp"

namespace evident {
namespace {

std::string hex(std::uint64_t sum) { return fmt::format("{:016x}", sum); }

/// Of every field, to the last bit.
template <class Options>
std::string sum_of(const Options& options) {
  Fingerprint sum;
  add_value(sum, options);
  return hex(sum.value());
}

/// Changes whenever what is kept changes its shape: bytes of another shape are not to be read.
std::string layout() {
  constexpr int kFormat = 2;  // of the order of things, which sizes do not show
  std::string out = std::to_string(kFormat);
  for (const std::size_t size : {sizeof(Step), sizeof(Families), sizeof(PathSampling), sizeof(BridgeAgreement),
                                 sizeof(Marginal), sizeof(Replicate), sizeof(JudgedModel)})
    out += "." + std::to_string(size);
  return out;
}

JournalIdentity identity_of(const CompareOptions& o) {
  JournalIdentity out;
  out.fact("evident", version());
  out.fact("format", layout());
  out.fact("method", info(o.method).name);
  out.fact("seed", std::to_string(o.seed));
  out.fact("data set", std::to_string(o.data_set));
  out.fact("particles", std::to_string(o.sampler().particles));
  out.fact(o.with_islands() ? "islands" : "replicates", std::to_string(o.runs()));
  if (o.goal.precision > 0) out.fact("precision", fmt::format("{}", o.goal.precision));
  if (o.goal.decide > 0) out.fact("decide", fmt::format("{}", o.goal.decide));
  if (o.goal.seconds > 0) out.fact("seconds", fmt::format("{}", o.goal.seconds));
  out.fact("sum of all options", sum_of(o));
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

/// Of what the model was fitted to, as far as it says.
std::string sum_of_data(const Model& model) {
  Fingerprint sum;
  for (const Observed& o : model.observed()) {
    sum.add(o.name);
    add_value(sum, o.values);
    add_value(sum, o.axis);
  }
  return hex(sum.value());
}

/// The likelihood at two draws of the prior, with the digits that all processors agree on: other data or another model
/// would give other numbers.
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
  return fmt::format("{:.12g} and {:.12g}", out[0], out[1]);
}

void add_model(JournalIdentity& to, const Model& model, const std::string& name, std::uint64_t seed,
               LikelihoodAtDraws likelihood) {
  to.fact(fmt::format("sum of the priors of model '{}'", name), sum_of_priors(model));
  to.fact(fmt::format("sum of the data of model '{}'", name), sum_of_data(model));
  if (likelihood == LikelihoodAtDraws::no) return;
  to.fact(fmt::format("log likelihood of model '{}' at two draws", name), likelihood_at_draws(model, name, seed));
}

}  // namespace

JournalIdentity comparison_identity(const std::vector<Candidate>& candidates, const CompareOptions& options,
                                    LikelihoodAtDraws likelihood) {
  JournalIdentity out = identity_of(options);
  for (const Candidate& c : candidates) {
    out.fact(fmt::format("weight of model '{}'", c.name), fmt::format("{}", c.weight));
    if (c.smc) out.fact(fmt::format("sum of the sampler's options of model '{}'", c.name), sum_of(*c.smc));
    if (c.model) add_model(out, *c.model, c.name, options.seed, likelihood);
  }
  return out;
}

JournalIdentity comparison_identity(const FamilyCandidate& candidate, const CompareOptions& options,
                                    LikelihoodAtDraws likelihood) {
  JournalIdentity out = identity_of(options);
  for (const auto& [k, name] : candidate.listed) {
    out.fact(fmt::format("prior probability of model '{}'", name),
             fmt::format("{}", candidate.family->prior().log_probability(k)));
    add_model(out, candidate.family->model(k), name, options.seed, likelihood);
  }
  return out;
}

}  // namespace evident
