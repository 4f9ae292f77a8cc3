// The plain twin of solver.cpp: one particle, one number at a time, the same operations in the same order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "evident/base/log_math.hpp"
#include "models/goodwin/plan.hpp"

namespace evident {
namespace {

using namespace goodwin;

double power(const Feedback& f, double v) {
  if (f.power == Power::real) return std::exp(f.rho * std::log(v));
  double result = 1, square = v;
  for (unsigned n = f.integer_rho; n != 0; n >>= 1) {
    if (n & 1U) result *= square;
    square *= square;
  }
  return result;
}

double feedback(const Feedback& f, double v) { return 1 / (1 + power(f, std::min(std::max(v, f.low), f.high))); }

struct Exponentials {
  double down, up;  ///< exp(-x), exp(x)
};

/// Even and odd Taylor parts up to x^13; below 1e-12 relative for |x| <= 0.75.
Exponentials exponentials(double x) {
  const double y = x * x;
  double c = 1.0 / 479001600, s = 1.0 / 6227020800;
  for (const double k : {1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 1.0 / 2, 1.0}) c = y * c + k;
  for (const double k : {1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1.0}) s = y * s + k;
  return {c - x * s, c + x * s};
}

/// About x^(-1/16), from the bits; good to one part in a hundred, and the same everywhere.
double inverse_root16(double x) {
  constexpr std::uint64_t one = std::bit_cast<std::uint64_t>(1.0);
  return std::bit_cast<double>(one + (one >> 4) - (std::bit_cast<std::uint64_t>(x) >> 4));
}

class Trajectory {
 public:
  Trajectory(const GoodwinProblem::Plan& plan, const Start& start) : plan_(plan), p_(start), h_(start.step) {}

  /// One attempted step towards a time that is `left` ahead; returns how much is left after it.
  double step(double left) {
    const double h = h_ >= left ? left : h_ + h_ > left ? 0.5 * left : h_;
    collocate(h);
    const double error = end(h);
    double change = 0.9 * inverse_root16(std::min(std::max(error, 1e-20), 1e20));
    if (!(error == error)) change = 0.25;
    change = std::min(std::max(change, 0.25), 4.0);
    steps_ += 1;
    if (!(error <= 1)) {
      h_ = h * std::min(change, 0.8);
      return left;
    }
    std::copy_n(next_.begin(), plan_.m, v_.begin());
    g_ = feedback(plan_.feedback, v_[plan_.m - 1]);
    // A step cut short by an observation says little about how long the next may be.
    const double kept = h < h_ ? h_ * std::min(change, 1.0) : 0.0;
    h_ = std::min(std::max(kept, h * change), kMaxStep);
    return left - h;
  }

  double steps() const { return steps_; }
  bool over() const { return steps_ >= plan_.max_steps; }
  bool at_rest() const { return plan_.at_rest(p_, g_, v_.data(), 1); }
  const double* v() const { return v_.data(); }

 private:
  /// The driving term at the nodes, q_j = exp(s_j) feedback, with s measured from the middle of the step.
  void collocate(double h) {
    const Collocation& t = plan_.table;
    const std::size_t m = plan_.m;
    for (std::size_t k = 0; k < 3; ++k) {
      const Exponentials e = exponentials(0.5 * h * p_.decay * t.ratio[k]);
      e_[k] = e.down;
      e_[kNodes - 1 - k] = e.up;
    }
    power_[0] = 1;
    for (std::size_t k = 1; k <= m; ++k) power_[k] = power_[k - 1] * h * (1.0 / static_cast<double>(k));
    volume_ = p_.b;
    for (std::size_t k = 0; k < m; ++k) volume_ *= h;
    q_[0] = e_[0] * g_;
    const double last = v_[m - 1];
    const double slope =
        plan_.feedback.rho * g_ * (1 - g_) * ((v_[m - 2] - p_.decay * last) / std::max(last, plan_.feedback.low));
    const double a0 = volume_ * q_[0], a1 = volume_ * h * (e_[0] * (p_.decay * g_ - slope));
    Row base{};
    for (std::size_t j = 1; j < kNodes; ++j) {
      double sum = v_[0] * power_[m - 1];
      for (std::size_t k = m - 1; k-- > 0;) sum = sum * t.node[j] + v_[m - 1 - k] * power_[k];
      base[j] = sum * e_[0];
      at_[j] = (base[j] + t.start_value[j] * a0 + t.start_slope[j] * a1) * e_[kNodes - 1 - j];
    }
    for (std::size_t sweep = 0;; ++sweep) {
      for (std::size_t j = 1; j < kNodes; ++j) q_[j] = e_[j] * feedback(plan_.feedback, at_[j]);
      if (sweep + 1 == plan_.sweeps) return;
      for (std::size_t j = 1; j < kNodes; ++j) {
        double sum = t.inner[0][j] * q_[0];
        for (std::size_t l = 1; l < kNodes; ++l) sum = t.inner[l][j] * q_[l] + sum;
        at_[j] = (volume_ * sum + base[j]) * e_[kNodes - 1 - j];
      }
    }
  }

  /// The states after the step, and the error in units of the tolerance.
  double end(double h) {
    const Collocation& t = plan_.table;
    const std::size_t m = plan_.m;
    double bh = p_.b;
    for (std::size_t i = 0; i < m; ++i) {
      bh *= h;
      double drive = t.end[i][0] * q_[0];
      for (std::size_t l = 1; l < kNodes; ++l) drive = t.end[i][l] * q_[l] + drive;
      double sum = v_[i];
      for (std::size_t k = 1; k <= i; ++k) sum = power_[k] * v_[i - k] + sum;
      next_[i] = (bh * drive + e_[0] * sum) * e_[0];
    }
    double top = t.top[0] * q_[0], below = t.below_top[0] * q_[0], largest = q_[0];
    for (std::size_t l = 1; l < kNodes; ++l) {
      top = t.top[l] * q_[l] + top;
      below = t.below_top[l] * q_[l] + below;
      largest = std::max(largest, q_[l]);
    }
    // Legendre coefficients fall geometrically, so the first one lost by the rule, the twelfth, is about top^2. The one
    // below guards against a top that is small by chance; a step at the tolerance has a ratio of about 0.2.
    const double size = std::max(std::abs(top), kRatio * std::abs(below));
    const double lost = size * (size / largest);
    const double moved = std::abs(next_[m - 1] - at_[kNodes - 1]) / std::max(next_[m - 1], 0.5 * p_.floor);
    const double rate = std::max(p_.b * h / (p_.floor + next_[0]), p_.b * power_[m] / (p_.floor + next_[m - 1]));
    return (plan_.sweep_weight * moved + lost) * (rate * (1 / kTolerance));
  }

  const GoodwinProblem::Plan& plan_;
  const Start& p_;
  std::array<double, kMaxM> v_{}, next_{};
  std::array<double, kMaxM + 1> power_{};  ///< h^k / k!
  Row e_{1, 1, 1, 1, 1, 1, 1}, q_{}, at_{};
  double g_ = 1, h_, volume_ = 0, steps_ = 0;
};

/// The sum of squared differences to the data; infinite when there were too many steps.
double squares(const GoodwinProblem::Plan& plan, const Start& start, Trajectory& trajectory) {
  double sum = 0;
  for (std::size_t j = 0; j < plan.times.size(); ++j) {
    double left = start.rate * plan.gap[j];
    while (left > 0) {
      left = trajectory.step(left);
      if (trajectory.over()) return kInf;
      if (left > 0 && trajectory.at_rest()) return sum + plan.squares_at_rest(j, start, trajectory.v(), 1);
    }
    sum += plan.squares(j, start, trajectory.v(), 1);
    if (trajectory.at_rest()) return sum + plan.squares_at_rest(j + 1, start, trajectory.v(), 1);
  }
  return sum;
}

/// Writes the observed states of all times into `out`; false when there were too many steps.
bool follow(const GoodwinProblem::Plan& plan, const Start& start, Trajectory& trajectory, std::span<double> out) {
  const std::size_t n = plan.times.size();
  bool rests = false;
  for (std::size_t j = 0; j < n; ++j) {
    for (double left = start.rate * plan.gap[j]; left > 0 && !rests; rests = left > 0 && trajectory.at_rest()) {
      left = trajectory.step(left);
      if (trajectory.over()) return false;
    }
    for (std::size_t c = 0; c < plan.columns; ++c)
      out[c * n + j] = start.scale[plan.states[c]] * trajectory.v()[plan.states[c]];
    rests = rests || trajectory.at_rest();
  }
  return true;
}

}  // namespace

void goodwin_states(const GoodwinProblem& problem, std::span<const double> theta, std::span<double> out) {
  const GoodwinProblem::Plan& plan = problem.plan();
  const Start start = plan.start(theta);
  bool solved = start.valid;
  if (solved) {
    Trajectory trajectory(plan, start);
    solved = follow(plan, start, trajectory, out);
  }
  if (!solved) std::ranges::fill(out, kNaN);
}

double goodwin_log_likelihood_scalar(const GoodwinProblem& problem, std::span<const double> theta, double* steps) {
  const GoodwinProblem::Plan& plan = problem.plan();
  const Start start = plan.start(theta);
  if (!start.valid) return -kInf;
  Trajectory trajectory(plan, start);
  const double sum = squares(plan, start, trajectory);
  if (steps != nullptr) *steps += trajectory.steps();
  return plan.log_likelihood(sum);
}

}  // namespace evident
