// Ways to move the particles: likelihood evaluations x variance of the log evidence, each against the paper's run.
//
//   bench_moves [FOLDER [RUNS [PART-OF-PROBLEM [PART-OF-METHOD]]]]      default: that of EVIDENT_DATA, 24, all, all
//
// The paper's run has N = 1000, CESS 0.999 and one pass of the adaptive random walk. Of the others so many frozen runs
// are made, six for each pilot; their figure is that of a pilot with 16 of them: the evaluations of all 17, times a
// 16th of the variance of one. A gradient counts as one evaluation. A variance from 24 runs is good to 30 %, a gain to
// 40 %. `told` is the mean variance that runs report of themselves, as a share of the measured one.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "compare/method.hpp"
#include "evidence/variance.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "problems_with_data.hpp"

using namespace evident;
using problems::Problem;

namespace {

constexpr std::size_t kRunsOfPlan = 6;
constexpr double kIslands = 16;

struct Method {
  std::string name;
  std::optional<SmcOptions> frozen;  ///< none: the paper's run
  bool gradient = false;
};

SmcOptions with(KernelKind kind) {
  SmcOptions o = frozen_defaults();
  o.kernel.kind = kind;
  return o;
}

SmcOptions waste_free(KernelKind kind, std::size_t particles, std::size_t length, std::size_t passes = 1) {
  SmcOptions o = with(kind);
  o.particles = particles;
  o.kernel.until_mixed.reset();
  o.kernel.passes = passes;
  o.waste_free = length;
  return o;
}

std::vector<Method> methods() {
  using enum KernelKind;
  return {{"paper", {}},
          {"crank-nicolson", with(crank_nicolson)},
          {"independent", with(independent)},
          {"mala", with(mala), true},
          {"hmc", with(hmc), true},
          {"waste-free walk 10000/50", waste_free(random_walk, 10000, 50)},
          {"waste-free crank-nicolson 10000/20", waste_free(crank_nicolson, 10000, 20)},
          {"waste-free crank-nicolson 10000/50", waste_free(crank_nicolson, 10000, 50)},
          {"waste-free crank-nicolson 20000/100", waste_free(crank_nicolson, 20000, 100)},
          {"waste-free independent 10000/20", waste_free(independent, 10000, 20)},
          {"waste-free independent 10000/50", waste_free(independent, 10000, 50)},
          {"waste-free hmc 10000/20", waste_free(hmc, 10000, 20), true}};
}

struct Result {
  double log_evidence = 0, told = 0, evaluations = 0, pilot = 0;
};

Result result(const Run& run, double pilot) {
  return {standard_estimate(run.trace), evidence_variance(run.trace).relative_variance(),
          static_cast<double>(run.trace.evaluations + run.trace.gradients), pilot};
}

std::vector<Result> paper_runs(const Problem& problem, std::size_t runs) {
  const SmcOptions options{
      .particles = 1000, .schedule = CessSchedule{0.999}, .kernel = {.scale_rule = ScaleRule::adaptive, .passes = 1}};
  std::vector<Result> out(runs);
  Executor(0).for_each(runs, [&](std::size_t r) {
    const Executor alone(1);
    out[r] = result(direct_evidence(*problem.model, options, {Streams({.seed = 1}).part(r), alone}), 0);
  });
  return out;
}

std::vector<Result> frozen_runs(const Problem& problem, std::size_t runs, const SmcOptions& options) {
  std::vector<Result> out(runs);
  Executor(0).for_each((runs + kRunsOfPlan - 1) / kRunsOfPlan, [&](std::size_t plan) {
    const Executor alone(1);
    const Context context{Streams({.seed = 2}).part(plan), alone};
    const PilotRun first = pilot(*problem.model, options, context);
    const auto cost = static_cast<double>(first.run.trace.evaluations + first.run.trace.gradients);
    for (std::size_t r = plan * kRunsOfPlan; r < std::min(runs, (plan + 1) * kRunsOfPlan); ++r)
      out[r] = result(frozen_evidence(*problem.model, first.plan, options, {context.streams.part(r), alone}), cost);
  });
  return out;
}

struct Spread {
  double mean = 0, variance = 0, told = 0, evaluations = 0, pilot = 0;
};

Spread spread(const std::vector<Result>& x) {
  Spread s;
  const auto n = static_cast<double>(x.size());
  for (const Result& r : x) {
    s.mean += r.log_evidence / n;
    s.told += r.told / n;
    s.evaluations += r.evaluations / n;
    s.pilot += r.pilot / n;
  }
  for (const Result& r : x) s.variance += (r.log_evidence - s.mean) * (r.log_evidence - s.mean) / (n - 1);
  return s;
}

/// Evaluations for a standard deviation of 1.
double figure(const Spread& s, bool frozen) {
  return frozen ? (s.pilot + kIslands * s.evaluations) * s.variance / kIslands : s.evaluations * s.variance;
}

void report(const Problem& problem, std::size_t runs, const std::string& wanted) {
  double reference = 0;
  for (const Method& m : methods()) {
    if (m.gradient && !problem.model->has_gradient()) continue;
    if (m.frozen && m.name.find(wanted) == std::string::npos) continue;
    const auto start = std::chrono::steady_clock::now();
    const Spread s = spread(m.frozen ? frozen_runs(problem, runs, *m.frozen) : paper_runs(problem, runs));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double f = figure(s, m.frozen.has_value());
    if (!m.frozen) reference = f;
    std::printf("| %s | %s | %+.3f | %.3f | %.2e | %.2e | %.1f | %.2f | %.0f |\n", problem.name.c_str(), m.name.c_str(),
                s.mean - problem.log_evidence, std::sqrt(s.variance), s.evaluations, f, reference / f,
                s.told / s.variance, seconds);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : bench::data_folder(), problem = argc > 3 ? argv[3] : "";
  const std::size_t runs = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 24;
  std::vector<Problem> all = {problems::narrow_gaussian(20), problems::rosenbrock_pairs(10), problems::two_modes(),
                              problems::unit_gaussian(200)};
  for (Problem& p : bench::problems_with_data(folder)) all.push_back(std::move(p));
  std::printf("%zu runs each\n\n| problem | method | off | SD | evaluations | evals x var | gain | told | s |\n", runs);
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  for (const Problem& p : all)
    if (p.name.find(problem) != std::string::npos) report(p, runs, argc > 4 ? argv[4] : "");
}
