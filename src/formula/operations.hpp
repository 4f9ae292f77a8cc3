// The operations on numbers, listed once: the graph has them (Op), and the programs made from it (Code), in the same
// order.
#pragma once

// clang-format off
#define EVIDENT_FORMULA_ARITHMETIC(X) \
  /* one argument */ \
    X(neg) X(exp) X(log) X(log1p) X(expm1) X(sqrt) X(abs) X(sign) X(square) X(reciprocal) X(sin) X(cos) X(tan) \
    X(tanh) X(atan) X(erf) X(erfc) X(log_gamma) X(digamma) X(inv_logit) X(log1p_exp) X(log_normal_cdf) \
    X(logical_not) X(floor) \
  /* two; the last ones are log P(a, x), log Q(a, x) and their slopes in a, see incomplete.hpp */ \
    X(add) X(sub) X(mul) X(div) X(pow) X(min) X(max) X(lt) X(le) X(eq) X(ne) X(logical_and) X(logical_or) \
    X(log_gamma_below) X(log_gamma_above) X(slope_gamma_below) X(slope_gamma_above) \
  /* three; the last ones are log I_x(a, b) and its slopes */ \
    X(where) X(log_beta_below) X(slope_beta_below_a) X(slope_beta_below_b) \
  /* many */ \
    X(log_sum_exp)
// clang-format on
#define EVIDENT_FORMULA_ENTRY(name) name,
