// Means of distributions, as nodes.
#include <cmath>
#include <numbers>

#include "evident/base/log_math.hpp"
#include "formula/law_draw.hpp"
#include "formula/law_table.hpp"

namespace evident::formula {
namespace {

/// exp(a - b) for the density of a standard normal over a share: phi(z) / exp(log_share).
NodeId bell_over(Algebra& a, NodeId z, NodeId log_share) {
  const NodeId log_bell = a.g.sub(a.g.mul(a.n(-0.5), a.square(z)), a.n(0.5 * kLog2Pi));
  return a.g.make(Op::exp, a.g.sub(log_bell, log_share));
}

/// mean + sd (phi(l) - phi(u)) / (Phi(u) - Phi(l))
NodeId truncated_normal_mean(Graph& g, const Law& law) {
  Algebra a{g};
  const Law& inner = law.parts[0];
  const NodeId mean = inner.arguments[0], sd = inner.arguments[1];
  const NodeId low = law.lower == kNone ? a.n(-kInf) : a.standard(law.lower, mean, sd);
  const NodeId high = law.upper == kNone ? a.n(kInf) : a.standard(law.upper, mean, sd);
  // log of the mass, from the side where the numbers are small.
  const auto cdf = [&](NodeId z) { return g.make(Op::log_normal_cdf, z); };
  const auto difference = [&](NodeId more, NodeId less) {
    return g.add(more, a.log(g.neg(g.make(Op::expm1, g.sub(less, more)))));
  };
  NodeId mass{};
  if (law.lower == kNone) {
    mass = cdf(high);
  } else if (law.upper == kNone) {
    mass = cdf(g.neg(low));
  } else {
    mass = g.where(g.make(Op::lt, a.n(0), low), difference(cdf(g.neg(low)), cdf(g.neg(high))),
                   difference(cdf(high), cdf(low)));
  }
  NodeId shift = a.n(0);
  if (law.lower != kNone) shift = bell_over(a, low, mass);
  if (law.upper != kNone) shift = g.sub(shift, bell_over(a, high, mass));
  return g.add(mean, g.mul(sd, shift));
}

/// E max(l, min(u, Y)) = l Phi(a) + u (1 - Phi(b)) + mean (Phi(b) - Phi(a)) + sd (phi(a) - phi(b))
NodeId censored_normal_mean(Graph& g, const Law& law) {
  Algebra a{g};
  const Law& inner = law.parts[0];
  const NodeId mean = inner.arguments[0], sd = inner.arguments[1], zero = a.n(0);
  const auto below = [&](NodeId z) { return g.make(Op::exp, g.make(Op::log_normal_cdf, z)); };
  NodeId out = mean;
  if (law.lower != kNone) {  // + (l - mean) Phi(a) + sd phi(a)
    const NodeId z = a.standard(law.lower, mean, sd);
    out = g.add(out, g.add(g.mul(g.sub(law.lower, mean), below(z)), g.mul(sd, bell_over(a, z, zero))));
  }
  if (law.upper != kNone) {  // - (mean - u) (1 - Phi(b)) - sd phi(b)
    const NodeId z = a.standard(law.upper, mean, sd);
    out = g.sub(out, g.add(g.mul(g.sub(mean, law.upper), below(g.neg(z))), g.mul(sd, bell_over(a, z, zero))));
  }
  return out;
}

NodeId plain_mean(Graph& g, const Law& law) {
  Algebra a{g};
  const std::vector<NodeId>& x = law.arguments;
  const std::string& name = law.name;
  const auto exp = [&](NodeId id) { return g.make(Op::exp, id); };
  const auto if_more = [&](NodeId value, double than, NodeId mean) {
    return g.where(g.make(Op::lt, a.n(than), value), mean, a.n(kNaN));
  };
  if (name == "normal" || name == "laplace" || name == "logistic" || name == "bernoulli" || name == "poisson" ||
      name == "negative-binomial")
    return x[0];
  if (name == "student-t") return if_more(x[0], 1, x[1]);
  if (name == "half-normal") return g.mul(a.n(std::sqrt(2 * std::numbers::inv_pi)), x[0]);
  if (name == "half-student-t") {  // 2 scale sqrt(df / pi) Gamma((df + 1) / 2) / (Gamma(df / 2) (df - 1))
    const NodeId half = g.mul(a.n(0.5), x[0]);
    const NodeId ratio = exp(g.sub(a.lgamma(g.add(half, a.n(0.5))), a.lgamma(half)));
    const NodeId root = g.make(Op::sqrt, g.mul(a.n(std::numbers::inv_pi), x[0]));
    return if_more(x[0], 1, g.div(g.mul(g.mul(a.n(2), x[1]), g.mul(root, ratio)), g.sub(x[0], a.n(1))));
  }
  if (name == "lognormal") return exp(g.add(x[0], g.mul(a.n(0.5), a.square(x[1]))));
  if (name == "exponential") return g.make(Op::reciprocal, x[0]);
  if (name == "weibull") return g.mul(x[1], exp(a.lgamma(g.add(a.n(1), g.make(Op::reciprocal, x[0])))));
  if (name == "gamma-rate") return g.div(x[0], x[1]);
  if (name == "gamma-scale") return g.mul(x[0], x[1]);
  if (name == "inverse-gamma") return if_more(x[0], 1, g.div(x[1], g.sub(x[0], a.n(1))));
  if (name == "beta") return g.div(x[0], g.add(x[0], x[1]));
  if (name == "uniform") return g.mul(a.n(0.5), g.add(x[0], x[1]));
  if (name == "log-uniform") return g.div(g.sub(x[1], x[0]), g.sub(a.log(x[1]), a.log(x[0])));
  if (name == "bernoulli-logit") return g.make(Op::inv_logit, x[0]);
  if (name == "binomial") return g.mul(x[0], x[1]);
  if (name == "binomial-logit") return g.mul(x[0], g.make(Op::inv_logit, x[1]));
  if (name == "poisson-log") return exp(x[0]);
  return a.n(kNaN);  // cauchy and half-cauchy have none
}

}  // namespace

NodeId law_mean(Graph& g, const Law& law) {
  const bool of_normal = !law.parts.empty() && law.parts[0].kind == Law::plain && law.parts[0].name == "normal";
  if (law.kind == Law::plain) return plain_mean(g, law);
  if (law.kind == Law::truncated && of_normal) return truncated_normal_mean(g, law);
  if (law.kind == Law::censored && of_normal) return censored_normal_mean(g, law);
  if (law.kind != Law::mixture) return g.constant(kNaN);
  NodeId sum = g.constant(0);
  for (std::size_t k = 0; k < law.parts.size(); ++k)
    sum = g.add(sum, g.mul(law.arguments[k], law_mean(g, law.parts[k])));
  return sum;
}

}  // namespace evident::formula
