// Formulas as a graph: every value is a node, equal nodes are one node, and what needs no parameter is a number
// already.
//
//   Graph g;
//   const NodeId t = g.data(g.add_table(100), times);
//   const NodeId k = g.parameter(0);
//   const NodeId y = g.make(Op::exp, g.mul(g.make(Op::neg, k), t));     // one value per particle and row
//   const NodeId s = g.sum_rows(y, 1);                                  // one value per particle
//
// How the pieces fit together (internals of kind "formula"):
//
//   parse.hpp          text -> steps in postfix order
//   build.hpp          steps + names -> nodes; law.hpp turns y ~ normal(m, s) into nodes, too
//   graph.hpp          folding, sharing and a few rewritings as nodes are made
//   differentiate.hpp  nodes of the gradient, made from the nodes of the value: reverse mode, done once, symbolically
//   compile.hpp        nodes -> a program: stages of per-particle steps and sweeps over data rows
//   run.hpp            the program on a block of particles: lanes are particles, a tile of rows stays in cache
//
// A node has a dimension: 0 is one value per particle, d > 0 one per particle and row of table d. Vectors (theta[8])
// are no nodes: they are lists of nodes. Nodes are numbered so that arguments come first, so no pass over the graph is
// recursive. A fixed node (no parameter in it) is a `constant` or, with a dimension, a `data` column.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formula/operations.hpp"

namespace evident::formula {

using NodeId = std::uint32_t;
inline constexpr NodeId kNone = 0xffffffffu;

enum class Op : std::uint8_t {
  constant,
  data,
  parameter,
  EVIDENT_FORMULA_ARITHMETIC(EVIDENT_FORMULA_ENTRY)
  // from vectors and over rows
  gather,  ///< element index[row] of its arguments
  sum_rows,
  min_rows,
  max_rows,
  group_sum,  ///< sums over the rows of each group; read by `pick`
  pick,       ///< entry `which` of a group_sum or an ode_slope
  // differential equations, see ode.hpp; the arguments of curve and solved are what the solution depends on
  state,      ///< in rates only: a state while it moves, or the time
  curve,      ///< the solution, one value per row
  solved,     ///< 1 where there is a solution, else 0
  ode_slope,  ///< slopes in the inputs; read by `pick`
};

/// The value of an operation on numbers; for folding, and nowhere else.
double value_of(Op op, std::span<const double> arguments);

/// What is known of a value's sign.
enum class Sign : std::uint8_t { any, nonnegative, positive };

struct Node {
  Op op{};
  Sign sign = Sign::any;
  bool fixed = false;
  std::uint32_t dimension = 0;
  std::uint32_t first = 0, count = 0;  ///< its arguments, in Graph::arguments
  std::uint32_t which = 0;             ///< parameter, column, index column or entry
  double value = 0;                    ///< of a constant
};

struct Ode;

/// Limits that keep a hostile study from eating the machine.
inline constexpr std::size_t kMaxNodes = 1'000'000;
inline constexpr std::size_t kMaxNumbers = 100'000'000;  ///< in columns of data, folded ones included

class Graph {
 public:
  /// Dimension of a table with that many rows.
  std::uint32_t add_table(std::size_t rows);
  std::size_t rows(std::uint32_t dimension) const { return rows_[dimension]; }

  NodeId constant(double value);
  NodeId data(std::uint32_t dimension, std::vector<double> values);
  NodeId parameter(std::uint32_t row, Sign sign = Sign::any);
  /// From here on parameters are these numbers, so that every value is folded: the formulas at one place.
  void fix_parameters(std::vector<double> values) { fixed_parameters_ = std::move(values); }
  /// A column of places 0 .. count-1 to gather from.
  std::uint32_t add_index(std::uint32_t dimension, std::vector<std::uint32_t> places);

  NodeId make(Op op, NodeId a) { return make(op, std::span(&a, 1)); }
  NodeId make(Op op, NodeId a, NodeId b);
  NodeId make(Op op, NodeId a, NodeId b, NodeId c);
  NodeId make(Op op, std::span<const NodeId> arguments);
  NodeId add(NodeId a, NodeId b) { return make(Op::add, a, b); }
  NodeId sub(NodeId a, NodeId b) { return make(Op::sub, a, b); }
  NodeId mul(NodeId a, NodeId b) { return make(Op::mul, a, b); }
  NodeId div(NodeId a, NodeId b) { return make(Op::div, a, b); }
  NodeId neg(NodeId a) { return make(Op::neg, a); }
  NodeId where(NodeId c, NodeId a, NodeId b) { return make(Op::where, c, a, b); }
  NodeId power(NodeId a, double exponent);
  struct Power {
    NodeId base = kNone;
    double exponent = 0;
  };
  /// What was raised to a whole number above 2, which is made by products; else nothing.
  Power power_of(NodeId id) const;

  NodeId gather(std::span<const NodeId> items, std::uint32_t index);
  /// The sum over the rows of a dimension; factors that do not vary come out of it.
  NodeId sum_rows(NodeId a, std::uint32_t dimension);
  NodeId extreme_rows(Op op, NodeId a);  ///< min_rows or max_rows
  NodeId state(std::uint32_t which);
  /// Curve `which` of the differential equation.
  NodeId curve(std::uint32_t which);
  NodeId solved();
  /// Slopes in the inputs of the differential equation, one each, of a value whose slope in a row of curve k is
  /// gains[k]; kNone where the value has nothing of that curve.
  std::vector<NodeId> ode_slopes(std::span<const NodeId> gains);
  void set_ode(std::shared_ptr<const Ode> ode) { ode_ = std::move(ode); }
  const Ode* ode() const { return ode_.get(); }
  /// One sum per group, `groups` of them.
  std::vector<NodeId> group_sums(NodeId a, std::uint32_t index, std::uint32_t groups);

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }
  std::span<const NodeId> arguments(NodeId id) const {
    return {arguments_.data() + nodes_[id].first, nodes_[id].count};
  }
  bool is_constant(NodeId id) const { return nodes_[id].op == Op::constant; }
  bool is_constant(NodeId id, double value) const { return is_constant(id) && nodes_[id].value == value; }
  const std::vector<double>& column(std::uint32_t which) const { return *columns_[which]; }
  std::shared_ptr<const std::vector<double>> shared_column(std::uint32_t which) const { return columns_[which]; }
  const std::vector<std::uint32_t>& index(std::uint32_t which) const { return *indices_[which]; }
  std::shared_ptr<const std::vector<std::uint32_t>> shared_index(std::uint32_t which) const { return indices_[which]; }
  std::uint32_t index_dimension(std::uint32_t which) const { return index_dimensions_[which]; }
  /// Entry `row` of a fixed node.
  double fixed_value(NodeId id, std::size_t row) const;

 private:
  NodeId folded(Op op, std::span<const NodeId> arguments, std::uint32_t dimension);
  NodeId share(Node node, std::span<const NodeId> arguments);
  NodeId group_sum(NodeId a, std::uint32_t index, std::uint32_t groups);
  std::vector<NodeId> picks(NodeId all, std::size_t count);
  NodeId add_column(std::uint32_t dimension, std::vector<double> values);
  Sign sign_of(Op op, std::span<const NodeId> arguments) const;
  std::uint32_t joint_dimension(std::span<const NodeId> arguments) const;

  std::vector<Node> nodes_;
  std::vector<NodeId> arguments_;
  std::vector<std::size_t> rows_ = {1};
  std::vector<std::shared_ptr<const std::vector<double>>> columns_;
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> indices_;
  std::vector<std::uint32_t> index_dimensions_;
  std::shared_ptr<const Ode> ode_;
  std::size_t numbers_ = 0;
  std::vector<double> fixed_parameters_;
  std::unordered_map<NodeId, Power> powers_;
  std::unordered_map<std::string, NodeId> known_;  ///< the bytes of an operation -> its node
};

}  // namespace evident::formula
