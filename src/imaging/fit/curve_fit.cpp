#include "imaging/fit/curve_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evidence/probabilities.hpp"
#include "evidence/variance.hpp"
#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "judge/observations.hpp"
#include "judge/thresholds.hpp"
#include "smc/from_density.hpp"

namespace evident::imaging {

namespace {

constexpr StatusBit kBits[] = {
    {kFitted, "fitted", "a result is there"},
    {kNotFinite, "not finite", "NaN or infinity in the curve; not fitted"},
    {kConstant, "constant", "all values are equal; not fitted"},
    {kFailed, "failed", "the sampler gave up for a model"},
    {kIrreversible, "irreversible", "washout is too slow to be seen within the scan; V_T is not defined"},
    {kAtBound, "at a bound", "a parameter of the best model piles up at a bound of its prior"},
    {kUncertain, "uncertain", "the error of a log evidence that matters is above 1 or not known"},
    {kNegative, "negative values", "some values of the curve are negative; they are used as they are"},
};

/// Of a run that starts near the posterior.
SmcOptions restart_options() {
  return {.particles = 512,
          .schedule = CessSchedule{0.9},
          .kernel = {.kind = KernelKind::crank_nicolson,
                     .grouping = Grouping::joint,
                     .scale_rule = ScaleRule::jump,
                     .passes = 3},
          .watch = false};
}

constexpr std::size_t kPredictionDraws = 100;

/// Over the scan the slowest component loses less than this share: that cannot be told from trapping.
constexpr double kVisibleWashout = 0.25;
constexpr double kMuch = 0.25;  // of the posterior

struct Posterior {
  PosteriorDraws vt, k1;
  double irreversible = 0;  ///< share of the posterior
  std::optional<Population> particles = {};
};

std::uint32_t status_of(std::span<const double> activity) {
  if (!std::ranges::all_of(activity, [](double v) { return std::isfinite(v); })) return kNotFinite;
  const auto [least, most] = std::ranges::minmax(activity);
  if (least == most) return kConstant;
  return least < 0 ? kNegative : 0U;
}

double mass(const Population& x, std::size_t row, auto&& holds) {
  double sum = 0;
  const auto weights = x.weights.values();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (holds(x.theta.row(row)[i])) sum += weights[i];
  return sum;
}

/// Posterior mean of the predicted activity, from draws that are spread evenly over the weight.
std::vector<double> prediction_of(const PetOptions& options, const ConvolutionTable& table, const Population& x) {
  const std::size_t m = options.compartments, frames = table.size();
  std::vector<double> mean(frames), k(frames), curve(frames);
  const auto weights = x.weights.values();
  double reached = 0, next = 0.5;
  for (std::size_t i = 0; i < x.size(); ++i) {
    reached += weights[i] * static_cast<double>(kPredictionDraws);
    std::size_t times = 0;
    for (; next < reached; next += 1) ++times;
    if (times == 0) continue;
    std::ranges::fill(curve, 0.0);
    for (std::size_t d = 0; d < m; ++d) {
      table.evaluate(x.theta.row(m + d)[i], k);
      for (std::size_t f = 0; f < frames; ++f) curve[f] += table.tissue() * x.theta.row(d)[i] * k[f];
    }
    const PetBlood& blood = table.blood();
    for (std::size_t f = 0; f < frames; ++f) {
      if (blood.volume > 0) curve[f] += blood.volume * blood.activity[f];
      mean[f] += static_cast<double>(times) / static_cast<double>(kPredictionDraws) * std::abs(curve[f]);
    }
  }
  return mean;
}

Estimate standard_of(const Trace& trace, std::size_t& evaluations) {
  evaluations += trace.evaluations;
  return {standard_estimate(trace), evidence_variance(trace).standard_error()};
}

struct Refined {
  Estimate evidence;
  bool covers = false;  ///< its draws go wherever the particles are
};

// Importance sampling; where its draws cannot carry an estimate, a sampler that starts from what they have learned.
Refined refined(const Model& model, const Population& particles, const ImportanceOptions& options,
                const Context& context, std::size_t& evaluations) {
  constexpr double kFew = 0.05;  // of the particles
  const ImportanceEvidence e = importance_evidence(model, particles, options, context);
  evaluations += e.evaluations;
  if (e.usable) return {e.log_evidence, e.unseen < kFew};
  return {standard_of(from_density(model, *e.density, restart_options(), context).trace, evaluations)};
}

// The sampler's own estimate is too low, by whole units at times, where particles cross over slowly, and seldom too
// high: it has the right mean before the logarithm is taken. It is asked only where the refined one may miss a part of
// the posterior that particles have found. Then the higher one stands where the two contradict each other, and the gap
// is its error.
Estimate evidence_of(const Model& model, const Run& run, const std::optional<ImportanceOptions>& options,
                     const Context& context, std::size_t& evaluations) {
  const auto zero_if_unknown = [](double error) { return std::isnan(error) ? 0.0 : error; };
  const Estimate own = standard_of(run.trace, evaluations);
  if (!options) return own;
  auto [out, covers] = refined(model, run.particles, *options, context, evaluations);
  const double above = own.value - out.value;
  if (std::isnan(out.standard_error)) out.standard_error = std::abs(above);
  const double noise = std::hypot(zero_if_unknown(own.standard_error), out.standard_error);
  if (covers || !(above > threshold("harmless") + threshold("errors") * noise)) return out;
  return {own.value, std::max(zero_if_unknown(own.standard_error), above)};
}

}  // namespace

std::span<const StatusBit> status_bits() { return kBits; }

// phi and theta of a component go up and down together by orders of magnitude: moved one after the other, or on their
// own scale, particles hardly get anywhere once the data are good. All at once on the logit scale of their bounds, the
// spread of the log evidence is a quarter (docs/performance.md).
SmcOptions paper_preset() {
  return {.particles = 1000,
          .schedule = CessSchedule{0.999},
          .kernel = {.grouping = Grouping::joint, .scale_rule = ScaleRule::adaptive, .passes = 1},
          .watch = false};
}

// The particles need only find where the posterior is: importance sampling makes the evidence precise.
SmcOptions fast_preset() {
  return {.particles = 320,
          .schedule = CessSchedule{0.8},
          .resample = ResampleScheme::systematic,
          .kernel = {.kind = KernelKind::crank_nicolson,
                     .grouping = Grouping::joint,
                     .scale_rule = ScaleRule::jump,
                     .passes = 2},
          .watch = false};
}

struct CurveFitter::State {
  CurveSetup setup;
  std::shared_ptr<const ConvolutionTable> table;  ///< one for all models: it covers the rates of each
  std::vector<PriorBounds> bounds;                ///< of each model
  Executor executor{1};

  explicit State(CurveSetup given) : setup(std::move(given)) {
    if (setup.models.empty()) throw InputError("at least one compartment model is needed");
    check(setup.smc);
    PetOptions widest = setup.models.front();
    for (const PetOptions& o : setup.models)
      for (std::size_t d = 0; d < o.compartments; ++d) {
        widest.theta.front().lower = std::min(widest.theta.front().lower, o.theta_bounds(d).lower);
        widest.theta.front().upper = std::max(widest.theta.front().upper, o.theta_bounds(d).upper);
      }
    widest.compartments = 1;
    table = make_table(setup.input, setup.frames, widest, setup.blood);
    if (!(setup.scan_seconds > 0)) setup.scan_seconds = setup.frames.time.back();
    const std::vector<double> any(setup.frames.time.size(), 1.0);
    for (const PetOptions& o : setup.models)  // throws what is wrong with them
      bounds.emplace_back(PetCompartments(o, table, any), Streams({.seed = 1}));
  }

  Posterior posterior_of(const PetOptions& options, const PetCompartments& model, const Population& x) const {
    Posterior out;
    BlockStorage derived(2, x.size());  // V_D and K1
    model.derive(x.theta, derived.block());
    out.vt = PosteriorDraws(derived.row(0), x.weights.values());
    out.k1 = PosteriorDraws(derived.row(1), x.weights.values());
    out.irreversible = mass(x, options.compartments, [&](double theta) {
      return (theta - options.decay) * setup.scan_seconds < kVisibleWashout;
    });
    return out;
  }

  ModelFit fit_one(std::size_t number, std::uint64_t index, std::span<const double> activity, bool keep,
                   const std::stop_token& stop, Posterior& posterior) const {
    const PetOptions& options = setup.models[number];
    const PetCompartments model(options, table, activity);
    const Streams streams(
        {.seed = setup.seed, .data_set = index + 1, .model = static_cast<std::uint32_t>(options.compartments)});
    const Context context{streams, executor, stop};
    Run run = direct_evidence(model, setup.smc, context);
    ModelFit fit;
    fit.log_evidence = evidence_of(model, run, setup.importance, context, fit.evaluations);
    posterior = posterior_of(options, model, run.particles);
    fit.vt = posterior.vt.summary();
    fit.k1 = posterior.k1.summary();
    fit.steps = static_cast<double>(run.trace.steps.size() - 1);
    fit.acceptance = run.trace.mean_acceptance();
    if (keep) fit.prediction = prediction_of(options, *table, run.particles);
    posterior.particles = std::move(run.particles);
    return fit;
  }

  static bool uncertain(const ModelFit& m) {
    constexpr double kMatters = 0.01, kTooLarge = 1;
    return m.probability > kMatters && !(m.log_evidence.standard_error <= kTooLarge);
  }
};

CurveFitter::CurveFitter(CurveSetup setup) : state_(std::make_unique<const State>(std::move(setup))) {}
CurveFitter::~CurveFitter() = default;
CurveFitter::CurveFitter(CurveFitter&&) noexcept = default;
CurveFitter& CurveFitter::operator=(CurveFitter&&) noexcept = default;
const CurveSetup& CurveFitter::setup() const { return state_->setup; }

CurveFit CurveFitter::fit(std::uint64_t index, std::span<const double> activity, bool keep_predictions,
                          const std::stop_token& stop) const {
  const std::size_t count = state_->setup.models.size();
  CurveFit out{.status = status_of(activity), .models = std::vector<ModelFit>(count)};
  if ((out.status & (kNotFinite | kConstant)) != 0) return out;
  std::vector<Posterior> posteriors(count);
  for (std::size_t k = 0; k < count; ++k) {
    try {
      out.models[k] = state_->fit_one(k, index, activity, keep_predictions, stop, posteriors[k]);
    } catch (const RunError&) {
      if (stop.stop_requested()) throw;
      out.status |= kFailed;
    }
  }
  std::vector<WeightedEvidence> evidence;
  for (const ModelFit& m : out.models) evidence.push_back({m.log_evidence});
  const std::vector<double> probabilities = mean_probabilities(evidence);
  for (std::size_t k = 0; k < count; ++k) out.models[k].probability = probabilities[k];
  if (std::isnan(probabilities.front())) return out;
  out.status |= kFitted;
  out.best = static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
  PosteriorDraws vt, k1;
  double irreversible = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double p = probabilities[k];
    if (!(p > 0)) continue;
    vt.add(posteriors[k].vt, p);
    k1.add(posteriors[k].k1, p);
    irreversible += p * posteriors[k].irreversible;
    if (State::uncertain(out.models[k])) out.status |= kUncertain;
  }
  out.vt = vt.summary();
  out.k1 = k1.summary();
  if (irreversible > kMuch) out.status |= kIrreversible;
  const Population& best = *posteriors[out.best].particles;
  if (std::ranges::any_of(state_->bounds[out.best].observe(best.theta, best.weights.values()), is_at_bound))
    out.status |= kAtBound;
  return out;
}

}  // namespace evident::imaging
