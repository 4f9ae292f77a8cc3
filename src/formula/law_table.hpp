// The plain distributions by name: their arguments, and the terms of their densities.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "evident/base/log_math.hpp"
#include "formula/law.hpp"

namespace evident::formula {

/// Short names for the operations, so that a density reads like its formula.
struct Algebra {
  Graph& g;
  Density out{};

  NodeId n(double v) { return g.constant(v); }
  NodeId log(NodeId a) { return g.make(Op::log, a); }
  NodeId log1p(NodeId a) { return g.make(Op::log1p, a); }
  NodeId square(NodeId a) { return g.make(Op::square, a); }
  NodeId lgamma(NodeId a) { return g.make(Op::log_gamma, a); }
  void term(NodeId a) { out.terms.push_back(a); }
  void minus(NodeId a) { out.terms.push_back(g.neg(a)); }
  void need(NodeId condition) { out.conditions.push_back(condition); }
  void need_less(NodeId a, NodeId b) { need(g.make(Op::lt, a, b)); }
  void need_at_most(NodeId a, NodeId b) { need(g.make(Op::le, a, b)); }
  /// Positive, and so that neither its square nor its inverse leaves the range of numbers.
  void need_positive(NodeId a) {
    if (g[a].dimension != 0 && g[a].sign == Sign::positive) return;
    need_less(n(1e-150), a);
    need_less(a, n(1e150));
  }
  void need_not_negative(NodeId a) {
    if (g[a].dimension == 0 || g[a].sign == Sign::any) need_at_most(n(0), a);
    if (g[a].dimension == 0) need_less(a, n(kInf));
  }
  void need_count(NodeId y) {
    need(g.make(Op::eq, y, g.make(Op::floor, y)));
    need_at_most(n(0), y);
  }
  /// y * l, where 0 times anything is 0.
  NodeId times(NodeId y, NodeId l) {
    if (g[y].fixed && g[y].sign == Sign::positive) return g.mul(y, l);
    return g.where(g.make(Op::eq, y, n(0)), n(0), g.mul(y, l));
  }
  NodeId standard(NodeId y, NodeId location, NodeId scale) { return g.div(g.sub(y, location), scale); }
  NodeId log_choose(NodeId of, NodeId k) {
    const NodeId one = n(1);
    return g.sub(lgamma(g.add(of, one)), g.add(lgamma(g.add(k, one)), lgamma(g.add(g.sub(of, k), one))));
  }
};

struct LawFormula {
  std::vector<std::string_view> arguments{};
  void (*terms)(Algebra& a, NodeId y, const std::vector<NodeId>& arguments) = nullptr;
  bool discrete = false;
};

const std::map<std::string_view, LawFormula>& law_table();

/// The density of a law of kind `plain`.
Density plain_density(Graph& g, const Law& law, NodeId y);

}  // namespace evident::formula
