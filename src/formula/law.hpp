// Distributions in formulas: what y ~ normal(mean, sd) becomes in the graph.
//
//   const Law law = ...;                              // normal(mean, sigma), mixture(w, d1, d2), censored(d, upper=10)
//   const Density d = log_density(g, law, y);
//   const NodeId total = total_over_rows(g, d, dimension);
//
// A density is kept as a list of terms and of conditions: its logarithm is the sum of the terms where every condition
// holds, and -inf elsewhere. Terms are summed over rows one by one, so that those which do not change from row to row,
// or only by a factor, cost nothing per row.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formula/graph.hpp"

namespace evident::formula {

/// A distribution with its arguments.
struct Law {
  enum Kind : std::uint8_t { plain, mixture, censored, truncated, categorical, categorical_logit, dirichlet, ordered };
  Kind kind = plain;
  std::string name{};               ///< of a plain one, "half-normal"; gammas are "gamma-rate" and "gamma-scale"
  std::vector<NodeId> arguments{};  ///< of a plain one; elsewhere the weights, probabilities or concentrations
  std::vector<Law> parts{};         ///< components, or the one that is censored, truncated or ordered
  NodeId lower = kNone, upper = kNone;
  /// Arguments of a plain one that are vectors, one list per argument; empty where it is a single value.
  std::vector<std::vector<NodeId>> vectors{};
};

/// Argument names of a plain distribution, empty when there is none of that name.
std::vector<std::string_view> law_arguments(std::string_view name);
/// Names of all distributions that a likelihood can have, for messages.
std::vector<std::string_view> law_names();
/// Does it give whole numbers?
bool is_discrete(const Law& law);
/// How many entries its vector arguments have; 0 when it has none.
std::size_t vector_size(const Law& law);
/// The law of entry k, where arguments are vectors.
Law entry(const Law& law, std::size_t k);

struct Density {
  std::vector<NodeId> terms{}, conditions{};
};

/// Throws InputError when the arguments do not fit.
Density log_density(Graph& g, const Law& law, NodeId y);
/// For categorical laws: y is given by its places 0, 1, ... in an index column.
Density log_mass_of_category(Graph& g, const Law& law, std::uint32_t index);

/// log of P(Y <= y) and P(Y > y) of a plain law. Throws InputError for those without a form that formulas have.
NodeId log_cdf(Graph& g, const Law& law, NodeId y);
NodeId log_survival(Graph& g, const Law& law, NodeId y);
/// log of P(Y >= y).
NodeId log_from(Graph& g, const Law& law, NodeId y);
/// Where P(Y <= .) is P(Y < y): y itself, or for counts the largest whole number below it.
NodeId before(Graph& g, const Law& law, NodeId y);

/// One node for the whole: where(conditions, sum of the terms, -inf), row by row.
NodeId as_node(Graph& g, const Density& density);

}  // namespace evident::formula
