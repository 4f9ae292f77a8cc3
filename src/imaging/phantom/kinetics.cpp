#include "imaging/phantom/kinetics.hpp"

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <cmath>

#include "evident/base/error.hpp"

namespace evident::imaging {
namespace {

/// Three compartments and the integral over time of what is to be averaged.
using State = std::vector<double>;

void check(bool ok, const std::string& text) {
  if (!ok) throw InputError("PET phantom: " + text);
}

void check_frames(const PhantomBlood& blood, std::span<const double> starts, std::span<const double> durations) {
  check(!starts.empty() && starts.size() == durations.size(), "needs frames, each with a start and a duration");
  double end = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    check(std::isfinite(starts[i]) && durations[i] > 0 && starts[i] >= end - 1e-9,
          "frame " + std::to_string(i + 1) + " must start where the one before ends, or later, and last some time");
    end = starts[i] + durations[i];
  }
  check(end <= blood.last_time, "the last frame ends at " + std::to_string(end) + " s but the blood is known until " +
                                    std::to_string(blood.last_time) + " s only");
}

/// Solves from time to time and returns the averages of the last state's slope over the frames. The solver stops at
/// every kink of the input, because its error estimate believes in smooth curves.
template <class Slope>
std::vector<double> averages(const PhantomBlood& blood, std::span<const double> starts,
                             std::span<const double> durations, Slope slope) {
  check_frames(blood, starts, durations);
  namespace odeint = boost::numeric::odeint;
  State x(4, 0.0);
  double now = 0;
  auto kink = blood.kinks.begin();
  const auto solve_until = [&](double time) {
    while (now < time) {
      for (; kink != blood.kinks.end() && *kink <= now; ++kink) {
      }
      const double next = kink != blood.kinks.end() ? std::min(*kink, time) : time;
      const auto stepper = odeint::make_controlled(1e-13, 1e-11, odeint::runge_kutta_fehlberg78<State>());
      odeint::integrate_adaptive(stepper, slope, x, now, next, std::min(next - now, 1.0));
      now = next;
    }
  };
  std::vector<double> out;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    solve_until(starts[i]);
    x[3] = 0;
    solve_until(starts[i] + durations[i]);
    out.push_back(x[3] / durations[i]);
  }
  return out;
}

/// Straight lines through the samples.
struct Polyline {
  std::vector<double> x, y;
  double operator()(double t) const {
    const auto above = std::upper_bound(x.begin(), x.end(), t);
    const std::size_t i = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(above - x.begin(), 1, static_cast<std::ptrdiff_t>(x.size()) - 1));
    return y[i - 1] + (y[i] - y[i - 1]) * (t - x[i - 1]) / (x[i] - x[i - 1]);
  }
};

}  // namespace

PhantomBlood feng_blood() {
  const auto parent = [](double seconds) {
    const double t = seconds / 60, scale = 0.25;
    return scale * ((851.1225 * t - 21.8798 - 20.8113) * std::exp(-4.1339 * t) + 21.8798 * std::exp(-0.1191 * t) +
                    20.8113 * std::exp(-0.0104 * t));
  };
  const auto fraction = [](double seconds) { return 0.2 + 0.8 * std::exp(-seconds / 1800); };
  PhantomBlood blood{
      parent, [=](double seconds) { return 0.8 * parent(seconds) / fraction(seconds); }, fraction, {}, {}, 1e6};
  // Densely around the peak, then ever more sparsely, until after the last frame.
  double t = 0;
  for (const auto& [count, step] : {std::pair{60, 2.0}, {24, 5.0}, {12, 30.0}, {10, 60.0}, {15, 300.0}})
    for (int i = 0; i < count; ++i, t += step) blood.sample_times.push_back(t);
  return blood;
}

PhantomBlood sampled_blood(std::vector<double> times, std::vector<double> parent, std::vector<double> whole_blood) {
  check(times.size() >= 2, "the blood needs at least two samples");
  check(parent.size() == times.size(), "the blood has " + std::to_string(times.size()) + " times but " +
                                           std::to_string(parent.size()) + " activities");
  if (whole_blood.empty())
    for (const double v : parent) whole_blood.push_back(0.8 * v);
  check(whole_blood.size() == times.size(), "the blood needs as many samples of whole blood as of plasma");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string sample = "sample " + std::to_string(i + 1) + " of the blood ";
    check(std::isfinite(times[i]) && std::isfinite(parent[i]) && std::isfinite(whole_blood[i]),
          sample + "is not a finite number");
    check(parent[i] >= 0 && whole_blood[i] >= 0, sample + "is negative");
    check(times[i] >= 0 && (i == 0 || times[i] > times[i - 1]), sample + "must come after 0 and after the one before");
  }
  PhantomBlood blood;
  blood.sample_times = times;
  if (times.front() > 0) {
    times.insert(times.begin(), 0.0);
    parent.insert(parent.begin(), 0.0);
    whole_blood.insert(whole_blood.begin(), 0.0);
  }
  blood.kinks = times;
  blood.last_time = times.back();
  blood.fraction = [](double) { return 1.0; };
  blood.parent = Polyline{times, std::move(parent)};
  blood.whole_blood = Polyline{std::move(times), std::move(whole_blood)};
  return blood;
}

std::vector<double> tissue_averages(const RateConstants& rates, const PhantomBlood& blood,
                                    std::span<const double> starts, std::span<const double> durations) {
  for (const double k : {rates.K1, rates.k2, rates.k3, rates.k4, rates.k5, rates.k6})
    check(k >= 0 && std::isfinite(k), "rate constants must be at least 0");
  const double K1 = rates.K1 / 60, k2 = rates.k2 / 60, k3 = rates.k3 / 60, k4 = rates.k4 / 60, k5 = rates.k5 / 60,
               k6 = rates.k6 / 60;
  return averages(blood, starts, durations, [&](const State& x, State& dx, double t) {
    dx[0] = K1 * blood.parent(t) - (k2 + k3 + k5) * x[0] + k4 * x[1] + k6 * x[2];
    dx[1] = k3 * x[0] - k4 * x[1];
    dx[2] = k5 * x[0] - k6 * x[2];
    dx[3] = x[0] + x[1] + x[2];
  });
}

std::vector<double> whole_blood_averages(const PhantomBlood& blood, std::span<const double> starts,
                                         std::span<const double> durations) {
  return averages(blood, starts, durations, [&](const State&, State& dx, double t) {
    dx[0] = dx[1] = dx[2] = 0;
    dx[3] = blood.whole_blood(t);
  });
}

}  // namespace evident::imaging
