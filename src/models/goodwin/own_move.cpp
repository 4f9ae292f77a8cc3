// The Goodwin model's own move: jumps in the two numbers that shape the curve, a0 and b, with the sizes of the observed
// states drawn anew, and between them changes that the likelihood does not see. See docs/goodwin.md.
//
// In logarithms the parameters are a linear image of (a0, b, c_1 .. c_m), x_i = c_i u_i(a0 t; b), a1 = c_1 a0,
// k_i = c_{i+1} a0 / c_i, a2 = (b / c_m)^rho. A jump
//   1. adds a symmetric step to log a0 and log b, or draws both afresh from a map of the data and a wide distribution;
//   2. solves the curve there once, which gives the exact normal conditional of each observed c_i under
//   likelihood^alpha;
//   3. draws those log c_i from a simple distribution close to that, which has a tail towards c_i = 0 as well;
//   4. lets the unobserved c_i follow by a linear rule that leaves all but one of the neutral parameters alone.
// Steps 1 and 4 are shifts, which the opposite shift undoes; so the Metropolis-Hastings ratio is that of the densities
// of log theta times that of the densities from which the c_i (and a0 and b) are drawn, here and there.
#include <algorithm>
#include <cmath>

#include "models/goodwin/goodwin.hpp"
#include "models/goodwin/jumps.hpp"
#include "models/goodwin/lazy_map.hpp"

namespace evident {
namespace {

using namespace goodwin;

constexpr std::size_t kNeutral = 4;  ///< neutral changes after each jump; they cost no likelihood evaluation

/// The moves of one block.
class Mover {
 public:
  Mover(const Goodwin& model, const CurveMap& map, double alpha, const MoveState& state)
      : model_(model),
        alpha_(alpha),
        state_(state),
        jumps_(model.problem().plan(), map, alpha),
        proposal_(state.theta.rows(), size()),
        sums_(2 * model.problem().plan().columns, size()),
        ll_(size()),
        lp_(size()),
        here_(size()),
        there_(size()),
        ratio_(size()) {
    goodwin_sums(model.problem(), state.theta, ll_, sums_);
    for (std::size_t i = 0; i < size(); ++i) here_[i] = jumps_.density_here(sums_, i);
  }

  const Jumps& jumps() const { return jumps_; }

  void jump(const Numbers& numbers) {
    for (std::size_t i = 0; i < size(); ++i)
      jumps_.apply(jumps_.jump(numbers, {}, state_.theta, i), state_.theta, proposal_, i);
    goodwin_sums(model_.problem(), proposal_, ll_, sums_);
    for (std::size_t i = 0; i < size(); ++i) {
      States c{};
      there_[i] = jumps_.stretch(sums_, numbers, i, c, ll_[i]);
      const Change change = jumps_.jump(numbers, c, state_.theta, i);
      const double jacobian = jumps_.apply(change, state_.theta, proposal_, i);
      ratio_[i] = jacobian + change.log_ratio + alpha_ * (ll_[i] - state_.log_likelihood[i]) + here_[i] - there_[i];
    }
    decide(numbers);
  }

  void neutral(const Numbers& numbers) {
    for (std::size_t i = 0; i < size(); ++i) {
      ratio_[i] = jumps_.apply(jumps_.neutral(numbers, i), state_.theta, proposal_, i);
      ll_[i] = state_.log_likelihood[i];
      there_[i] = here_[i];
    }
    decide(numbers);
  }

 private:
  std::size_t size() const { return state_.theta.size(); }

  void decide(const Numbers& numbers) {
    model_.log_prior(proposal_, lp_);
    for (std::size_t i = 0; i < size(); ++i) {
      const double ratio = ratio_[i] + lp_[i] - state_.log_prior[i];
      // NaN is rejected; so is an infinite ratio, which an impossible particle would give.
      if (!(std::log(Jumps::verdict(numbers, i)) < ratio) || !std::isfinite(ratio)) continue;
      for (std::size_t j = 0; j < state_.theta.rows(); ++j) state_.theta(j, i) = proposal_(j, i);
      state_.log_prior[i] = lp_[i];
      state_.log_likelihood[i] = ll_[i];
      here_[i] = there_[i];
    }
  }

  const Goodwin& model_;
  double alpha_;
  const MoveState& state_;
  Jumps jumps_;
  BlockStorage proposal_, sums_;
  AlignedVector<double> ll_, lp_, here_, there_, ratio_;  ///< here_, there_: densities of the observed c_i
};

}  // namespace

std::size_t Goodwin::own_move(double alpha, const MoveState& state, const MoveRandom& random) const {
  // Once a step: each call solves the curves of all particles before it can propose. At alpha = 0 the data say nothing
  // about the sizes of the states.
  if (own_tries_ == 0 || random.pass > 0 || !(alpha > 0)) return 0;
  Mover mover(*this, map_->of(*this), alpha, state);
  const std::size_t size = state.theta.size(), each = mover.jumps().uniforms();
  const std::size_t neutral = mover.jumps().has_neutral() ? kNeutral : 0, proposals = own_tries_ * (1 + neutral);
  BlockStorage uniform(proposals * each, size), normal(proposals * 2, size);
  DrawIdentity id{random.step, random.first_particle, Purpose::model_move, 0};
  random.streams.fill_uniform(id, uniform);
  id.pass = 1;
  random.streams.fill_normal(id, normal);
  for (std::size_t p = 0; p < proposals; ++p) {
    const Numbers numbers{uniform, normal, p * each, p * 2};
    p % (1 + neutral) == 0 ? mover.jump(numbers) : mover.neutral(numbers);
  }
  return (own_tries_ + 1) * size;
}

}  // namespace evident
