// Two observers: one sees every step of a single run, with its particles; the other sees all runs of a comparison,
// which call it from several threads at once.
#include <atomic>
#include <evident/compare/compare.hpp>
#include <evident/evidence/estimate.hpp>
#include <evident/model/model.hpp>
#include <evident/smc/sampler.hpp>

#include "line.hpp"

namespace {

/// Prints the road from the prior (alpha = 0) to the posterior (alpha = 1).
class Printer final : public evident::Observer {
 public:
  void on_step(const evident::Trace& trace, const evident::Population& particles) override {
    const evident::Step& now = trace.steps.back();
    double mean = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) mean += particles.weights.values()[i] * particles.theta(0, i);
    std::printf("  step %2zu: alpha %.4f, ESS %.2f, acceptance %.2f, mean of a %.2f\n", trace.steps.size() - 1,
                now.alpha, now.ess, now.acceptance, mean);
  }
};

/// Counts; a graphical program would draw a bar.
class Counter final : public evident::CompareObserver {
 public:
  void on_step(std::size_t, std::size_t, const evident::Trace&) override { ++steps; }
  void on_finish(std::size_t, std::size_t, const evident::Replicate&) override { ++finished; }
  std::atomic<int> steps = 0, finished = 0;
};

}  // namespace

int main() {
  evident::ParameterSpace space;
  space.add("a", evident::normal(0, line::kPriorSd));
  const auto level = evident::lift(space, [](std::span<const double> x) { return line::log_likelihood(x[0], 0); });

  const evident::Executor executor(2);
  Printer printer;
  evident::SmcOptions options;
  options.schedule = evident::CessSchedule{0.9};
  const evident::Run run =
      evident::direct_evidence(*level, options, {evident::Streams({.seed = 9}), executor}, &printer);
  std::printf("one run: log evidence %.2f from %zu evaluations\n", evident::standard_estimate(run.trace),
              run.trace.evaluations);

  Counter counter;
  evident::CompareOptions all;
  all.seed = 9;
  const evident::Comparison result = evident::compare({{"level", 1, level, {}}}, all, &counter);
  std::printf("%d runs, %d steps\n", counter.finished.load(), counter.steps.load());
  const evident::ModelResult& m = result.models[0];
  return line::report(m.name, m.log_evidence.value, m.log_evidence.standard_error, false) && counter.finished >= 8 ? 0
                                                                                                                   : 1;
}
