#include "compare/next_round.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "evident/base/error.hpp"

namespace evident {

void check(const Goal& goal) {
  const auto fail = [](const std::string& what, double was) {
    throw InputError(what + ", was " + std::to_string(was));
  };
  if (!(goal.precision >= 0) || !std::isfinite(goal.precision)) fail("precision must be above 0", goal.precision);
  if (goal.precision > 0 && goal.precision < kFinestPrecision)
    fail("precision must be at least 0.0001", goal.precision);
  if (!(goal.decide == 0 || (goal.decide > 0 && goal.decide < 1))) fail("decide must lie between 0 and 1", goal.decide);
  if (!(goal.seconds >= 0) || !std::isfinite(goal.seconds)) fail("time must be above 0 seconds", goal.seconds);
}

bool RoundPlan::more() const {
  return std::ranges::any_of(models, [](const ModelPlan& m) { return m.islands > 0; });
}

double safe_error(const Estimate& e) {
  return std::isfinite(e.degrees) ? e.standard_error * (1 + 1 / std::sqrt(2 * std::max(e.degrees, 1.0)))
                                  : e.standard_error;
}

namespace {

// With log evidences that scatter by this much their mean evidence is that of the luckiest island: more particles help
// more than more islands.
constexpr double kWide = 1;

bool too_wide(const ModelProgress& m) { return m.doubtful || !(m.island_sd <= kWide); }
bool exhausted(const ModelProgress& m) { return m.islands >= kMostIslands || m.particles >= kMostGrowth * m.full; }

/// Of the islands that a plan adds; a model that begins again has a pilot, too.
double seconds_of(std::span<const ModelProgress> models, std::span<const ModelPlan> plans, unsigned threads) {
  double sum = 0, longest = 0;
  for (std::size_t k = 0; k < models.size(); ++k) {
    const ModelPlan& m = plans[k];
    if (m.islands == 0) continue;
    const double one = models[k].seconds * static_cast<double>(m.factor);
    sum += one * static_cast<double>(m.islands + (m.factor > 1 ? 1 : 0));
    longest = std::max(longest, one);
  }
  return std::max(sum / threads, longest);
}

class Allocation {
 public:
  Allocation(std::span<const ModelProgress> models, const Goal& goal, std::size_t base)
      : models_(models), goal_(goal), base_(base), plan_{std::vector<ModelPlan>(models.size())} {
    std::vector<WeightedEvidence> estimates;
    for (const ModelProgress& m : models) estimates.push_back(m.evidence);
    now_ = model_probabilities(estimates);
    for (std::size_t k = 0; k < models.size(); ++k) plan_.models[k].hopeless = now_.interval[k].upper < kNegligible;
  }

  /// Models whose error is too large, or not to be believed, get as many islands as it takes, but at most as many as
  /// they have.
  void for_precision() {
    for (std::size_t k = 0; k < models_.size(); ++k) {
      const double ratio = safe_error(models_[k].evidence.log_evidence) / goal_.precision;
      if (!open(k) || (ratio <= 1 && !models_[k].doubtful)) continue;
      const auto have = static_cast<double>(models_[k].islands);
      const double lacking = std::isfinite(ratio) ? std::min(have, have * (ratio * ratio - 1)) : have;
      give(k, static_cast<std::size_t>(std::ceil(std::max(lacking, 2.0))));
    }
  }

  bool decided() const {
    const std::size_t best = static_cast<std::size_t>(std::ranges::max_element(now_.probability, {}, &Estimate::value) -
                                                      now_.probability.begin());
    return now_.interval[best].lower > goal_.decide || now_.interval[best].upper < goal_.decide;
  }

  /// Doubles the work: each further island goes where it lowers the variance of the probabilities most for its cost.
  void for_probabilities() {
    double budget = 0;
    std::vector<double> islands(models_.size());
    for (std::size_t k = 0; k < models_.size(); ++k) {
      islands[k] = static_cast<double>(models_[k].islands);
      if (!open(k)) continue;
      if (too_wide(models_[k])) give(k, models_[k].islands);
      budget += islands[k] * models_[k].cost;
    }
    while (budget > 0) {
      std::size_t to = models_.size();
      double most = 0;
      for (std::size_t k = 0; k < models_.size(); ++k) {
        if (!open(k) || too_wide(models_[k])) continue;
        const double gain = weight(k) / (islands[k] * (islands[k] + 1) * models_[k].cost);
        if (gain > most) most = gain, to = k;
      }
      if (to == models_.size()) return;
      budget -= models_[to].cost;
      ++islands[to];
      give(to, plan_.models[to].islands + 1);
    }
  }

  /// A run against the clock begins small, and grows when the larger round is sure to fit.
  void fit(double left, unsigned threads) {
    const std::vector<ModelPlan> as_wished = plan_.models;
    for (std::size_t k = 0; k < models_.size(); ++k)
      if (models_[k].particles < models_[k].full && plan_.models[k].islands > 0)
        plan_.models[k] = {.islands = base_, .factor = models_[k].full / models_[k].particles};
    if (seconds(threads) <= left) return;
    plan_.models = as_wished;
    const double needed = seconds(threads);
    if (needed <= left) return;
    for (ModelPlan& m : plan_.models)
      m.islands =
          m.factor > 1 ? 0 : static_cast<std::size_t>(static_cast<double>(m.islands) * std::max(left, 0.0) / needed);
  }

  RoundPlan finish(unsigned threads) {
    plan_.seconds = seconds(threads);
    return std::move(plan_);
  }

 private:
  bool open(std::size_t k) const { return !plan_.models[k].hopeless && !exhausted(models_[k]); }

  // The share of the model in the error of the probabilities; one that stands alone has only its own error.
  double weight(std::size_t k) const {
    const double share = now_.error_share[k];
    if (std::isfinite(share) && models_.size() > 1) return share * static_cast<double>(models_[k].islands);
    return std::pow(models_[k].evidence.log_evidence.standard_error, 2);
  }

  void give(std::size_t k, std::size_t islands) {
    ModelPlan& m = plan_.models[k];
    m.islands = std::max(m.islands, std::min(islands, kMostIslands - models_[k].islands));
    if (too_wide(models_[k])) m = {.islands = base_, .factor = 2};
  }

  double seconds(unsigned threads) const { return seconds_of(models_, plan_.models, threads); }

  std::span<const ModelProgress> models_;
  const Goal& goal_;
  std::size_t base_;
  ModelProbabilities now_;
  RoundPlan plan_;
};

}  // namespace

RoundPlan next_round(std::span<const ModelProgress> models, const Goal& goal, double elapsed, unsigned threads,
                     std::size_t base) {
  Allocation allocation(models, goal, base);
  if (goal.precision > 0) allocation.for_precision();
  const bool only_time = goal.seconds > 0 && goal.precision == 0 && goal.decide == 0;
  if (only_time || (goal.decide > 0 && !allocation.decided())) allocation.for_probabilities();
  if (goal.seconds > 0) allocation.fit(goal.seconds - elapsed, threads);
  return allocation.finish(threads);
}

RoundPlan doubled_particles(std::span<const ModelProgress> models, const std::vector<bool>& wanted, const Goal& goal,
                            unsigned threads, std::size_t base) {
  constexpr std::size_t kFactor = 2;
  const std::size_t most = goal.asked() ? kMostGrowth : kMostGrowthUnasked;
  RoundPlan plan{std::vector<ModelPlan>(models.size())};
  for (std::size_t k = 0; k < models.size(); ++k)
    if (wanted[k] && goal.seconds == 0 && kFactor * models[k].particles <= most * models[k].full)
      plan.models[k] = {.islands = base, .factor = kFactor};
  plan.seconds = seconds_of(models, plan.models, threads);
  return plan;
}

}  // namespace evident
