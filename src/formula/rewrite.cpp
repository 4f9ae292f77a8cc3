#include "formula/rewrite.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace evident::formula {
namespace {

bool is(const Graph& g, NodeId a, Op op) { return g[a].op == op; }
bool varies_by_row(const Graph& g, NodeId a) { return g[a].dimension != 0 && !g[a].fixed; }

NodeId rewrite_add(Graph& g, NodeId a, NodeId b) {
  if (g.is_constant(a, 0)) return b;
  if (g.is_constant(b, 0)) return a;
  if (is(g, b, Op::neg)) return g.sub(a, g.arguments(b)[0]);
  if (is(g, a, Op::neg)) return g.sub(b, g.arguments(a)[0]);
  return kNone;
}

NodeId rewrite_sub(Graph& g, NodeId a, NodeId b) {
  if (g.is_constant(b, 0)) return a;
  if (g.is_constant(a, 0)) return g.neg(b);
  if (is(g, b, Op::neg)) return g.add(a, g.arguments(b)[0]);
  return kNone;
}

/// How often a factor changes: once for all, once per particle, or with data, or with both.
int rank(const Graph& g, NodeId a) { return g.is_constant(a) ? 0 : g[a].dimension == 0 ? 1 : g[a].fixed ? 2 : 3; }

/// b * (p * q), where b and p change less often than q: (b * p) * q. The order of ranks makes this end.
NodeId pull_together(Graph& g, NodeId product, NodeId b) {
  if (!is(g, product, Op::mul) || rank(g, b) == 3) return kNone;
  const NodeId p = g.arguments(product)[0], q = g.arguments(product)[1];
  for (const auto& [low, high] : {std::pair(p, q), std::pair(q, p)}) {
    const int l = rank(g, low), h = rank(g, high), other = rank(g, b);
    const bool together = l < h && other < h && (l == other || (l < 2 && other < 2));
    if (together) return g.mul(g.mul(low, b), high);
  }
  return kNone;
}

/// The factor that is one number per particle, of a product with rows; else nothing.
NodeId scalar_factor(const Graph& g, NodeId product) {
  if (!is(g, product, Op::mul) || !varies_by_row(g, product)) return kNone;
  const NodeId p = g.arguments(product)[0], q = g.arguments(product)[1];
  return g[p].dimension == 0 ? p : g[q].dimension == 0 ? q : kNone;
}

/// s (p u + q v) with rows u and v: (s p) u + (s q) v, one operation per row less.
NodeId spread_over_sum(Graph& g, NodeId s, NodeId sum) {
  if (g[s].dimension != 0 || !is(g, sum, Op::add)) return kNone;
  const NodeId left = g.arguments(sum)[0], right = g.arguments(sum)[1];
  const NodeId p = scalar_factor(g, left), q = scalar_factor(g, right);
  if (p == kNone || q == kNone) return kNone;
  const auto rest = [&](NodeId product, NodeId factor) {
    const NodeId first = g.arguments(product)[0];
    return first == factor ? g.arguments(product)[1] : first;
  };
  const NodeId u = rest(left, p), v = rest(right, q);
  return g.add(g.mul(g.mul(s, p), u), g.mul(g.mul(s, q), v));
}

NodeId rewrite_mul(Graph& g, NodeId a, NodeId b) {
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (g.is_constant(x, 1)) return y;
    if (g.is_constant(x, -1)) return g.neg(y);
    if (is(g, y, Op::neg)) {  // the sign goes to the factor that costs less to change
      const NodeId inner = g.arguments(y)[0];
      if (is(g, x, Op::neg)) return g.mul(g.arguments(x)[0], inner);
      if (g.is_constant(x) || (varies_by_row(g, inner) && !varies_by_row(g, x))) return g.mul(g.neg(x), inner);
    }
    if (const NodeId better = pull_together(g, y, x); better != kNone) return better;
    if (const NodeId better = spread_over_sum(g, x, y); better != kNone) return better;
  }
  return a == b ? g.make(Op::square, a) : kNone;
}

bool is_power(const Graph& g, NodeId a) { return is(g, a, Op::pow) && g[g.arguments(a)[0]].sign != Sign::any; }

/// Its base may be 0, and then it is: 0^n, n > 0.
bool may_vanish(const Graph& g, NodeId a) { return is(g, a, Op::pow) && g[g.arguments(a)[0]].sign != Sign::positive; }
bool can_be_in_logs(const Graph& g, NodeId a) {
  if (!is_power(g, a)) return g[a].sign == Sign::positive;
  return !may_vanish(g, a) || g[g.arguments(a)[1]].sign == Sign::positive;
}

/// log(x) of x^n; log(1) where x is 0.
NodeId log_of_base(Graph& g, NodeId a) {
  const NodeId base = g.arguments(a)[0];
  if (!may_vanish(g, a)) return g.make(Op::log, base);
  return g.make(Op::log, g.where(g.make(Op::eq, base, g.constant(0)), g.constant(1), base));
}
NodeId log_of(Graph& g, NodeId a) {
  return is_power(g, a) ? g.mul(g.arguments(a)[1], log_of_base(g, a)) : g.make(Op::log, a);
}

/// a / (a + b) with powers, as in Hill's formula: by logarithms, which stay in the range of numbers where D^n does not.
NodeId share_of_powers(Graph& g, NodeId a, NodeId sum) {
  if (!is(g, sum, Op::add) || !is_power(g, a)) return kNone;
  const NodeId p = g.arguments(sum)[0], q = g.arguments(sum)[1];
  if (p != a && q != a) return kNone;
  const NodeId b = p == a ? q : p;
  if (!can_be_in_logs(g, a) || !can_be_in_logs(g, b)) return kNone;
  const bool together = is_power(g, b) && g.arguments(a)[1] == g.arguments(b)[1];
  NodeId out = g.make(Op::inv_logit, together ? g.mul(g.arguments(a)[1], g.sub(log_of_base(g, a), log_of_base(g, b)))
                                              : g.sub(log_of(g, a), log_of(g, b)));
  const auto where_base_is_0 = [&](NodeId power, double value) {
    if (may_vanish(g, power))
      out = g.where(g.make(Op::eq, g.arguments(power)[0], g.constant(0)), g.constant(value), out);
  };
  where_base_is_0(b, 1);
  where_base_is_0(a, 0);
  return out;
}

/// (t a) / (a + b), too.
NodeId multiple_of_share(Graph& g, NodeId product, NodeId sum) {
  if (const NodeId share = share_of_powers(g, product, sum); share != kNone) return share;
  if (!is(g, product, Op::mul)) return kNone;
  const NodeId p = g.arguments(product)[0], q = g.arguments(product)[1];
  for (const auto& [a, factor] : {std::pair(p, q), std::pair(q, p)})
    if (const NodeId share = share_of_powers(g, a, sum); share != kNone) return g.mul(factor, share);
  return kNone;
}

NodeId rewrite_div(Graph& g, NodeId a, NodeId b) {
  if (const NodeId share = multiple_of_share(g, a, b); share != kNone) return share;
  if (g.is_constant(a, 1)) return g.make(Op::reciprocal, b);
  if (g.is_constant(b) && std::abs(g[b].value) > 1e-300 && std::abs(g[b].value) < 1e300)
    return g.mul(a, g.constant(1 / g[b].value));
  if (varies_by_row(g, a) && !varies_by_row(g, b)) return g.mul(a, g.make(Op::reciprocal, b));
  return kNone;
}

NodeId rewrite_one(Graph& g, Op op, NodeId a) {
  const NodeId inner = g[a].count > 0 ? g.arguments(a)[0] : kNone;
  if (op == Op::neg && is(g, a, Op::neg)) return inner;
  if (op == Op::neg && is(g, a, Op::sub)) return g.sub(g.arguments(a)[1], inner);
  if (op == Op::log && is(g, a, Op::exp)) return inner;
  if ((op == Op::square || op == Op::abs) && (is(g, a, Op::neg) || is(g, a, Op::abs))) return g.make(op, inner);
  if (op == Op::abs && g[a].sign != Sign::any) return a;
  if (op == Op::sqrt && is(g, a, Op::square)) return g.make(Op::abs, inner);
  if (op == Op::log_sum_exp) return a;
  return kNone;
}

NodeId rewrite_logic(Graph& g, Op op, NodeId a, NodeId b) {
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (!g.is_constant(x)) continue;
    const bool truth = g[x].value != 0;
    if (g[y].dimension == 0 && op == Op::logical_and && !truth) return g.constant(0);
    if (g[y].dimension == 0 && op == Op::logical_or && truth) return g.constant(1);
    if (truth != (op == Op::logical_and)) continue;
    if (is(g, y, Op::lt) || is(g, y, Op::le) || is(g, y, Op::eq) || is(g, y, Op::ne) || is(g, y, Op::logical_and))
      return y;  // it is 0 or 1 already
  }
  return kNone;
}

}  // namespace

NodeId rewrite(Graph& g, Op op, std::span<const NodeId> arguments) {
  if (arguments.size() == 1) return rewrite_one(g, op, arguments[0]);
  if (op == Op::where) {
    // A value per row stays one, also when only its other branch has rows.
    std::uint32_t dimension = 0;
    for (const NodeId a : arguments) dimension = std::max(dimension, g[a].dimension);
    const bool known = g.is_constant(arguments[0]) || arguments[1] == arguments[2];
    const NodeId chosen = known && g.is_constant(arguments[0], 0) ? arguments[2] : arguments[1];
    return known && g[chosen].dimension == dimension ? chosen : kNone;
  }
  if (arguments.size() != 2) return kNone;
  const NodeId a = arguments[0], b = arguments[1];
  switch (op) {
    case Op::add:
      return rewrite_add(g, a, b);
    case Op::sub:
      return rewrite_sub(g, a, b);
    case Op::mul:
      return rewrite_mul(g, a, b);
    case Op::div:
      return rewrite_div(g, a, b);
    case Op::pow:
      if (g.is_constant(b)) return g.power(a, g[b].value);
      if (g.is_constant(a) && g[a].value > 0) return g.make(Op::exp, g.mul(b, g.constant(std::log(g[a].value))));
      return kNone;
    case Op::logical_and:
    case Op::logical_or:
      return rewrite_logic(g, op, a, b);
    default:
      return kNone;
  }
}

}  // namespace evident::formula
