// Likelihood evaluations x variance of the log evidence: the paper's adaptive run against a pilot with frozen islands.
//
//   bench_efficiency [FOLDER [REPLICATES [PART-OF-NAME [paper]]]]      default: that of EVIDENT_DATA, 20, all problems,
//   both runs
//
// The figure is the number of evaluations that would give a standard deviation of 1, and the smaller the better. (a) is
// one run with N = 1000, CESS 0.999 and one pass of the adaptive random walk; (b) is a comparison by default settings:
// it counts the evaluations of the pilot, of all islands, of their bridges and of the nested probe, and its variance is
// that of the combined estimate over replicates of the whole. A variance from 20 replicates is good to a third.
// Problems without their data in FOLDER are left out. With `paper` only (a) is run: bench_calibration has the spread of
// (b), too.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "evident/compare/compare.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "problems_with_data.hpp"

using namespace evident;
using problems::Problem;

namespace {

constexpr std::size_t kIslands = 8;

struct Estimate {
  double log_evidence = 0, evaluations = 0;
  bool held = false;  ///< the interval holds the truth
};

struct Spread {
  double mean = 0, variance = 0, evaluations = 0, held = 0;
  double figure() const { return variance * evaluations; }
};

Spread spread(const std::vector<Estimate>& x) {
  Spread s;
  const auto n = static_cast<double>(x.size());
  for (const Estimate& e : x) {
    s.mean += e.log_evidence / n;
    s.evaluations += e.evaluations / n;
    s.held += e.held ? 1 / n : 0;
  }
  for (const Estimate& e : x) s.variance += (e.log_evidence - s.mean) * (e.log_evidence - s.mean) / (n - 1);
  return s;
}

Estimate paper(const Problem& problem, const Context& context) {
  const SmcOptions options{
      .particles = 1000, .schedule = CessSchedule{0.999}, .kernel = {.scale_rule = ScaleRule::adaptive, .passes = 1}};
  const Run run = direct_evidence(*problem.model, options, context);
  return {.log_evidence = standard_estimate(run.trace), .evaluations = static_cast<double>(run.trace.evaluations)};
}

Estimate islands(const Problem& problem, const Context& context) {
  const ModelResult m =
      compare({{"model", 1.0, problem.model}}, {.smc = frozen_defaults(),
                                                .seed = context.streams.at({.purpose = Purpose::simulate}).bits(),
                                                .threads = 1,
                                                .islands = kIslands})
          .models.front();
  return {.log_evidence = m.log_evidence.value,
          .evaluations = static_cast<double>(m.evaluations()),
          .held = m.log_evidence.interval().holds(problem.log_evidence)};
}

template <class Method>
Spread measure(const Problem& problem, std::size_t replicates, std::uint64_t seed, const Method& method) {
  const Executor executor(0);
  std::vector<Estimate> out(replicates);
  executor.for_each(replicates, [&](std::size_t r) {
    const Executor alone(1);
    out[r] = method(problem, {Streams({.seed = seed, .replicate = static_cast<std::uint32_t>(r)}), alone});
  });
  return spread(out);
}

void report(const Problem& problem, std::size_t replicates, bool only_paper) {
  const Spread a = measure(problem, 2 * replicates, 1, paper);
  if (only_paper) {
    std::printf("| %-24s | %9.3f | %+.3f | %.3f | %.2e | %.2e |\n", problem.name.c_str(), problem.log_evidence,
                a.mean - problem.log_evidence, std::sqrt(a.variance), a.evaluations, a.figure());
    return;
  }
  const Spread b = measure(problem, replicates, 2, islands);
  std::printf("| %-24s | %9.3f | %+.3f | %.3f | %.2e | %.2e | %+.4f | %.4f | %.2e | %.2e | %3.0f %% | %.1f |\n",
              problem.name.c_str(), problem.log_evidence, a.mean - problem.log_evidence, std::sqrt(a.variance),
              a.evaluations, a.figure(), b.mean - problem.log_evidence, std::sqrt(b.variance), b.evaluations,
              b.figure(), 100 * b.held, a.figure() / b.figure());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : bench::data_folder(), wanted = argc > 3 ? argv[3] : "";
  const bool only_paper = argc > 4 && std::string(argv[4]) == "paper";
  const std::size_t replicates = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 20;
  std::vector<Problem> all = {problems::narrow_gaussian(20), problems::rosenbrock_pairs(10)};
  for (Problem& p : bench::problems_with_data(folder)) all.push_back(std::move(p));
  std::printf("(a) paper's run, %zu replicates; (b) pilot, %zu islands and bridges, %zu replicates\n\n", 2 * replicates,
              kIslands, replicates);
  std::printf(
      "| problem | log Z | (a) off | SD | evaluations | evals x var | (b) off | SD | evaluations | evals x var | 95 %% "
      "interval holds | gain |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Problem& problem : all)
    if (problem.name.find(wanted) != std::string::npos) report(problem, replicates, only_paper);
}
