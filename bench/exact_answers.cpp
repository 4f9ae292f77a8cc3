// Exact answers: the mean of the estimates over many seeds against the known log evidence.
//
//   bench_exact_answers [SEEDS [PART-OF-NAME]]      default: 100, all problems
//
// A problem passes when the standard estimate is within 3 standard errors of the truth, and path sampling on the finest
// grid within 3 standard errors + 0.01.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"

using namespace evident;

namespace {

struct Spread {
  double mean = 0, sd = 0, error = 0;
};

Spread spread(const std::vector<double>& x) {
  Spread s;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) s.mean += v / n;
  for (const double v : x) s.sd += (v - s.mean) * (v - s.mean) / (n - 1);
  s.sd = std::sqrt(s.sd);
  s.error = s.sd / std::sqrt(n);
  return s;
}

bool report(const problems::Problem& problem, std::size_t seeds, const Executor& executor) {
  std::vector<double> standard(seeds), path(seeds), steps(seeds);
  executor.for_each(seeds, [&](std::size_t r) {
    const Executor alone(1);
    const Context context{
        Streams({.seed = 100 + std::hash<std::string>{}(problem.name), .replicate = static_cast<std::uint32_t>(r)}),
        alone};
    const Run run = direct_evidence(*problem.model, {}, context);
    standard[r] = standard_estimate(run.trace);
    path[r] = path_sampling(run.trace).best();
    steps[r] = static_cast<double>(run.trace.steps.size() - 1);
  });
  const Spread s = spread(standard), p = spread(path);
  const double off = (s.mean - problem.log_evidence) / s.error;
  const double path_off = std::abs(p.mean - problem.log_evidence);
  const bool ok = std::abs(off) <= 3 && path_off <= 3 * p.error + 0.01;
  std::printf("| %-26s | %10.5f | %10.5f | %7.4f | %+5.2f | %10.5f | %7.4f | %4.0f | %s |\n", problem.name.c_str(),
              problem.log_evidence, s.mean, s.sd, off, p.mean, p.sd, spread(steps).mean, ok ? "ok" : "NOT MET");
  std::fflush(stdout);
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t seeds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  const Executor executor(0);
  std::printf("%zu seeds each, 1000 particles, CESS 0.999, all other settings default\n\n", seeds);
  std::printf(
      "| problem | exact | standard | SD | errors off | path x8 | SD | steps | "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  bool all = true;
  const std::string wanted = argc > 2 ? argv[2] : "";
  const auto check = [&](const problems::Problem& problem) {
    if (problem.name.find(wanted) != std::string::npos) all = report(problem, seeds, executor) && all;
  };
  for (const std::size_t n : {1, 2, 5, 10, 20, 50})
    for (const std::size_t d : {1, 2, 3, 5}) check(problems::conjugate_normal(n, d));
  for (const auto& problem : {problems::beta_bernoulli(1, 1), problems::beta_bernoulli(30, 30),
                              problems::correlated_gaussian(), problems::eggbox(), problems::two_modes()})
    check(problem);
  std::printf("\n%s\n", all ? "all met" : "some not met");
  return all ? 0 : 1;
}
