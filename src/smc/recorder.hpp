// Keeps the trace of a run and shows it to the observer.
#pragma once

#include <chrono>
#include <utility>

#include "evident/kernel/kernel.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/observer.hpp"
#include "evident/path/target.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/options.hpp"

namespace evident {

class Recorder {
 public:
  Recorder(const SmcOptions& options, const EvaluationCount& count, Observer* observer)
      : count_(count), observer_(observer), start_(std::chrono::steady_clock::now()) {
    trace_.particles = options.particles;
  }

  const Trace& trace() const { return trace_; }
  Trace finish() { return std::move(trace_); }

  void initial(const Population& x, double log_mean_weight) {
    trace_.log_initial = log_mean_weight;
    add({.alpha = 0, .ess = x.weights.ess(), .cess = 1}, x);
  }

  void step(Step step, const MoveReport& moved, const Population& x) {
    step.acceptance = moved.acceptance;
    step.scale = moved.scale;
    step.jump = moved.jump;
    add(step, x);
  }

 private:
  void add(Step step, const Population& x) {
    const Moments m = weighted_moments(x.weights.values(), x.log_likelihood);
    step.mean = m.mean;
    step.variance = m.variance;
    step.evaluations = count_.total - trace_.evaluations;
    step.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    trace_.evaluations = count_.total;
    trace_.nan_evaluations = count_.nan;
    trace_.steps.push_back(step);
    if (observer_ != nullptr) observer_->on_step(trace_, x);
  }

  Trace trace_;
  const EvaluationCount& count_;
  Observer* observer_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace evident
