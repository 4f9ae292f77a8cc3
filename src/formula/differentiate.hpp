// The gradient as more nodes of the same graph: reverse mode, done once when the model is built.
//
//   const std::vector<NodeId> slope = differentiate(g, log_likelihood, parameters);
//
// The derivative of a sum over rows with respect to a value per particle is again a sum over rows, so a gradient is run
// by the same fused sweeps as the value, and what value and gradient have in common is computed once.
#pragma once

#include <vector>

#include "formula/graph.hpp"

namespace evident::formula {

/// d output / d parameter j, for j < parameters; `output` has dimension 0.
std::vector<NodeId> differentiate(Graph& g, NodeId output, std::size_t parameters);
/// d output / d leaf, as if the leaves had nothing below them. Those of the last leaves are added to `sums`.
std::vector<NodeId> differentiate(Graph& g, NodeId output, std::span<const NodeId> leaves,
                                  std::span<const NodeId> sums = {});

}  // namespace evident::formula
