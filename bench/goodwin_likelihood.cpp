// Time of one Goodwin likelihood near the fit and over the prior: 80 times, two states, one thread.
//
//   bench_goodwin_likelihood
//
// The floor is counted: the arithmetic instructions of the steps that these very particles take, at two vectors of four
// doubles a cycle and five cycles a vector of quotients, at the clock measured in the same run. It has no loads, no
// bookkeeping and no waiting for a result.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "goodwin_typical.hpp"
#include "models/goodwin/plan.hpp"
#include "models/goodwin/simulate.hpp"
#include "models/goodwin/solver.hpp"
#include "timing.hpp"

using namespace evident;

namespace {

constexpr std::size_t kParticles = 1024, kBlock = 64;

/// Cycles a second: a chain of dependent additions does one a cycle.
double clock_rate() {
  constexpr int kAdditions = 1000000;
  const double spent = bench::least_seconds([] {
    std::uint64_t x = 1;
    for (int i = 0; i < kAdditions; ++i) asm volatile("add $1, %0" : "+r"(x));
  });
  return kAdditions / spent;
}

/// Least cycles of one attempted step of one vector.
double cycles_per_step(const GoodwinProblem::Plan& plan) {
  const double m = static_cast<double>(plan.m), sweeps = static_cast<double>(plan.sweeps), nodes = 6;
  const double exponentials = 2 + 3 * 17, powers = 3 * m, start = 12 + m + nodes * (m + 3);
  const double sweep = sweeps * nodes * 8 + (sweeps - 1) * nodes * 9;
  const double end = 11 * m + m * (m + 1) / 2, error = 35, control = 30 + m;
  const double quotients = 1 + sweeps * nodes + 4 + 1;
  return 0.5 * (exponentials + powers + start + sweep + end + error + control) + 5 * quotients;
}

double worst_error(const GoodwinData& data, GoodwinSimulation s, ConstBlock theta, const std::vector<double>& out) {
  double worst = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t j = 0; j < theta.rows(); ++j) s.theta[j] = theta(j, i);
    const auto x = goodwin_trajectory(s);
    double truth = -2 * 80 * (0.5 * std::log(2 * 3.14159265358979324) + std::log(s.sigma));
    for (std::size_t j = 0; j < x.size(); ++j)
      for (std::size_t c = 0; c < 2; ++c) truth -= 0.5 * std::pow((data.values[c][j] - x[j][c]) / s.sigma, 2);
    worst = std::max(worst, std::abs(out[i] - truth) / std::max(1.0, std::abs(truth)));
  }
  return worst;
}

void measure(std::size_t m, bool near_fit, double clock) {
  const GoodwinSimulation s = typical(m);
  const GoodwinData data = simulate_goodwin(s, Streams({.seed = 3}));
  const GoodwinProblem problem(data, m, s.rho, s.sigma);
  BlockStorage storage(m + 2, kParticles);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::gamma_distribution<double> gamma(0.1, 10);
  double steps = 0, check = 0;
  std::vector<double> parameters(m + 2), out(kParticles);
  for (std::size_t i = 0; i < kParticles; ++i) {
    for (std::size_t j = 0; j < m + 2; ++j)
      storage(j, i) = parameters[j] =
          near_fit ? s.theta[j] * std::exp(0.02 * normal(engine)) : std::max(gamma(engine), 1e-300);
    check += goodwin_log_likelihood_scalar(problem, parameters, &steps);
  }
  steps /= kParticles;
  const Block theta = storage;
  const double lanes = bench::least_seconds([&] {
    for (std::size_t i = 0; i < kParticles; i += kBlock)
      goodwin_log_likelihood(problem, theta.columns(i, kBlock), std::span(out).subspan(i, kBlock));
  });
  const double plain = bench::least_seconds(
      [&] {
        for (std::size_t i = 0; i < 64; ++i) {
          for (std::size_t j = 0; j < m + 2; ++j) parameters[j] = storage(j, i);
          check += goodwin_log_likelihood_scalar(problem, parameters);
        }
      },
      5);
  const double us = 1e6 * lanes / kParticles, floor = 1e6 * steps * cycles_per_step(problem.plan()) / 4 / clock;
  std::printf("%zu  %-8s %7.2f %7.2f %6.2f %9.2f %8.0f %10.1e%s\n", m, near_fit ? "near fit" : "prior", us, floor,
              us / floor, 1e6 * plain / 64, steps, worst_error(data, s, theta, out), check == 0 ? " " : "");
}

}  // namespace

int main() {
  const double clock = clock_rate();
  std::printf("clock %.2f GHz; microseconds per likelihood, blocks of %zu\n", 1e-9 * clock, kBlock);
  std::printf("m  where       lanes   floor  ratio    scalar    steps  worst error of 200\n");
  for (const std::size_t m : {3, 5})
    for (const bool near_fit : {true, false}) measure(m, near_fit, clock);
}
