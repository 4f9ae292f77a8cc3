// The samplers as calibration sees them. Settings are small: few particles make errors of the method visible, and a
// sampler must be right with any number of them but for what its documentation says of adaptive runs.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "correctness/sbc.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/smc/sampler.hpp"
#include "nested/nested.hpp"

namespace evident::correctness {
namespace {

using problems::Observations;
using problems::World;

constexpr std::uint64_t kSeed = 20160101;  // of the samplers; truths have another

bool always(const World&) { return true; }
bool with_family(const World& world) { return static_cast<bool>(world.family); }
bool with_sequence(const World& world) {
  return std::ranges::all_of(world.models_given(world.blank), [](const auto& m) { return m->has_sequence(); });
}

std::vector<Candidate> candidates(const World& world, const Observations& y) {
  std::vector<Candidate> out;
  for (std::size_t m = 0; m < world.models.size(); ++m)
    out.push_back({world.models[m].name, world.prior(m), world.models[m].given(y)});
  return out;
}

enum class Tells { all, draws, probabilities };

Answer answer_of(Comparison comparison, std::size_t models, Tells tells) {
  Answer out;
  for (std::size_t m = 0; m < models; ++m) {
    if (tells != Tells::draws) out.probability.push_back(comparison.models[m].probability.value);
    if (tells != Tells::probabilities) out.draws.push_back(std::move(comparison.models[m].draws));
  }
  return out;
}

Sampler each_model(std::string name, CompareOptions options, std::function<bool(const World&)> fits,
                   Tells tells = Tells::all) {
  const auto run = [options, tells](const World& world, const Observations& y, std::uint64_t set) {
    CompareOptions own = options;
    own.seed = kSeed;
    own.data_set = set;
    return answer_of(compare(candidates(world, y), own), world.models.size(), tells);
  };
  return {std::move(name), run, std::move(fits)};
}

Sampler union_of_models(std::string name, const CompareOptions& options) {
  const auto run = [options](const World& world, const Observations& y, std::uint64_t set) {
    CompareOptions own = options;
    own.seed = kSeed;
    own.data_set = set;
    FamilyCandidate candidate{world.family(y), {}};
    for (std::size_t m = 0; m < world.models.size(); ++m)
      candidate.listed.emplace_back(world.indices[m], world.models[m].name);
    return answer_of(compare_family(candidate, own), world.models.size(), Tells::all);
  };
  return {std::move(name), run, with_family};
}

/// Weighted draws from the levels of a nested run: those of a level that lie below the next threshold.
class Levels final : public NestedObserver {
 public:
  explicit Levels(const NestedPlan& plan) : plan_(plan) {}
  void on_step(const NestedTrace& trace, const Population& x) override {
    const std::size_t t = trace.steps.size() - 1;
    const double next = t < plan_.thresholds.size() ? plan_.thresholds[t] : kInf;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x.log_likelihood[i] > next) continue;
      log_weight_.push_back(trace.steps[t].log_volume + x.log_likelihood[i]);
      log_likelihood_.push_back(x.log_likelihood[i]);
      std::vector<double>& theta = theta_.emplace_back(x.theta.rows());
      for (std::size_t j = 0; j < theta.size(); ++j) theta[j] = x.theta(j, i);
    }
  }
  /// In random order: levels are sorted by likelihood, and thinning must not see that.
  Draws draws(Stream random) const {
    std::vector<std::size_t> order(theta_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.bits() % i]);
    Draws out;
    out.values = BlockStorage(theta_.front().size(), order.size());
    const double total = log_sum_exp(log_weight_);
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = 0; j < out.values.rows(); ++j) out.values(j, i) = theta_[order[i]][j];
      out.weights.push_back(std::exp(log_weight_[order[i]] - total));
      out.log_likelihood.push_back(log_likelihood_[order[i]]);
    }
    return out;
  }

 private:
  const NestedPlan& plan_;
  std::vector<std::vector<double>> theta_;
  std::vector<double> log_weight_, log_likelihood_;
};

Answer nested(const World& world, const Observations& y, std::uint64_t set) {
  const Executor alone(1);
  const NestedOptions options{.particles = 200};
  Answer out;
  std::vector<double> log_joint;
  for (std::size_t m = 0; m < world.models.size(); ++m) {
    const auto model = world.models[m].given(y);
    const Context context{Streams({.seed = kSeed, .data_set = set, .model = static_cast<std::uint32_t>(m)}), alone};
    const NestedPilot pilot = nested_pilot(*model, options, context);
    Levels levels(pilot.plan);
    const NestedRun run = nested_evidence(*model, pilot.plan, options, context, &levels);
    log_joint.push_back(std::log(world.prior(m)) + run.log_evidence.value);
    out.draws.push_back(levels.draws(context.streams.at({.purpose = Purpose::other})));
  }
  const double total = log_sum_exp(log_joint);
  for (const double v : log_joint) out.probability.push_back(std::exp(v - total));
  return out;
}

}  // namespace

std::vector<Sampler> samplers() {
  SmcOptions frozen = frozen_defaults();
  frozen.particles = 200;
  const SmcOptions adaptive{.particles = 200, .schedule = CessSchedule{0.98}};
  SmcOptions waste_free = adaptive;
  waste_free.waste_free = 10;
  SmcOptions fine = adaptive;
  fine.schedule = CessSchedule{0.995};
  SmcOptions shared = adaptive;  // among the models
  shared.particles = 600;
  SmcOptions coarse = adaptive;  // of each link
  coarse.schedule = CessSchedule{0.95};
  SmcOptions sequence = adaptive;
  sequence.resample_threshold = 0.9;
  std::vector<Sampler> out;
  out.push_back(each_model("direct", {.smc = frozen, .islands = 2}, always));
  out.push_back(each_model("direct, adaptive", {.smc = adaptive, .islands = 0}, always));
  out.push_back(each_model("direct, waste-free", {.smc = waste_free, .islands = 0}, always));
  out.push_back(each_model("ais", {.method = Method::ais, .smc = fine}, always));
  out.push_back(each_model("data-tempering", {.method = Method::data_tempering, .smc = sequence}, with_sequence));
  out.push_back(each_model("population-mcmc",
                           {.method = Method::population_mcmc,
                            .population_mcmc = {.chains = 10, .burn_in = 200, .iterations = 250, .ladders = 4}},
                           always));
  out.push_back({"nested", nested, always});
  // Chains on the posterior; the evidence that the harmonic mean makes of them is no more than an example.
  out.push_back(
      each_model("harmonic-mean",
                 {.method = Method::harmonic_mean, .posterior_chain = {.chains = 62, .burn_in = 50, .iterations = 20}},
                 always, Tells::draws));
  out.push_back(union_of_models("all-in-one", {.method = Method::all_in_one, .smc = shared, .islands = 0}));
  out.push_back(union_of_models("relative", {.method = Method::relative, .smc = coarse}));
  out.push_back(union_of_models(
      "rjmcmc", {.method = Method::rjmcmc, .rjmcmc = {.chains = 8, .burn_in = 200, .iterations = 600}}));
  out.push_back(each_model(
      "chib", {.method = Method::chib, .chib = {.burn_in = 200, .draws = 2000}},
      [](const World& world) { return world.name == "mixture"; }, Tells::probabilities));
  return out;
}

Sampler find_sampler(const std::string& name) {
  for (Sampler& s : samplers())
    if (s.name == name) return s;
  throw InputError("there is no sampler '" + name + "'");
}

}  // namespace evident::correctness
