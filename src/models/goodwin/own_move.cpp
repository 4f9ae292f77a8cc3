// The Goodwin model's own move: a jump in the two numbers that shape the curve, a0 and b, with the sizes of the
// observed states drawn anew. See Goodwin::own_move and docs/goodwin.md.
//
// In logarithms the parameters are a linear image of (a0, b, c_1 .. c_m), x_i = c_i u_i(a0 t; b), a1 = c_1 a0,
// k_i = c_{i+1} a0 / c_i, a2 = (b / c_m)^rho. A proposal
//   1. adds a symmetric step to log a0 and log b;
//   2. solves the curve there once, which gives the exact normal conditional of each observed c_i under
//   likelihood^alpha;
//   3. draws those log c_i from a logistic distribution with about the same centre and spread;
//   4. lets the unobserved c_i follow by a linear rule that leaves all but one of the neutral parameters alone.
// Steps 1 and 4 are shifts, which are undone by the opposite shift; so the Metropolis-Hastings ratio is that of the
// densities of log theta times that of the logistic densities of the observed c_i, there and here.
#include <algorithm>
#include <array>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "evident/models/goodwin/goodwin.hpp"
#include "models/goodwin/plan.hpp"

namespace evident {
namespace {

using goodwin::kMaxM;
using States = std::array<double, kMaxM>;

/// Steps of log a0 and log b have a standard deviation between these, uniform in the logarithm.
constexpr double kSmallest = 1e-3, kLargest = 3;

/// What is proposed for one particle.
struct Jump {
  double a0 = 0, b = 0;  ///< changes of the logarithms
  std::size_t cut = 0;   ///< k_{cut+1} absorbs the change, a2 when there is none
};

/// Approximate distribution of log f under likelihood^alpha when the trajectory of a state is stretched by f.
struct Logistic {
  double centre = 0, spread = 1;

  /// `square` and `product` are the sums of x^2 and x y, `precision` is alpha / sigma^2.
  Logistic(double square, double product, double precision) {
    const double sd = 1 / std::sqrt(precision * square), mean = std::max(product / square, 0.5 * sd);
    centre = std::log(mean);
    spread = 0.55 * sd / mean;  // the standard deviation of a logistic variable is 1.81 times its spread
  }
  double quantile(double u) const { return centre + spread * std::log(u / (1 - u)); }
  double log_density(double x) const {
    const double e = std::exp(-std::abs(x - centre) / spread);
    return std::log(e / (spread * (1 + e) * (1 + e)));
  }
};

/// Everything about the block that a jump needs.
class Jumps {
 public:
  Jumps(const GoodwinProblem& problem, double alpha)
      : problem_(problem), plan_(problem.plan()), precision_(2 * alpha * plan_.inverse_two_variance) {
    for (const std::size_t i : plan_.states) observed_[i] = true, last_ = std::max(last_, i);
  }

  std::size_t uniforms() const { return 5 + plan_.m; }  ///< a jump takes this many, and two normals

  Jump draw(const BlockStorage& uniform, std::size_t row, const BlockStorage& normal, std::size_t normal_row,
            std::size_t i) const {
    const auto size = [](double u) { return kSmallest * std::exp(u * std::log(kLargest / kSmallest)); };
    const double which = uniform(row, i);
    Jump jump;
    if (which < 0.75) jump.a0 = size(uniform(row + 1, i)) * normal(normal_row, i);
    if (which > 0.25) jump.b = size(uniform(row + 2, i)) * normal(normal_row + 1, i);
    const std::size_t choices = plan_.m - last_;
    const auto choice = static_cast<std::size_t>(uniform(row + 3, i) * static_cast<double>(choices));
    jump.cut = last_ + std::min(choice, choices - 1);
    return jump;
  }

  /// Moves column i of `from` to `to`; the observed log c_i change by `c`. Returns the sum of the changes of log theta.
  double shift(const Jump& jump, const States& c, ConstBlock from, Block to, std::size_t i) const {
    const std::size_t m = plan_.m;
    States change{};  // of log c_1 .. log c_m
    for (std::size_t k = 0; k <= jump.cut; ++k) change[k] = observed_[k] ? c[k] : (k ? change[k - 1] : 0) - jump.a0;
    for (std::size_t k = m; k-- > jump.cut + 1;) change[k] = k + 1 == m ? jump.b : change[k + 1] + jump.a0;
    double sum = 0;
    const auto set = [&](std::size_t row, double by) {
      to(row, i) = from(row, i) * std::exp(by);
      sum += by;
    };
    set(0, jump.a0);
    set(1, change[0] + jump.a0);
    set(2, plan_.feedback.rho * (jump.b - change[m - 1]));
    for (std::size_t k = 1; k < m; ++k) set(2 + k, change[k] - change[k - 1] + jump.a0);
    return sum;
  }

  /// Draws the factors of the observed states of column i from `sums`; writes their logarithms to `c`, adds the change
  /// of the log likelihood to `log_likelihood`, and returns the log density of the draw.
  double stretch(BlockStorage& sums, std::size_t i, const BlockStorage& uniform, std::size_t row, States& c,
                 double& log_likelihood) const {
    double density = 0;
    for (std::size_t k = 0; k <= last_; ++k) {
      if (!observed_[k]) continue;
      const auto [square, product] = totals(sums, i, k);
      const Logistic logistic(square, product, precision_);
      c[k] = logistic.quantile(uniform(row + 5 + k, i));
      density += logistic.log_density(c[k]);
      const double f = std::exp(c[k]);
      log_likelihood -= plan_.inverse_two_variance * (f - 1) * ((f + 1) * square - 2 * product);
    }
    return density;
  }

  /// The log density of drawing the states as they are.
  double density_here(const BlockStorage& sums, std::size_t i) const {
    double density = 0;
    for (std::size_t k = 0; k <= last_; ++k) {
      if (!observed_[k]) continue;
      const auto [square, product] = totals(sums, i, k);
      density += Logistic(square, product, precision_).log_density(0);
    }
    return density;
  }

 private:
  struct Totals {
    double square = 0, product = 0;
  };
  Totals totals(const BlockStorage& sums, std::size_t i, std::size_t state) const {
    Totals t;
    for (std::size_t c = 0; c < plan_.columns; ++c)
      if (plan_.states[c] == state) t.square += sums(2 * c, i), t.product += sums(2 * c + 1, i);
    return t;
  }

  const GoodwinProblem& problem_;
  const GoodwinProblem::Plan& plan_;
  double precision_;
  std::array<bool, kMaxM> observed_{};
  std::size_t last_ = 0;
};

}  // namespace

std::size_t Goodwin::own_move(double alpha, const MoveState& state, const MoveRandom& random) const {
  if (own_tries_ == 0 || !(alpha > 0)) return 0;  // the prior alone says nothing about the c_i
  const std::size_t size = state.theta.size(), rows = state.theta.rows();
  const Jumps jumps(problem_, alpha);
  DrawIdentity id{random.step, random.first_particle, Purpose::model_move, 2 * random.pass};
  BlockStorage uniform(own_tries_ * jumps.uniforms(), size), normal(2 * own_tries_, size);
  random.streams.fill_uniform(id, uniform);
  ++id.pass;
  random.streams.fill_normal(id, normal);

  BlockStorage proposal(rows, size), sums(2 * problem_.plan().columns, size);
  AlignedVector<double> ll(size), lp(size), here(size), ratio(size);
  goodwin_sums(problem_, state.theta, ll, sums);
  for (std::size_t i = 0; i < size; ++i) here[i] = jumps.density_here(sums, i);
  for (std::size_t t = 0; t < own_tries_; ++t) {
    const std::size_t row = t * jumps.uniforms();
    for (std::size_t i = 0; i < size; ++i)
      jumps.shift(jumps.draw(uniform, row, normal, 2 * t, i), {}, state.theta, proposal, i);
    goodwin_sums(problem_, proposal, ll, sums);
    AlignedVector<double> there(size);
    for (std::size_t i = 0; i < size; ++i) {
      States c{};
      there[i] = jumps.stretch(sums, i, uniform, row, c, ll[i]);
      ratio[i] =
          here[i] - there[i] + jumps.shift(jumps.draw(uniform, row, normal, 2 * t, i), c, state.theta, proposal, i);
    }
    log_prior(proposal, lp);
    for (std::size_t i = 0; i < size; ++i) {
      ratio[i] += lp[i] - state.log_prior[i] + alpha * (ll[i] - state.log_likelihood[i]);
      if (!(std::log(uniform(row + 4, i)) < ratio[i]) || !std::isfinite(there[i])) continue;  // NaN is rejected
      for (std::size_t j = 0; j < rows; ++j) state.theta(j, i) = proposal(j, i);
      state.log_prior[i] = lp[i];
      state.log_likelihood[i] = ll[i];
      here[i] = there[i];
    }
  }
  return (own_tries_ + 1) * size;
}

}  // namespace evident
