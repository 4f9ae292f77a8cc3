// Which steps a sweep over rows takes: one per node, but for patterns that one kernel does in one go.
#pragma once

#include <span>
#include <vector>

#include "formula/graph.hpp"
#include "formula/program.hpp"

namespace evident::formula {

struct SelectedStep {
  NodeId node{};
  Code code{};
  std::vector<NodeId> operands{};
};

struct SelectedFold {
  NodeId node{};
  Fold fold{};
  std::vector<NodeId> operands{};
};

struct Selection {
  std::vector<SelectedStep> steps{};  ///< in an order in which they can be done
  std::vector<SelectedFold> folds{};
};

/// Everything that these reductions, all over one dimension, need from rows. Those after them are stored row by row.
Selection select(const Graph& g, const std::vector<NodeId>& reductions, std::span<const NodeId> stored = {});

}  // namespace evident::formula
