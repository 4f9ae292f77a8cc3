#include "smc/steps.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/pack_fields.hpp"
#include "base/partition.hpp"
#include "base/team.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "particles/resample.hpp"
#include "particles/reweight.hpp"
#include "path/place.hpp"
#include "smc/waste_free.hpp"

namespace evident {

void share_results(Population& x, EvaluationCount& count) {
  if (!x.partition) return;
  constexpr std::size_t kCounters = 3;
  BlockPartition& partition = *x.partition;
  std::atomic<std::size_t>* counters[kCounters] = {&count.total, &count.nan, &count.gradients};
  // Each rank sends its log likelihoods and what it has counted since the last time; numbers are exact as doubles.
  const std::vector<std::size_t> particles = partition.particles(x.size());
  std::vector<std::size_t> first(particles);
  for (std::size_t r = 0; r < first.size(); ++r) first[r] += kCounters * r;
  AlignedVector<double> all(first.back());
  const std::uint64_t nan_before = partition.known[1];
  const auto counts_of = [&](std::size_t r) { return all.data() + first[r + 1] - kCounters; };
  const std::size_t rank = partition.team.rank();
  std::copy(x.log_likelihood.begin() + static_cast<std::ptrdiff_t>(particles[rank]),
            x.log_likelihood.begin() + static_cast<std::ptrdiff_t>(particles[rank + 1]),
            all.begin() + static_cast<std::ptrdiff_t>(first[rank]));
  for (std::size_t c = 0; c < kCounters; ++c)
    counts_of(rank)[c] = static_cast<double>(*counters[c] - partition.known[c]);
  partition.team.all_gather(all, first);
  for (std::size_t r = 0; r < partition.team.size(); ++r) {
    std::copy_n(all.data() + first[r], particles[r + 1] - particles[r], x.log_likelihood.data() + particles[r]);
    for (std::size_t c = 0; c < kCounters; ++c) partition.known[c] += static_cast<std::uint64_t>(counts_of(r)[c]);
  }
  const bool more_nan = partition.known[1] != nan_before;
  for (std::size_t c = 0; c < kCounters; ++c) *counters[c] = partition.known[c];
  if (!more_nan) return;
  for (const auto& bytes : partition.team.all_gather_bytes(pack_value(count.nan_points.kept())))
    count.nan_points.note(unpack_value<std::vector<std::vector<double>>>(bytes));
}

double weight_initial(const Model& model, Population& x) {
  if (!model.has_initial()) return 0;
  AlignedVector<double> log_nu(x.size()), log_weight(x.size());
  for (std::size_t b = x.first_block(); b < x.last_block(); ++b) {
    const std::size_t first = b * kBlockSize, n = std::min(kBlockSize, x.size() - first);
    model.log_initial(x.theta.block().columns(first, n), {log_nu.data() + first, n});
    for (std::size_t i = first; i < first + n; ++i) log_weight[i] = x.log_prior[i] - x.log_jacobian[i] - log_nu[i];
  }
  if (x.partition) x.partition->gather(log_weight);
  const double log_mean = x.weights.absorb(log_weight, 1.0).log_ratio;
  if (log_mean == -kInf) throw RunError("the initial distribution gives no draw inside the prior's support");
  return log_mean;
}

double choose_alpha(const Schedule& schedule, ScheduleView where, const Population& x) {
  if (where.alpha >= 1) return 1;
  where.weights = x.weights.values();
  where.log_likelihood = x.log_likelihood;
  return next_alpha(schedule, where);
}

Step reweight(Weights& weights, std::span<const double> l, double alpha, double next, bool watch) {
  const double delta = next - alpha;
  Step step{.alpha = next};
  if (watch) {
    const double top = reweighting::largest(l.data(), l.size());
    reweighting::finer_means(weights.values().data(), l.data(), top, delta, l.size(), step.finer.data());
  }
  const Absorbed absorbed = weights.absorb(l, delta);
  step.log_ratio = absorbed.log_ratio;
  step.cess = absorbed.cess;
  step.ess = weights.ess();
  return step;
}

Step reweight(Population& x, double alpha, double next, bool watch) {
  Step step = reweight(x.weights, x.log_likelihood, alpha, next, watch);
  if (x.chain > 0) step.chains = between_chains(x.weights.values(), x.chain);
  return step;
}

bool resample_if_needed(Population& x, const SmcOptions& options, const Context& context, std::uint32_t step) {
  if (options.waste_free > 0) {
    if (step == 0) return false;
    const std::size_t starts = options.particles / options.waste_free;
    x.select(resample(options.resample, x.weights.values(), starts, context.streams, step));
    return true;
  }
  const double threshold = options.resample_threshold;
  if (threshold < 1 && x.weights.ess() >= threshold) return false;
  const auto parents = resample(options.resample, x.weights.values(), x.size(), context.streams, step);
  x.genealogy.resampled(options.resample, x.weights.values(), parents);
  x.select(parents);
  return true;
}

void check_stop_and_nan(const NanCount& nan, double nan_limit, const Context& context) {
  if (context.stop.stop_requested()) throw RunError("stopped before the end");
  if (static_cast<double>(nan.count) <= nan_limit * static_cast<double>(nan.evaluations)) return;
  const std::string where =
      nan.model == nullptr || nan.points.empty() ? "" : ": " + nan_text(*nan.model, nan.points.front());
  throw RunError("the log likelihood was NaN in " + std::to_string(nan.count) + " of " +
                 std::to_string(nan.evaluations) + " evaluations, more than nan_limit allows" + where);
}

void check_progress(const Trace& trace, const SmcOptions& options, const Context& context, const Model* model) {
  check_stop_and_nan({trace.nan_evaluations, trace.evaluations, model, trace.nan_points}, options.nan_limit, context);
  if (trace.steps.size() > options.max_steps && trace.steps.back().alpha < 1)
    throw RunError("alpha = 1 was not reached within " + std::to_string(options.max_steps) +
                   " steps (max_steps); the prior may be far too wide for the data");
}

}  // namespace evident
