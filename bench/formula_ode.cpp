// The Goodwin oscillator written as formulas against the model written by hand: 80 times, two states, one thread.
//
//   bench_formula_ode
//
// Microseconds per particle, blocks of 64, the least CPU time of several windows. Errors are relative, of the log
// likelihood, against a solver of order 7(8) with tolerance 1e-12: the median and the worst of 200.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "evident/formula/model.hpp"
#include "goodwin_typical.hpp"
#include "models/goodwin/simulate.hpp"
#include "models/goodwin/solver.hpp"
#include "timing.hpp"

using namespace evident;

namespace {

constexpr std::size_t kParticles = 512, kBlock = 64;

formula::Source text(std::string s) { return {"bench", 1, 1, std::move(s)}; }

std::shared_ptr<const Model> as_formula(const GoodwinData& data, std::size_t m, double tolerance) {
  formula::DataSet set{.table_rows = {data.times.size()}};
  set.columns = {{.name = "t", .numbers = data.times},
                 {.name = "y1", .numbers = data.values[0]},
                 {.name = "y2", .numbers = data.values[1]}};
  formula::FormulaText f{.data = std::make_shared<const formula::DataSet>(std::move(set))};
  for (std::size_t j = 0; j < m + 2; ++j)
    f.parameters.push_back(
        {text(j < 3 ? "a" + std::to_string(j) : "k" + std::to_string(j - 2)), text("gamma(shape=0.1, rate=0.1)")});
  f.ode = formula::OdeText{.time = text("t"), .tolerance = tolerance};
  f.ode->states.push_back({text("x1"), text("0"), text("a1 / (1 + a2 * x" + std::to_string(m) + "^10) - a0 * x1")});
  for (std::size_t i = 2; i <= m; ++i) {
    const std::string own = std::to_string(i), before = std::to_string(i - 1);
    f.ode->states.push_back({text("x" + own), text("0"), text("k" + before + " * x" + before + " - a0 * x" + own)});
  }
  f.likelihood = {{text("y1"), text("normal(x1, 0.2)")}, {text("y2"), text("normal(x2, 0.2)")}};
  return formula::make_formula_model(f);
}

struct Errors {
  double median = 0, worst = 0;
};

Errors errors(const GoodwinData& data, GoodwinSimulation s, ConstBlock theta, const std::vector<double>& out) {
  std::vector<double> all;
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t j = 0; j < theta.rows(); ++j) s.theta[j] = theta(j, i);
    const auto x = goodwin_trajectory(s);
    double truth = -2 * 80 * (0.5 * std::log(2 * 3.14159265358979324) + std::log(s.sigma));
    for (std::size_t j = 0; j < x.size(); ++j)
      for (std::size_t c = 0; c < 2; ++c) truth -= 0.5 * std::pow((data.values[c][j] - x[j][c]) / s.sigma, 2);
    all.push_back(std::abs(out[i] - truth) / std::max(1.0, std::abs(truth)));
  }
  std::ranges::sort(all);
  return {all[100], all.back()};
}

void measure(std::size_t m, bool near_fit) {
  const GoodwinSimulation s = typical(m);
  const GoodwinData data = simulate_goodwin(s, Streams({.seed = 3}));
  const GoodwinProblem problem(data, m, s.rho, s.sigma);
  BlockStorage storage(m + 2, kParticles), prior(m + 2, kBlock), slopes(m + 2, kBlock);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::gamma_distribution<double> gamma(0.1, 10);
  for (std::size_t i = 0; i < kParticles; ++i)
    for (std::size_t j = 0; j < m + 2; ++j)
      storage(j, i) = near_fit ? s.theta[j] * std::exp(0.02 * normal(engine)) : std::max(gamma(engine), 1e-300);
  const Block theta = storage;
  std::vector<double> out(kParticles);
  const auto blocks = [&](auto&& f) {
    return 1e6 / kParticles * bench::least_seconds([&] {
             for (std::size_t i = 0; i < kParticles; i += kBlock)
               f(theta.columns(i, kBlock), std::span(out).subspan(i, kBlock));
           });
  };
  const double hand = blocks([&](ConstBlock t, std::span<double> o) { goodwin_log_likelihood(problem, t, o); });
  const char* where = near_fit ? "near fit" : "prior";
  const Errors e = errors(data, s, theta, out);
  std::printf("%zu  %-8s  by hand         %7.2f                  %7.0e %7.0e\n", m, where, hand, e.median, e.worst);
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8}) {
    const auto model = as_formula(data, m, tolerance);
    const double value = blocks([&](ConstBlock t, std::span<double> o) { model->log_likelihood(t, o); });
    const Errors f = errors(data, s, theta, out);
    const double slope = blocks([&](ConstBlock t, std::span<double>) { model->gradient(t, prior, slopes); });
    std::printf("%zu  %-8s  formula %7.0e %7.2f %7.2f %8.2f %7.0e %7.0e\n", m, where, tolerance, value, value / hand,
                slope, f.median, f.worst);
  }
}

}  // namespace

int main() {
  std::printf("m  where     model           us/ll  / hand  gradient  median   worst error\n");
  for (const std::size_t m : {3, 5})
    for (const bool near_fit : {true, false}) measure(m, near_fit);
}
