#include "formula/differentiate.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "evident/base/log_math.hpp"
#include "formula/ode.hpp"

namespace evident::formula {
namespace {

class Reverse {
 public:
  Reverse(Graph& g, NodeId output) : g_(g), adjoint_(g.size(), kNone) { adjoint_[output] = g.constant(1); }

  void begin(NodeId leaf, NodeId sum) { adjoint_[leaf] = sum; }

  std::vector<NodeId> run(std::size_t parameters) {
    std::vector<NodeId> out(parameters, g_.constant(0));
    for (std::size_t at = adjoint_.size(); at-- > 0;) {
      const auto id = static_cast<NodeId>(at);
      end_curves(id);
      if (adjoint_[id] == kNone || g_[id].fixed || g_.is_constant(adjoint_[id], 0)) continue;
      if (g_[id].op == Op::parameter) {
        out[g_[id].which] = adjoint_[id];
        continue;
      }
      spread(id);
    }
    return out;
  }

  std::vector<NodeId> run(std::span<const NodeId> leaves) {
    std::vector<NodeId> out(leaves.size(), g_.constant(0));
    for (std::size_t at = adjoint_.size(); at-- > 0;) {
      const auto id = static_cast<NodeId>(at);
      if (adjoint_[id] == kNone || g_[id].fixed || g_.is_constant(adjoint_[id], 0)) continue;
      if (const auto leaf = std::ranges::find(leaves, id); leaf != leaves.end())
        out[static_cast<std::size_t>(leaf - leaves.begin())] = adjoint_[id];
      else
        spread(id);
    }
    return out;
  }

 private:
  NodeId number(double v) { return g_.constant(v); }

  /// From a node to its arguments.
  void spread(NodeId id) {
    const std::vector<NodeId> x(g_.arguments(id).begin(), g_.arguments(id).end());
    node_ = id;
    if (g_[id].op == Op::curve)
      curve(adjoint_[id]);
    else if (const auto [base, exponent] = g_.power_of(id); base != kNone)
      give_product(base, adjoint_[id], g_.power(base, exponent - 1), exponent);
    else if (x.size() == 1)
      one(x[0], adjoint_[id]);
    else
      several(x, adjoint_[id]);
  }

  /// What a solution passes on to its inputs is found once what all its curves have is known. Nodes between them and
  /// the inputs, which are all older than the curves, do not matter.
  void end_curves(NodeId id) {
    if (curves_.empty() || id > newest_input_) return;
    const std::vector<NodeId> slopes = g_.ode_slopes(std::exchange(curves_, {}));
    for (std::size_t i = 0; i < slopes.size(); ++i) give_rows(g_.ode()->inputs[i], slopes[i]);
  }

  void curve(NodeId adj) {
    const Ode& ode = *g_.ode();
    if (ode.inputs.empty()) return;
    if (curves_.empty()) curves_.resize(ode.states, kNone);
    newest_input_ = std::ranges::max(ode.inputs);
    curves_[g_[node_].which] = adj;
  }

  /// Adds to the adjoint of an argument of the present node.
  void give(NodeId to, NodeId amount) {
    if (g_[to].fixed) return;
    const std::uint32_t dimension = g_[node_].dimension;
    if (g_[to].dimension == 0 && dimension != 0) amount = g_.sum_rows(amount, dimension);
    adjoint_[to] = adjoint_[to] == kNone ? amount : g_.add(adjoint_[to], amount);
  }

  /// A node as a number times another one.
  struct Multiple {
    double number = 1;
    NodeId node = 0;
  };
  Multiple multiple(NodeId id) const {
    if (g_[id].op == Op::neg) {
      const Multiple inner = multiple(g_.arguments(id)[0]);
      return {-inner.number, inner.node};
    }
    if (g_[id].op == Op::mul && g_.is_constant(g_.arguments(id)[0]))
      return {g_[g_.arguments(id)[0]].value, g_.arguments(id)[1]};
    if (g_[id].op == Op::mul && g_.is_constant(g_.arguments(id)[1]))
      return {g_[g_.arguments(id)[1]].value, g_.arguments(id)[0]};
    return {1, id};
  }

  /// The same of number * adj * factor. Numbers are left outside, where they meet and a sum has a sign for nothing.
  void give_product(NodeId to, NodeId adj, NodeId factor, double number = 1) {
    if (g_[to].fixed) return;
    const Multiple m = multiple(adj);
    give(to, g_.mul(this->number(number * m.number), g_.mul(m.node, factor)));
  }

  void one(NodeId x, NodeId adj) {
    const NodeId y = node_;
    switch (g_[y].op) {
      case Op::neg:
        return give(x, g_.neg(adj));
      case Op::exp:
        return give(x, g_.mul(adj, y));
      case Op::log:
        return give(x, g_.mul(adj, g_.make(Op::reciprocal, x)));
      case Op::log1p:
        return give(x, g_.mul(adj, g_.make(Op::reciprocal, g_.add(number(1), x))));
      case Op::expm1:
        return give(x, g_.mul(adj, g_.make(Op::exp, x)));
      case Op::sqrt:
        return give(x, g_.mul(g_.mul(number(0.5), adj), g_.make(Op::reciprocal, y)));
      case Op::abs:
        return give(x, g_.mul(adj, g_.make(Op::sign, x)));
      case Op::square:
        return give_product(x, adj, x, 2);
      case Op::reciprocal:
        return give(x, g_.mul(g_.neg(adj), g_.make(Op::square, y)));
      case Op::sin:
        return give(x, g_.mul(adj, g_.make(Op::cos, x)));
      case Op::cos:
        return give(x, g_.mul(g_.neg(adj), g_.make(Op::sin, x)));
      case Op::tan:
        return give(x, g_.mul(adj, g_.add(number(1), g_.make(Op::square, y))));
      case Op::tanh:
        return give(x, g_.mul(adj, g_.sub(number(1), g_.make(Op::square, y))));
      case Op::atan:
        return give(x, g_.mul(adj, g_.make(Op::reciprocal, g_.add(number(1), g_.make(Op::square, x)))));
      case Op::erf:
        return give(x, g_.mul(g_.mul(number(2 * std::numbers::inv_sqrtpi), adj), bell(x, -1)));
      case Op::erfc:
        return give(x, g_.mul(g_.mul(number(-2 * std::numbers::inv_sqrtpi), adj), bell(x, -1)));
      case Op::log_gamma:
        return give(x, g_.mul(adj, g_.make(Op::digamma, x)));
      case Op::inv_logit:
        return give(x, g_.mul(adj, g_.mul(y, g_.sub(number(1), y))));
      case Op::log1p_exp:
        return give(x, g_.mul(adj, g_.make(Op::inv_logit, x)));
      case Op::log_normal_cdf: {
        const NodeId exponent = g_.sub(g_.mul(number(-0.5), g_.make(Op::square, x)), g_.add(y, number(0.5 * kLog2Pi)));
        return give(x, g_.mul(adj, g_.make(Op::exp, exponent)));
      }
      case Op::sum_rows:
        return give_rows(x, adj);
      case Op::min_rows:
      case Op::max_rows: {  // several rows may have it, those of one category say: they share the slope
        const NodeId hit = g_.make(Op::eq, x, y);
        const NodeId part = g_.div(adj, g_.sum_rows(hit, g_[x].dimension));
        return give_rows(x, g_.where(hit, part, number(0)));
      }
      case Op::gather:
        return give_items({x}, adj);
      default:
        return;  // steps have slope 0 wherever they have one
    }
  }

  /// exp(factor x^2)
  NodeId bell(NodeId x, double factor) { return g_.make(Op::exp, g_.mul(number(factor), g_.make(Op::square, x))); }

  /// To a value per row from a value per particle: every row gets the same.
  void give_rows(NodeId to, NodeId amount) {
    adjoint_[to] = adjoint_[to] == kNone ? amount : g_.add(adjoint_[to], amount);
  }

  void give_items(const std::vector<NodeId>& items, NodeId adj) {
    const std::vector<NodeId> sums = g_.group_sums(adj, g_[node_].which, static_cast<std::uint32_t>(items.size()));
    for (std::size_t k = 0; k < items.size(); ++k)
      if (!g_[items[k]].fixed) give_rows(items[k], sums[k]);
  }

  void several(const std::vector<NodeId>& x, NodeId adj) {
    const NodeId y = node_, zero = number(0);
    switch (g_[y].op) {
      case Op::add:
        give(x[0], adj);
        return give(x[1], adj);
      case Op::sub:
        give(x[0], adj);
        return give(x[1], g_.neg(adj));
      case Op::mul:
        give_product(x[0], adj, x[1]);
        return give_product(x[1], adj, x[0]);
      case Op::div:
        return quotient(x[0], x[1], adj);
      case Op::pow:
        return power(x[0], x[1], adj);
      case Op::min:
      case Op::max: {
        const NodeId first = g_[y].op == Op::min ? g_.make(Op::le, x[0], x[1]) : g_.make(Op::le, x[1], x[0]);
        give(x[0], g_.where(first, adj, zero));
        return give(x[1], g_.where(first, zero, adj));
      }
      case Op::where:
        give(x[1], g_.where(x[0], adj, zero));
        return give(x[2], g_.where(x[0], zero, adj));
      case Op::log_gamma_below:
      case Op::log_gamma_above:
        return gamma_tail(x[0], x[1], adj);
      case Op::log_beta_below:
        return beta_tail(x, adj);
      case Op::log_sum_exp:
        for (const NodeId a : x) give(a, g_.mul(adj, g_.make(Op::exp, g_.sub(a, y))));
        return;
      case Op::gather:
        return give_items(x, adj);
      default:
        return;
    }
  }

  /// The density at x over the share beyond it.
  void gamma_tail(NodeId a, NodeId x, NodeId adj) {
    const bool below = g_[node_].op == Op::log_gamma_below;
    if (!g_[a].fixed) give(a, g_.mul(adj, g_.make(below ? Op::slope_gamma_below : Op::slope_gamma_above, a, x)));
    if (g_[x].fixed) return;
    const NodeId log_density =
        g_.sub(g_.sub(g_.mul(g_.sub(a, number(1)), g_.make(Op::log, x)), x), g_.make(Op::log_gamma, a));
    const NodeId ratio = g_.make(Op::exp, g_.sub(log_density, node_));
    give(x, g_.mul(adj, below ? ratio : g_.neg(ratio)));
  }

  void beta_tail(const std::vector<NodeId>& x, NodeId adj) {
    const NodeId y = node_;
    if (!g_[x[0]].fixed) give(x[0], g_.mul(adj, g_.make(Op::slope_beta_below_a, x)));
    if (!g_[x[1]].fixed) give(x[1], g_.mul(adj, g_.make(Op::slope_beta_below_b, x)));
    if (g_[x[2]].fixed) return;
    const NodeId log_beta = g_.sub(g_.add(g_.make(Op::log_gamma, x[0]), g_.make(Op::log_gamma, x[1])),
                                   g_.make(Op::log_gamma, g_.add(x[0], x[1])));
    const NodeId powers = g_.add(g_.mul(g_.sub(x[0], number(1)), g_.make(Op::log, x[2])),
                                 g_.mul(g_.sub(x[1], number(1)), g_.make(Op::log1p, g_.neg(x[2]))));
    give(x[2], g_.mul(adj, g_.make(Op::exp, g_.sub(g_.sub(powers, log_beta), y))));
  }

  /// One division for all. What is no row has its quotient from it, too: in rates nobody else may want it.
  void quotient(NodeId a, NodeId b, NodeId adj) {
    const NodeId over = g_.make(Op::reciprocal, b);
    give_product(a, adj, over);
    const Multiple m = multiple(adj);
    give_product(b, g_.mul(m.node, over), g_[node_].dimension == 0 ? g_.mul(a, over) : node_, -m.number);
  }

  void power(NodeId a, NodeId b, NodeId adj) {
    if (!g_[a].fixed) {
      const NodeId less = g_.is_constant(b) ? g_.power(a, g_[b].value - 1) : g_.make(Op::pow, a, g_.sub(b, number(1)));
      give(a, g_.mul(adj, g_.mul(b, less)));
    }
    if (!g_[b].fixed) {  // 0^b is flat in b > 0
      const NodeId slope = g_.mul(node_, g_.make(Op::log, a));
      give(b, g_.mul(adj, g_.where(g_.make(Op::eq, a, number(0)), number(0), slope)));
    }
  }

  Graph& g_;
  std::vector<NodeId> adjoint_;
  NodeId node_ = 0, newest_input_ = 0;
  std::vector<NodeId> curves_;  ///< the adjoints of a solution's curves
};

}  // namespace

std::vector<NodeId> differentiate(Graph& g, NodeId output, std::size_t parameters) {
  return Reverse(g, output).run(parameters);
}

std::vector<NodeId> differentiate(Graph& g, NodeId output, std::span<const NodeId> leaves,
                                  std::span<const NodeId> sums) {
  Reverse reverse(g, output);
  for (std::size_t i = 0; i < sums.size(); ++i) reverse.begin(leaves[leaves.size() - sums.size() + i], sums[i]);
  return reverse.run(leaves);
}

}  // namespace evident::formula
