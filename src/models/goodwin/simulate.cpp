#include "models/goodwin/simulate.hpp"

#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdint>

#include "evident/base/error.hpp"

namespace evident {
namespace {

using State = std::vector<double>;

void check(const GoodwinSimulation& what) {
  const auto require = [](bool ok, const char* text) {
    if (!ok) throw InputError(std::string("goodwin simulation: ") + text);
  };
  require(what.theta.size() >= 4, "theta must hold a0, a1, a2 and at least one k");
  for (const double x : what.theta) require(x > 0 && std::isfinite(x), "parameters must be above zero");
  require(what.rho > 0 && std::isfinite(what.rho), "rho must be above zero");
  require(what.sigma >= 0 && std::isfinite(what.sigma), "sigma must not be below zero");
  double before = 0;
  for (const double t : what.times) {
    require(t > before && std::isfinite(t), "times must be above zero and increasing");
    before = t;
  }
  for (const std::size_t i : what.states) require(i + 2 < what.theta.size(), "an observed state does not exist");
}

}  // namespace

std::vector<std::vector<double>> goodwin_trajectory(const GoodwinSimulation& what) {
  check(what);
  const std::size_t m = what.theta.size() - 2;
  const auto& p = what.theta;
  const auto slope = [&](const State& x, State& dx, double) {
    dx[0] = p[1] / (1 + p[2] * std::pow(std::max(x[m - 1], 0.0), what.rho)) - p[0] * x[0];
    for (std::size_t i = 1; i < m; ++i) dx[i] = p[2 + i] * x[i - 1] - p[0] * x[i];
  };
  std::vector<double> times{0};
  times.insert(times.end(), what.times.begin(), what.times.end());
  std::vector<std::vector<double>> states;
  State x(m, 0.0);
  namespace odeint = boost::numeric::odeint;
  const auto stepper = odeint::make_controlled(1e-14, 1e-12, odeint::runge_kutta_fehlberg78<State>());
  const double first = 1e-3 * times.back();
  odeint::integrate_times(stepper, slope, x, times.begin(), times.end(), first,
                          [&](const State& now, double) { states.push_back(now); });
  states.erase(states.begin());
  return states;
}

GoodwinData simulate_goodwin(const GoodwinSimulation& what, const Streams& streams) {
  const auto states = goodwin_trajectory(what);
  GoodwinData data{.times = what.times, .states = what.states, .values = {}};
  data.values.assign(what.states.size(), std::vector<double>(what.times.size()));
  for (std::size_t j = 0; j < what.times.size(); ++j) {
    Stream stream = streams.at({.particle = static_cast<std::uint32_t>(j), .purpose = Purpose::simulate});
    for (std::size_t c = 0; c < what.states.size(); ++c)
      data.values[c][j] = states[j][what.states[c]] + what.sigma * stream.normal();
  }
  return data;
}

}  // namespace evident
