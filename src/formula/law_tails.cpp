// Distribution functions, for the censored and truncated forms.
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string_view>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "formula/law_table.hpp"

namespace evident::formula {
namespace {

/// log P(Y <= y) and log P(Y > y)
struct Tails {
  NodeId log_below{}, log_above{};
};

using Arguments = const std::vector<NodeId>&;
using Function = Tails (*)(Algebra& a, NodeId y, Arguments x);

/// From log P(Y > y), where that is the simple one.
Tails from_survival(Algebra& a, NodeId log_above) {
  return {a.log(a.g.neg(a.g.make(Op::expm1, log_above))), log_above};
}

Tails of_share(Algebra& a, NodeId share) { return {a.log(share), a.log1p(a.g.neg(share))}; }

/// 1 where y lies above `lower`; below it nothing is, and what is computed there anyway is computed at `inside`.
Tails above_only(Algebra& a, NodeId y, NodeId lower, NodeId inside, const std::function<Tails(NodeId)>& at) {
  const NodeId within = a.g.make(Op::lt, lower, y);
  const Tails t = at(a.g.where(within, y, inside));
  return {a.g.where(within, t.log_below, a.n(-kInf)), a.g.where(within, t.log_above, a.n(0))};
}

/// The same from the other side.
Tails below_only(Algebra& a, NodeId y, NodeId upper, NodeId inside, const std::function<Tails(NodeId)>& at) {
  const NodeId within = a.g.make(Op::lt, y, upper);
  const Tails t = at(a.g.where(within, y, inside));
  return {a.g.where(within, t.log_below, a.n(0)), a.g.where(within, t.log_above, a.n(-kInf))};
}

Tails positive_only(Algebra& a, NodeId y, const std::function<Tails(NodeId)>& at) {
  return above_only(a, y, a.n(0), a.n(1), at);
}

Tails between(Algebra& a, NodeId y, NodeId lower, NodeId upper, const std::function<Tails(NodeId)>& at) {
  const NodeId inside = a.g.mul(a.n(0.5), a.g.add(lower, upper));
  return above_only(a, y, lower, inside, [&](NodeId v) { return below_only(a, v, upper, inside, at); });
}

Tails normal(Algebra& a, NodeId z) {
  return {a.g.make(Op::log_normal_cdf, z), a.g.make(Op::log_normal_cdf, a.g.neg(z))};
}

/// Of |Z|, Z standard normal: P(|Z| > z) is twice a tail.
Tails half_normal(Algebra& a, NodeId z) {
  const NodeId above = a.g.add(a.n(std::numbers::ln2), a.g.make(Op::log_normal_cdf, a.g.neg(z)));
  return {a.log(a.g.make(Op::erf, a.g.mul(a.n(std::numbers::sqrt2 / 2), z))), above};
}

/// atan(z) / pi + 1/2, by the reciprocal where the difference to 1 would lose its digits.
NodeId cauchy_above(Algebra& a, NodeId z) {
  Graph& g = a.g;
  const NodeId is_far = g.make(Op::lt, a.n(1), z);
  const NodeId far = g.make(Op::atan, g.make(Op::reciprocal, g.where(is_far, z, a.n(1))));
  const NodeId near = g.sub(a.n(std::numbers::pi / 2), g.make(Op::atan, z));
  return a.log(g.mul(a.n(std::numbers::inv_pi), g.where(is_far, far, near)));
}

NodeId laplace_below(Algebra& a, NodeId z) {
  Graph& g = a.g;
  const NodeId tail = g.sub(z, a.n(std::numbers::ln2));
  const NodeId body = a.log1p(g.mul(a.n(-0.5), g.make(Op::exp, g.neg(g.make(Op::max, z, a.n(0))))));
  return g.where(g.make(Op::lt, z, a.n(0)), tail, body);
}

/// Of |T|: a share of a beta distribution. Each side keeps away from where the slope of the other would be infinite.
Tails half_student(Algebra& a, NodeId df, NodeId z) {
  Graph& g = a.g;
  const NodeId half = a.n(0.5), shape = g.mul(half, df);
  const NodeId below = [&] {
    const NodeId square = a.square(g.make(Op::max, z, a.n(1e-100)));
    return g.make(Op::log_beta_below, half, shape, g.div(square, g.add(df, square)));
  }();
  const NodeId square = a.square(g.make(Op::max, z, a.n(1e-3)));
  const NodeId far = g.make(Op::log_beta_below, shape, half, g.div(df, g.add(df, square)));
  const NodeId edge = a.n(-0.05);
  const NodeId near = a.log1p(g.neg(g.make(Op::exp, g.make(Op::min, below, edge))));
  return {below, g.where(g.make(Op::lt, below, edge), near, far)};
}

Tails student(Algebra& a, NodeId df, NodeId z) {
  Graph& g = a.g;
  const Tails both = half_student(a, df, g.make(Op::abs, z));
  const NodeId ln2 = a.n(std::numbers::ln2), small = g.sub(both.log_above, ln2);
  const NodeId large = g.sub(a.log1p(g.make(Op::exp, both.log_below)), ln2);
  const NodeId negative = g.make(Op::lt, z, a.n(0));
  return {g.where(negative, small, large), g.where(negative, large, small)};
}

/// Counts from 0: `at` sees the whole number at or below y.
Tails counts(Algebra& a, NodeId y, const std::function<Tails(NodeId)>& at) {
  const NodeId k = a.g.make(Op::floor, y);
  return above_only(a, k, a.n(-0.5), a.n(0), at);
}

Tails poisson(Algebra& a, NodeId y, NodeId mean) {
  return counts(a, y, [&](NodeId k) {
    const NodeId next = a.g.add(k, a.n(1));
    return Tails{a.g.make(Op::log_gamma_above, next, mean), a.g.make(Op::log_gamma_below, next, mean)};
  });
}

Tails binomial_tails(Algebra& a, NodeId y, NodeId of, NodeId p) {
  return counts(a, y, [&](NodeId some) {
    return below_only(a, some, of, a.n(0), [&](NodeId k) {
      const NodeId next = a.g.add(k, a.n(1)), rest = a.g.sub(of, k);
      return Tails{a.g.make(Op::log_beta_below, rest, next, a.g.sub(a.n(1), p)),
                   a.g.make(Op::log_beta_below, next, rest, p)};
    });
  });
}

Tails gamma(Algebra& a, NodeId shape, NodeId z) {
  return {a.g.make(Op::log_gamma_below, shape, z), a.g.make(Op::log_gamma_above, shape, z)};
}

const std::map<std::string_view, Function>& table() {
  static const std::map<std::string_view, Function> all = {
      {"normal", [](Algebra& a, NodeId y, Arguments x) { return normal(a, a.standard(y, x[0], x[1])); }},
      {"student-t", [](Algebra& a, NodeId y, Arguments x) { return student(a, x[0], a.standard(y, x[1], x[2])); }},
      {"cauchy",
       [](Algebra& a, NodeId y, Arguments x) {
         const NodeId z = a.standard(y, x[0], x[1]);
         return Tails{cauchy_above(a, a.g.neg(z)), cauchy_above(a, z)};
       }},
      {"laplace",
       [](Algebra& a, NodeId y, Arguments x) {
         const NodeId z = a.standard(y, x[0], x[1]);
         return Tails{laplace_below(a, z), laplace_below(a, a.g.neg(z))};
       }},
      {"logistic",
       [](Algebra& a, NodeId y, Arguments x) {
         const NodeId z = a.standard(y, x[0], x[1]);
         return Tails{a.g.neg(a.g.make(Op::log1p_exp, a.g.neg(z))), a.g.neg(a.g.make(Op::log1p_exp, z))};
       }},
      {"lognormal",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) { return normal(a, a.standard(a.log(v), x[0], x[1])); });
       }},
      {"half-normal",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) { return half_normal(a, a.g.div(v, x[0])); });
       }},
      {"half-student-t",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) { return half_student(a, x[0], a.g.div(v, x[1])); });
       }},
      {"half-cauchy",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) {
           const NodeId z = a.g.div(v, x[0]);
           const NodeId share = a.g.mul(a.n(2 * std::numbers::inv_pi), a.g.make(Op::atan, z));
           return Tails{a.log(share), a.g.add(a.n(std::numbers::ln2), cauchy_above(a, z))};
         });
       }},
      {"exponential",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) { return from_survival(a, a.g.neg(a.g.mul(x[0], v))); });
       }},
      {"weibull",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) {
           const NodeId log_z = a.g.sub(a.log(v), a.log(x[1]));
           return from_survival(a, a.g.neg(a.g.make(Op::exp, a.g.mul(x[0], log_z))));
         });
       }},
      {"gamma-rate",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) { return gamma(a, x[0], a.g.mul(x[1], v)); });
       }},
      {"gamma-scale",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) { return gamma(a, x[0], a.g.div(v, x[1])); });
       }},
      {"inverse-gamma",
       [](Algebra& a, NodeId y, Arguments x) {
         return positive_only(a, y, [&](NodeId v) {
           const Tails t = gamma(a, x[0], a.g.div(x[1], v));
           return Tails{t.log_above, t.log_below};
         });
       }},
      {"beta",
       [](Algebra& a, NodeId y, Arguments x) {
         return between(a, y, a.n(0), a.n(1), [&](NodeId v) {
           return Tails{a.g.make(Op::log_beta_below, x[0], x[1], v),
                        a.g.make(Op::log_beta_below, x[1], x[0], a.g.sub(a.n(1), v))};
         });
       }},
      {"uniform",
       [](Algebra& a, NodeId y, Arguments x) {
         return between(a, y, x[0], x[1],
                        [&](NodeId v) { return of_share(a, a.g.div(a.g.sub(v, x[0]), a.g.sub(x[1], x[0]))); });
       }},
      {"log-uniform",
       [](Algebra& a, NodeId y, Arguments x) {
         return between(a, y, x[0], x[1], [&](NodeId v) {
           const NodeId low = a.log(x[0]);
           return of_share(a, a.g.div(a.g.sub(a.log(v), low), a.g.sub(a.log(x[1]), low)));
         });
       }},
      {"poisson", [](Algebra& a, NodeId y, Arguments x) { return poisson(a, y, x[0]); }},
      {"poisson-log", [](Algebra& a, NodeId y, Arguments x) { return poisson(a, y, a.g.make(Op::exp, x[0])); }},
      {"binomial", [](Algebra& a, NodeId y, Arguments x) { return binomial_tails(a, y, x[0], x[1]); }},
      {"binomial-logit",
       [](Algebra& a, NodeId y, Arguments x) { return binomial_tails(a, y, x[0], a.g.make(Op::inv_logit, x[1])); }},
      {"negative-binomial",
       [](Algebra& a, NodeId y, Arguments x) {
         return counts(a, y, [&](NodeId k) {
           const NodeId next = a.g.add(k, a.n(1)), sum = a.g.add(x[0], x[1]);
           return Tails{a.g.make(Op::log_beta_below, x[1], next, a.g.div(x[1], sum)),
                        a.g.make(Op::log_beta_below, next, x[1], a.g.div(x[0], sum))};
         });
       }},
  };
  return all;
}

Tails tails(Graph& g, const Law& law, NodeId y) {
  if (law.kind != Law::plain) throw InputError("only plain distributions can be censored or truncated");
  const auto found = table().find(law.name);
  if (found == table().end()) throw InputError("'" + law.name + "' cannot be censored or truncated");
  Algebra a{g};
  return found->second(a, y, law.arguments);
}

}  // namespace

NodeId log_cdf(Graph& g, const Law& law, NodeId y) { return tails(g, law, y).log_below; }
NodeId log_survival(Graph& g, const Law& law, NodeId y) { return tails(g, law, y).log_above; }

NodeId log_from(Graph& g, const Law& law, NodeId y) {
  if (!is_discrete(law)) return log_survival(g, law, y);
  return log_survival(g, law, before(g, law, y));
}

NodeId before(Graph& g, const Law& law, NodeId y) {
  if (!is_discrete(law)) return y;
  // The largest whole number below y.
  return g.neg(g.add(g.make(Op::floor, g.neg(y)), g.constant(1)));
}

}  // namespace evident::formula
