// A system of differential equations in the graph.
//
//   add_ode(text, lets, builder);         // afterwards the name of a state is a column: its value at the row's time
//
// Rates are nodes made from leaves Op::state: 0 .. states-1 are the states, `states` is the time. What a rate has that
// does not move with them is computed once per particle; those values and the start values, as far as parameters are in
// them, are the `inputs`: the arguments of every Op::curve.
//
// A gradient goes back through the steps of the solution (ode_backward-inl.hpp): what the likelihood gains by each
// value of a curve is passed from the last step to the first. That takes the slopes of sum_k gain_k rate_k in states
// and inputs, more nodes made by differentiate(), with leaves `states + 1 + k` for gain_k. Slopes in inputs are added
// to a sum over all that was before, leaf `2 states + 1 + i`.
#pragma once

#include <cstdint>
#include <vector>

#include "evident/formula/model.hpp"
#include "formula/graph.hpp"

namespace evident::formula {

class Builder;

struct Ode {
  std::uint32_t states = 0;
  std::uint32_t dimension = 0;  ///< of the table with the times
  std::uint32_t index = 0;      ///< index column: which of `times` a row has
  std::vector<double> times{};  ///< in order, each once
  double from = 0, tolerance = 1e-6, absolute = 1e-12;
  std::size_t max_steps = 10'000;
  std::vector<NodeId> start{}, rate{};  ///< of the states
  std::vector<NodeId> inputs{};
  std::vector<NodeId> state_gain{};  ///< slopes of sum_k gain_k rate_k, one a state
  std::vector<NodeId> input_gain{};  ///< the same for inputs, added to their sums; kNone for one that stays as it is

  std::uint32_t time_leaf() const { return states; }
  std::uint32_t gain_leaf(std::uint32_t k) const { return states + 1 + k; }
  std::uint32_t sum_leaf(std::uint32_t i) const { return 2 * states + 1 + i; }
};

/// Throws FormulaError. `let`: all of [model.let]; those that mention states or the time can be used in rates.
void add_ode(const OdeText& text, const std::vector<Definition>& let, Builder& builder);

/// Which of [model.let] mention a state, directly or by another one: they can be formed only after add_ode.
std::vector<bool> after_ode(const OdeText& text, const std::vector<Definition>& let);

}  // namespace evident::formula
