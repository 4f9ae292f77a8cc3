// Keeps the trace of a run and shows it to the observer.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "evident/base/log_math.hpp"
#include "evident/kernel/kernel.hpp"
#include "evident/particles/population.hpp"
#include "evident/particles/union_population.hpp"
#include "evident/path/observer.hpp"
#include "evident/path/target.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/all_in_one.hpp"
#include "evident/smc/options.hpp"

namespace evident {

/// Log likelihoods in the order of the weights.
inline const AlignedVector<double>& log_likelihoods(const Population& x) { return x.log_likelihood; }
inline AlignedVector<double> log_likelihoods(const UnionPopulation& x) { return x.log_likelihood(); }

template <class Particles, class ObserverOf>
class RecorderOf {
 public:
  RecorderOf(const SmcOptions& options, const EvaluationCount& count, ObserverOf* observer)
      : count_(count), observer_(observer), start_(std::chrono::steady_clock::now()) {
    trace_.particles = options.particles;
    trace_.waste_free = options.waste_free;
  }

  const Trace& trace() const { return trace_; }
  Trace finish() { return std::move(trace_); }

  void initial(const Particles& x, double log_mean_weight) {
    trace_.log_initial = log_mean_weight;
    add({.alpha = 0, .ess = x.weights.ess(), .cess = 1}, x);
  }

  void step(Step step, const MoveReport& moved, const Particles& x) {
    step.acceptance = moved.acceptance;
    step.scale = moved.scale;
    step.jump = moved.jump;
    step.passes = moved.passes;
    add(step, x);
  }

 private:
  void add(Step step, const Particles& x) {
    const auto& l = log_likelihoods(x);
    const Moments m = weighted_moments(x.weights.values(), l);
    step.mean = m.mean;
    step.variance = m.variance;
    step.groups = two_groups(x.weights.values(), l, m);
    step.impossible = static_cast<double>(std::ranges::count(l, -kInf)) / static_cast<double>(l.size());
    step.evaluations = count_.total - trace_.evaluations;
    step.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    trace_.evaluations = count_.total;
    trace_.nan_evaluations = count_.nan;
    trace_.gradients = count_.gradients;
    trace_.steps.push_back(step);
    if (observer_ != nullptr) observer_->on_step(trace_, x);
  }

  Trace trace_;
  const EvaluationCount& count_;
  ObserverOf* observer_;
  std::chrono::steady_clock::time_point start_;
};

using Recorder = RecorderOf<Population, Observer>;
using UnionRecorder = RecorderOf<UnionPopulation, UnionObserver>;

}  // namespace evident
