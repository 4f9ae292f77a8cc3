#include "baseline/ladder_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/statistics.hpp"
#include "evident/evidence/estimate.hpp"

namespace evident {
namespace {

constexpr std::size_t kBatches = 20, kEnoughLadders = 4;

double trapezoid(const Trace& trace) { return path_sampling(trace).estimate[0][0]; }

}  // namespace

LadderRecord::LadderRecord(std::vector<double> alphas, std::size_t ladders, std::size_t iterations)
    : alphas_(std::move(alphas)),
      ladders_(ladders),
      iterations_(iterations),
      batches_(std::min(kBatches, iterations)),
      tallies_(batches_ * ladders * alphas_.size()) {}

void LadderRecord::add(std::size_t t, std::size_t ladder, std::size_t rung, double log_likelihood) {
  const std::size_t batch = t * batches_ / iterations_;
  const double delta = rung + 1 < alphas_.size() ? alphas_[rung + 1] - alphas_[rung] : 0.0;
  tallies_[(batch * ladders_ + ladder) * alphas_.size() + rung].add(log_likelihood, delta);
}

LadderRecord::Rungs LadderRecord::merged(std::size_t batch_from, std::size_t batch_to, std::size_t ladder_from,
                                         std::size_t ladder_to) const {
  Rungs rungs(alphas_.size());
  for (std::size_t b = batch_from; b < batch_to; ++b)
    for (std::size_t l = ladder_from; l < ladder_to; ++l)
      for (std::size_t r = 0; r < rungs.size(); ++r) rungs[r].merge(tallies_[(b * ladders_ + l) * alphas_.size() + r]);
  return rungs;
}

// As the trace of an SMC run, so that the same rules integrate it. Nothing is known between rungs but the straight line
// that the trapezoid rule takes.
Trace LadderRecord::trace(const Rungs& rungs) const {
  Trace trace;
  trace.particles = ladders_;
  for (std::size_t r = 0; r < rungs.size(); ++r) {
    Step step{.alpha = alphas_[r], .mean = rungs[r].mean(), .variance = rungs[r].variance()};
    if (r > 0) {
      step.log_ratio = rungs[r - 1].stepping_stone();
      const double before = trace.steps.back().mean;
      for (std::size_t j = 1; j < kFinest; ++j)
        step.finer[j - 1] = before + (step.mean - before) * static_cast<double>(j) / static_cast<double>(kFinest);
    }
    trace.steps.push_back(step);
  }
  return trace;
}

double LadderRecord::standard_error(const PopulationMcmcRun& run) const {
  if (ladders_ >= kEnoughLadders) return error_of_mean(run.ladder_log_evidence);
  std::vector<double> batches;
  for (std::size_t b = 0; b < batches_; ++b) batches.push_back(trapezoid(trace(merged(b, b + 1, 0, ladders_))));
  return error_of_mean(batches);
}

void LadderRecord::finish(PopulationMcmcRun& run) const {
  run.alphas = alphas_;
  run.trace = trace(merged(0, batches_, 0, ladders_));
  for (const Step& step : run.trace.steps) {
    run.mean.push_back(step.mean);
    run.variance.push_back(step.variance);
  }
  const PathSampling path = path_sampling(run.trace);
  run.log_evidence.value = path.estimate[0][0];
  run.log_evidence_corrected = path.corrected;
  run.log_evidence_stepping = standard_estimate(run.trace);
  run.start = path.start;
  for (std::size_t l = 0; l < ladders_; ++l) {
    const Trace own = trace(merged(0, batches_, l, l + 1));
    run.ladder_log_evidence.push_back(trapezoid(own));
    std::vector<double>& means = run.ladder_mean.emplace_back();
    for (const Step& step : own.steps) means.push_back(step.mean);
  }
  run.log_evidence.standard_error = standard_error(run);
}

}  // namespace evident
