#include "imaging/fit/curve_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evidence/probabilities.hpp"
#include "evidence/variance.hpp"
#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "imaging/fit/model_probabilities.hpp"
#include "imaging/fit/weighted_values.hpp"
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

/// Posterior mass within the outer hundredth of a prior's range, where the prior has as much.
constexpr double kOuter = 0.01, kPiledUp = 0.2;

struct Posterior {
  WeightedValues vt, k1;
  double irreversible = 0;  ///< share of the posterior
  bool at_bound = false;
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

bool piles_up(const Population& x, std::size_t row, PetBounds bounds) {
  const double margin = kOuter * (bounds.upper - bounds.lower);
  return mass(x, row, [&](double v) { return v < bounds.lower + margin; }) > kPiledUp ||
         mass(x, row, [&](double v) { return v > bounds.upper - margin; }) > kPiledUp;
}

/// phi and theta of each compartment. The rates after the first begin at the one before, so only their upper bound is
/// the prior's own.
bool at_bound(const PetOptions& options, const Population& x) {
  const std::size_t m = options.compartments;
  for (std::size_t d = 0; d < m; ++d)
    if (piles_up(x, d, options.phi_bounds(d))) return true;
  return piles_up(x, m, options.theta_bounds(0));
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

struct Evidence {
  double log, error;
  std::size_t evaluations;
  bool covers = false;  ///< its draws go wherever the particles are
};

Evidence standard_of(const Trace& trace) {
  return {standard_estimate(trace), evidence_variance(trace).standard_error(), trace.evaluations};
}

// Importance sampling; where its draws cannot carry an estimate, a sampler that starts from what they have learned.
Evidence refined(const Model& model, const Population& particles, const ImportanceOptions& options,
                 const Context& context) {
  constexpr double kFew = 0.05;  // of the particles
  const ImportanceEvidence e = importance_evidence(model, particles, options, context);
  if (e.usable) return {e.log_evidence.value, e.log_evidence.standard_error, e.evaluations, e.unseen < kFew};
  Evidence out = standard_of(from_density(model, *e.density, restart_options(), context).trace);
  out.evaluations += e.evaluations;
  return out;
}

// The sampler's own estimate is too low, by whole units at times, where particles cross over slowly, and seldom too
// high: it has the right mean before the logarithm is taken. It is asked only where the refined one may miss a part of
// the posterior that particles have found. Then the higher one stands where the two contradict each other, and the gap
// is its error.
Evidence evidence_of(const Model& model, const Run& run, const std::optional<ImportanceOptions>& options,
                     const Context& context) {
  constexpr double kErrors = 3, kLittle = 0.1;
  const Evidence own = standard_of(run.trace);
  if (!options) return own;
  Evidence out = refined(model, run.particles, *options, context);
  out.evaluations += own.evaluations;
  const double above = own.log - out.log;
  if (std::isnan(out.error)) out.error = std::abs(above);
  const double noise = std::hypot(std::isnan(own.error) ? 0.0 : own.error, out.error);
  if (out.covers || !(above > kLittle + kErrors * noise)) return out;
  return {own.log, std::isnan(own.error) ? above : std::max(own.error, above), out.evaluations};
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
    for (const PetOptions& o : setup.models) PetCompartments(o, table, any);  // throws what is wrong with them
  }

  Posterior posterior_of(const PetOptions& options, const PetCompartments& model, const Population& x) const {
    Posterior out;
    BlockStorage derived(2, x.size());  // V_D and K1
    model.derive(x.theta, derived.block());
    out.vt = WeightedValues(derived.row(0), x.weights.values());
    out.k1 = WeightedValues(derived.row(1), x.weights.values());
    out.irreversible = mass(x, options.compartments, [&](double theta) {
      return (theta - options.decay) * setup.scan_seconds < kVisibleWashout;
    });
    out.at_bound = at_bound(options, x);
    return out;
  }

  ModelFit fit_one(std::size_t number, std::uint64_t index, std::span<const double> activity, bool keep,
                   const std::stop_token& stop, Posterior& posterior) const {
    const PetOptions& options = setup.models[number];
    const PetCompartments model(options, table, activity);
    const Streams streams(
        {.seed = setup.seed, .data_set = index + 1, .model = static_cast<std::uint32_t>(options.compartments)});
    const Context context{streams, executor, stop};
    const Run run = direct_evidence(model, setup.smc, context);
    const Evidence evidence = evidence_of(model, run, setup.importance, context);
    posterior = posterior_of(options, model, run.particles);
    ModelFit fit{.log_evidence = evidence.log,
                 .log_evidence_se = evidence.error,
                 .vt = posterior.vt.summary(),
                 .k1 = posterior.k1.summary(),
                 .steps = static_cast<double>(run.trace.steps.size() - 1),
                 .acceptance = run.trace.mean_acceptance(),
                 .evaluations = evidence.evaluations};
    if (keep) fit.prediction = prediction_of(options, *table, run.particles);
    return fit;
  }

  static bool uncertain(const ModelFit& m) {
    constexpr double kMatters = 0.01, kTooLarge = 1;
    return m.probability > kMatters && !(m.log_evidence_se <= kTooLarge);
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
  assign_probabilities(out.models);
  if (std::isnan(out.models.front().probability)) return out;
  out.status |= kFitted;
  out.best =
      static_cast<std::size_t>(std::ranges::max_element(out.models, {}, &ModelFit::probability) - out.models.begin());
  std::vector<std::pair<const WeightedValues*, double>> vt, k1;
  double irreversible = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double p = out.models[k].probability;
    if (!(p > 0)) continue;
    vt.emplace_back(&posteriors[k].vt, p);
    k1.emplace_back(&posteriors[k].k1, p);
    irreversible += p * posteriors[k].irreversible;
    if (State::uncertain(out.models[k])) out.status |= kUncertain;
  }
  out.vt = WeightedValues(vt).summary();
  out.k1 = WeightedValues(k1).summary();
  if (irreversible > kMuch) out.status |= kIrreversible;
  if (posteriors[out.best].at_bound) out.status |= kAtBound;
  return out;
}

}  // namespace evident::imaging
