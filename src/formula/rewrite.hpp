// Small rewritings as a node is made: neutral elements, and products in the order that moves work out of the rows.
#pragma once

#include <span>

#include "formula/graph.hpp"

namespace evident::formula {

/// A node that has the same value with less work, or kNone.
NodeId rewrite(Graph& g, Op op, std::span<const NodeId> arguments);

}  // namespace evident::formula
