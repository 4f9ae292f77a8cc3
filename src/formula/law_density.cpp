// Log densities of the plain distributions, as terms and conditions.
#include <cmath>
#include <map>
#include <numbers>

#include "dist/special.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "formula/law.hpp"
#include "formula/law_table.hpp"

namespace evident::formula {
namespace {

using Arguments = const std::vector<NodeId>&;
using Table = std::map<std::string_view, LawFormula>;

void normal(Algebra& a, NodeId y, NodeId mean, NodeId sd) {
  a.need_positive(sd);
  const NodeId factor = a.g.mul(a.n(-0.5), a.square(a.g.make(Op::reciprocal, sd)));
  a.term(a.g.mul(factor, a.square(a.g.sub(y, mean))));
  a.minus(a.log(sd));
  a.term(a.n(-0.5 * kLog2Pi));
}

void student(Algebra& a, NodeId y, NodeId df, NodeId location, NodeId scale) {
  Graph& g = a.g;
  a.need_positive(df);
  a.need_positive(scale);
  const NodeId less = g.mul(a.n(0.5), df), more = g.mul(a.n(0.5), g.add(df, a.n(1)));
  const NodeId spread = g.make(Op::reciprocal, g.mul(df, a.square(scale)));
  a.minus(g.mul(more, a.log1p(g.mul(spread, a.square(g.sub(y, location))))));
  if (g.is_constant(df)) {
    a.term(a.n(-dist::log_beta(0.5 * g[df].value, 0.5) - 0.5 * std::log(g[df].value)));
  } else {
    a.term(g.sub(a.lgamma(more), a.lgamma(less)));
    a.minus(g.mul(a.n(0.5), a.log(g.mul(a.n(std::numbers::pi), df))));
  }
  a.minus(a.log(scale));
}

void cauchy(Algebra& a, NodeId y, NodeId location, NodeId scale) {
  a.need_positive(scale);
  const NodeId spread = a.square(a.g.make(Op::reciprocal, scale));
  a.minus(a.log1p(a.g.mul(spread, a.square(a.g.sub(y, location)))));
  a.minus(a.log(scale));
  a.term(a.n(-std::log(std::numbers::pi)));
}

void half(Algebra& a, NodeId y) {
  a.need_at_most(a.n(0), y);
  a.term(a.n(std::numbers::ln2));
}

void gamma(Algebra& a, NodeId y, NodeId shape, NodeId log_rate, NodeId rate) {
  a.need_positive(shape);
  a.need_less(a.n(0), y);
  a.term(a.g.mul(shape, log_rate));
  a.minus(a.lgamma(shape));
  a.term(a.g.mul(a.g.sub(shape, a.n(1)), a.log(y)));
  a.minus(a.g.mul(rate, y));
}

void probability(Algebra& a, NodeId p) {
  a.need_at_most(a.n(0), p);
  a.need_at_most(p, a.n(1));
}

void binomial(Algebra& a, NodeId y, NodeId of, NodeId p) {
  probability(a, p);
  a.need_count(y);
  a.need_at_most(y, of);
  a.term(a.times(y, a.log(p)));
  a.term(a.times(a.g.sub(of, y), a.log1p(a.g.neg(p))));
}

void real_line(Table& to) {
  to["normal"] = {{"mean", "sd"}, [](Algebra& a, NodeId y, Arguments x) { normal(a, y, x[0], x[1]); }};
  to["student-t"] = {{"df", "location", "scale"},
                     [](Algebra& a, NodeId y, Arguments x) { student(a, y, x[0], x[1], x[2]); }};
  to["cauchy"] = {{"location", "scale"}, [](Algebra& a, NodeId y, Arguments x) { cauchy(a, y, x[0], x[1]); }};
  to["laplace"] = {{"location", "scale"}, [](Algebra& a, NodeId y, Arguments x) {
                     a.need_positive(x[1]);
                     a.minus(a.g.mul(a.g.make(Op::reciprocal, x[1]), a.g.make(Op::abs, a.g.sub(y, x[0]))));
                     a.minus(a.log(a.g.mul(a.n(2), x[1])));
                   }};
  to["logistic"] = {{"location", "scale"}, [](Algebra& a, NodeId y, Arguments x) {
                      a.need_positive(x[1]);
                      const NodeId z = a.standard(y, x[0], x[1]);
                      a.minus(z);
                      a.term(a.g.mul(a.n(-2), a.g.make(Op::log1p_exp, a.g.neg(z))));
                      a.minus(a.log(x[1]));
                    }};
}

void half_line(Table& to) {
  to["half-normal"] = {{"scale"}, [](Algebra& a, NodeId y, Arguments x) {
                         half(a, y);
                         normal(a, y, a.n(0), x[0]);
                       }};
  to["half-student-t"] = {{"df", "scale"}, [](Algebra& a, NodeId y, Arguments x) {
                            half(a, y);
                            student(a, y, x[0], a.n(0), x[1]);
                          }};
  to["half-cauchy"] = {{"scale"}, [](Algebra& a, NodeId y, Arguments x) {
                         half(a, y);
                         cauchy(a, y, a.n(0), x[0]);
                       }};
  to["lognormal"] = {{"meanlog", "sdlog"}, [](Algebra& a, NodeId y, Arguments x) {
                       a.need_less(a.n(0), y);
                       normal(a, a.log(y), x[0], x[1]);
                       a.minus(a.log(y));
                     }};
  to["exponential"] = {{"rate"}, [](Algebra& a, NodeId y, Arguments x) {
                         a.need_positive(x[0]);
                         a.need_at_most(a.n(0), y);
                         a.term(a.log(x[0]));
                         a.minus(a.g.mul(x[0], y));
                       }};
  to["weibull"] = {{"shape", "scale"}, [](Algebra& a, NodeId y, Arguments x) {
                     a.need_positive(x[0]);
                     a.need_positive(x[1]);
                     a.need_less(a.n(0), y);
                     const NodeId log_z = a.g.sub(a.log(y), a.log(x[1]));
                     a.term(a.log(x[0]));
                     a.minus(a.log(y));
                     a.term(a.g.mul(x[0], log_z));
                     a.minus(a.g.make(Op::exp, a.g.mul(x[0], log_z)));
                   }};
  to["gamma-rate"] = {{"shape", "rate"}, [](Algebra& a, NodeId y, Arguments x) {
                        a.need_positive(x[1]);
                        gamma(a, y, x[0], a.log(x[1]), x[1]);
                      }};
  to["gamma-scale"] = {{"shape", "scale"}, [](Algebra& a, NodeId y, Arguments x) {
                         a.need_positive(x[1]);
                         gamma(a, y, x[0], a.g.neg(a.log(x[1])), a.g.make(Op::reciprocal, x[1]));
                       }};
  to["inverse-gamma"] = {{"shape", "scale"}, [](Algebra& a, NodeId y, Arguments x) {
                           a.need_positive(x[0]);
                           a.need_positive(x[1]);
                           a.need_less(a.n(0), y);
                           a.term(a.g.mul(x[0], a.log(x[1])));
                           a.minus(a.lgamma(x[0]));
                           a.minus(a.g.mul(a.g.add(x[0], a.n(1)), a.log(y)));
                           a.minus(a.g.mul(x[1], a.g.make(Op::reciprocal, y)));
                         }};
}

void interval(Table& to) {
  to["uniform"] = {{"lower", "upper"}, [](Algebra& a, NodeId y, Arguments x) {
                     a.need_less(x[0], x[1]);
                     a.need_at_most(x[0], y);
                     a.need_at_most(y, x[1]);
                     a.minus(a.log(a.g.sub(x[1], x[0])));
                   }};
  to["log-uniform"] = {{"lower", "upper"}, [](Algebra& a, NodeId y, Arguments x) {
                         a.need_less(a.n(0), x[0]);
                         a.need_less(x[0], x[1]);
                         a.need_at_most(x[0], y);
                         a.need_at_most(y, x[1]);
                         a.minus(a.log(y));
                         a.minus(a.log(a.g.sub(a.log(x[1]), a.log(x[0]))));
                       }};
  to["beta"] = {{"a", "b"}, [](Algebra& a, NodeId y, Arguments x) {
                  a.need_positive(x[0]);
                  a.need_positive(x[1]);
                  a.need_less(a.n(0), y);
                  a.need_less(y, a.n(1));
                  a.term(a.g.mul(a.g.sub(x[0], a.n(1)), a.log(y)));
                  a.term(a.g.mul(a.g.sub(x[1], a.n(1)), a.log1p(a.g.neg(y))));
                  a.term(a.g.sub(a.lgamma(a.g.add(x[0], x[1])), a.g.add(a.lgamma(x[0]), a.lgamma(x[1]))));
                }};
}

void whole_numbers(Table& to) {
  to["bernoulli"] = {{"p"}, [](Algebra& a, NodeId y, Arguments x) { binomial(a, y, a.n(1), x[0]); }, true};
  to["bernoulli-logit"] = {{"logit_p"},
                           [](Algebra& a, NodeId y, Arguments x) {
                             a.need_count(y);
                             a.need_at_most(y, a.n(1));
                             a.term(a.g.mul(y, x[0]));
                             a.minus(a.g.make(Op::log1p_exp, x[0]));
                           },
                           true};
  to["binomial"] = {{"n", "p"},
                    [](Algebra& a, NodeId y, Arguments x) {
                      a.need_count(x[0]);
                      a.term(a.log_choose(x[0], y));
                      binomial(a, y, x[0], x[1]);
                    },
                    true};
  to["binomial-logit"] = {{"n", "logit_p"},
                          [](Algebra& a, NodeId y, Arguments x) {
                            a.need_count(x[0]);
                            a.need_count(y);
                            a.need_at_most(y, x[0]);
                            a.term(a.log_choose(x[0], y));
                            a.term(a.g.mul(y, x[1]));
                            a.minus(a.g.mul(x[0], a.g.make(Op::log1p_exp, x[1])));
                          },
                          true};
  to["poisson"] = {{"mean"},
                   [](Algebra& a, NodeId y, Arguments x) {
                     a.need_not_negative(x[0]);
                     a.need_count(y);
                     a.term(a.times(y, a.log(x[0])));
                     a.minus(x[0]);
                     a.minus(a.lgamma(a.g.add(y, a.n(1))));
                   },
                   true};
  to["poisson-log"] = {{"log_mean"},
                       [](Algebra& a, NodeId y, Arguments x) {
                         a.need_count(y);
                         a.term(a.g.mul(y, x[0]));
                         a.minus(a.g.make(Op::exp, x[0]));
                         a.minus(a.lgamma(a.g.add(y, a.n(1))));
                       },
                       true};
  to["negative-binomial"] = {{"mean", "size"},
                             [](Algebra& a, NodeId y, Arguments x) {
                               Graph& g = a.g;
                               a.need_not_negative(x[0]);
                               a.need_positive(x[1]);
                               a.need_count(y);
                               a.term(a.lgamma(g.add(y, x[1])));
                               a.minus(a.lgamma(x[1]));
                               a.minus(a.lgamma(g.add(y, a.n(1))));
                               a.minus(g.mul(x[1], a.log1p(g.div(x[0], x[1]))));
                               a.term(a.times(y, g.sub(a.log(x[0]), a.log(g.add(x[1], x[0])))));
                             },
                             true};
}

}  // namespace

const std::map<std::string_view, LawFormula>& law_table() {
  static const std::map<std::string_view, LawFormula> table = [] {
    std::map<std::string_view, LawFormula> out;
    real_line(out);
    half_line(out);
    interval(out);
    whole_numbers(out);
    return out;
  }();
  return table;
}

Density plain_density(Graph& g, const Law& law, NodeId y) {
  Algebra a{g};
  law_table().at(law.name).terms(a, y, law.arguments);
  return std::move(a.out);
}

}  // namespace evident::formula
