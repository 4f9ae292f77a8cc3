#include "kernel/own_move.hpp"

#include "evident/model/model.hpp"

namespace evident {

void apply_own_move(const TemperedTarget& target, const Context& context, const MoveNumber& number, const Particles& p,
                    Scratch& scratch) {
  const Model& model = target.model();
  if (!model.has_own_move()) return;
  for (std::size_t i = 0; i < p.size; ++i) p.log_prior[i] -= p.log_jacobian[i];
  const MoveState state{p.theta, {p.log_prior, p.size}, {p.log_likelihood, p.size}};
  const MoveRandom random{context.streams, number.step, static_cast<std::uint32_t>(p.first), number.pass};
  target.count(model.own_move(target.alpha(), state, random));
  // The model moved theta; z and the Jacobian follow. theta itself stays as it is: the way there and back would round
  // it.
  model.parameters().unconstrain(p.theta, p.z);
  model.parameters().constrain(p.z, scratch.theta.block().columns(0, p.size), {p.log_jacobian, p.size});
  for (std::size_t i = 0; i < p.size; ++i) p.log_prior[i] += p.log_jacobian[i];
}

}  // namespace evident
