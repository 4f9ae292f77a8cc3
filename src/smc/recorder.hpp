// Keeps the trace of a run and shows it to the observer.
#pragma once

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "evident/base/log_math.hpp"
#include "evident/kernel/kernel.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/sampler.hpp"
#include "particles/two_groups.hpp"
#include "particles/union_population.hpp"
#include "particles/weights.hpp"
#include "smc/all_in_one.hpp"

namespace evident {

/// Log likelihoods in the order of the weights.
inline const AlignedVector<double>& log_likelihoods(const Population& x) { return x.log_likelihood; }
inline AlignedVector<double> log_likelihoods(const UnionPopulation& x) { return x.log_likelihood(); }

template <class Particles, class ObserverOf>
class RecorderOf {
 public:
  RecorderOf(const SmcOptions& options, const EvaluationCount& count, ObserverOf* observer)
      : count_(count), observer_(observer), watch_(options.watch), start_(std::chrono::steady_clock::now()) {
    trace_.particles = options.particles;
    trace_.waste_free = options.waste_free;
  }

  const Trace& trace() const { return trace_; }
  Trace finish() { return std::move(trace_); }

  /// Goes on with the trace of a run that was stopped.
  void resume(Trace trace, const Particles& x) {
    trace_ = std::move(trace);
    const std::chrono::duration<double> before(trace_.steps.empty() ? 0 : trace_.steps.back().seconds);
    start_ -= std::chrono::duration_cast<std::chrono::steady_clock::duration>(before);
    if (observer_ != nullptr) observer_->on_step(trace_, x);
  }

  void initial(const Particles& x, double log_factor, const FirstDraws& first = {}) {
    trace_.log_initial = log_factor;
    trace_.first = first;
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
    if (watch_) look_at(x, step);
    step.evaluations = count_.total - trace_.evaluations;
    step.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    trace_.evaluations = count_.total;
    // Points of several models do not go together.
    if constexpr (std::is_same_v<Particles, Population>)
      if (count_.nan > trace_.nan_evaluations) trace_.nan_points = count_.nan_points.kept();
    trace_.nan_evaluations = count_.nan;
    trace_.gradients = count_.gradients;
    trace_.steps.push_back(step);
    if (observer_ != nullptr) observer_->on_step(trace_, x);
  }

  static void look_at(const Particles& x, Step& step) {
    const auto& l = log_likelihoods(x);
    const Moments m = weighted_moments(x.weights.values(), l);
    step.mean = m.mean;
    step.variance = m.variance;
    step.groups = two_groups(x.weights.values(), l, m);
    step.impossible = static_cast<double>(std::ranges::count(l, -kInf)) / static_cast<double>(l.size());
  }

  Trace trace_;
  const EvaluationCount& count_;
  ObserverOf* observer_;
  bool watch_;
  std::chrono::steady_clock::time_point start_;
};

using Recorder = RecorderOf<Population, Observer>;
using UnionRecorder = RecorderOf<UnionPopulation, UnionObserver>;

}  // namespace evident
