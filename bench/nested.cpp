// Thresholds against powers of the likelihood: nested runs and frozen tempered runs on the same problems.
//
//   bench_nested [SEEDS [PART-OF-NAME [PARTICLES [REMAINING]]]]      default: 20, all problems, 1000, 1e-3
//
// Each is a pilot and 8 islands. "right" counts the seeds whose log evidence is within 0.5 of the truth, "held" those
// whose 95 % interval holds it. The work is evaluations x variance, for a standard deviation of 1.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "nested/nested.hpp"
#include "problems/problems.hpp"

using namespace evident;
using problems::Problem;

namespace {

constexpr std::size_t kIslands = 8;

struct Result {
  Estimate evidence = {};
  double island_sd = 0;
  std::size_t evaluations = 0, steps = 0;
  double one_run = 0;  ///< mean one-run error
};

Result nested(const Problem& problem, const NestedOptions& options, const Context& context) {
  const NestedPilot first = nested_pilot(*problem.model, options, context);
  Result out{.evaluations = first.run.trace.evaluations, .steps = first.plan.thresholds.size()};
  std::vector<double> log_evidences;
  for (std::size_t r = 0; r < kIslands; ++r) {
    const NestedRun run =
        nested_evidence(*problem.model, first.plan, options, {context.streams.part(r), context.executor});
    log_evidences.push_back(run.log_evidence.value);
    out.evaluations += run.trace.evaluations;
    out.one_run += run.log_evidence.standard_error / kIslands;
  }
  out.evidence = island_evidence(log_evidences);
  out.island_sd = standard_deviation(log_evidences);
  return out;
}

Result tempered(const Problem& problem, const SmcOptions& options, const Context& context) {
  const PilotRun first = pilot(*problem.model, options, context);
  Result out{.evaluations = first.run.trace.evaluations, .steps = first.plan.alphas.size()};
  std::vector<double> log_evidences;
  for (std::size_t r = 0; r < kIslands; ++r) {
    const Run run = frozen_evidence(*problem.model, first.plan, options, {context.streams.part(r), context.executor});
    log_evidences.push_back(standard_estimate(run.trace));
    out.evaluations += run.trace.evaluations;
  }
  out.evidence = island_evidence(log_evidences);
  out.island_sd = standard_deviation(log_evidences);
  return out;
}

template <class Method>
void measure(const char* name, const Problem& problem, std::size_t seeds, const Method& method) {
  const Executor executor(0);
  std::vector<Result> results(seeds);
  executor.for_each(seeds, [&](std::size_t s) {
    const Executor alone(1);
    results[s] = method(Context{Streams({.seed = 100 + s}), alone});
  });
  double mean = 0, square = 0, error = 0, island = 0, one_run = 0, evaluations = 0, steps = 0;
  int right = 0, held = 0;
  const auto n = static_cast<double>(seeds);
  for (const Result& r : results) {
    const double off = r.evidence.value - problem.log_evidence;
    mean += off / n, square += off * off / n;
    error += r.evidence.standard_error / n, island += r.island_sd / n, one_run += r.one_run / n;
    evaluations += static_cast<double>(r.evaluations) / n, steps += static_cast<double>(r.steps) / n;
    right += std::abs(off) < 0.5 ? 1 : 0;
    const Interval interval = r.evidence.interval();
    held += interval.lower <= problem.log_evidence && problem.log_evidence <= interval.upper ? 1 : 0;
  }
  std::printf("%-36s %-8s %9.3f %8.3f %7.3f %7.3f %7.3f %6d %5d %6.0f %9.2e %9.2e\n", problem.name.c_str(), name, mean,
              std::sqrt(square), error, island, one_run, right, held, steps, evaluations, evaluations * square);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t seeds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20;
  const std::string part = argc > 2 ? argv[2] : "";
  NestedOptions thresholds;
  SmcOptions powers = frozen_defaults();
  if (argc > 3) thresholds.particles = powers.particles = std::strtoul(argv[3], nullptr, 10);
  if (argc > 4) thresholds.remaining = std::strtod(argv[4], nullptr);

  std::printf("%-36s %-8s %9s %8s %7s %7s %7s %6s %5s %6s %9s %9s\n", "problem", "path", "mean off", "rms off", "error",
              "island", "one run", "right", "held", "steps", "evals", "work");
  for (const Problem& problem :
       {problems::conjugate_normal(10, 3), problems::narrow_gaussian(10), problems::narrow_gaussian(20),
        problems::equicorrelated_gaussian(10), problems::rosenbrock_pairs(2), problems::rosenbrock_pairs(10),
        problems::two_modes(), problems::eggbox(), problems::spike_in_normal(10, 0.4, 100),
        problems::spike_in_normal(10, 0.3, 100), problems::spike_in_normal(15, 0.4, 100),
        problems::spike_in_normal(20, 0.5, 100), problems::spike_in_normal(10, 0.1, 100),
        problems::spike_in_normal(20, 0.1, 100), problems::spike_in_normal(20, 0.1, 100, 0.31)}) {
    if (problem.name.find(part) == std::string::npos) continue;
    measure("nested", problem, seeds, [&](const Context& c) { return nested(problem, thresholds, c); });
    measure("tempered", problem, seeds, [&](const Context& c) { return tempered(problem, powers, c); });
  }
}
