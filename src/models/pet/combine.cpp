#include "models/pet/combine.hpp"

#include <cmath>
#include <limits>

#include "dist/special.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/pet/combine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// The vector functions must come after highway.h.
#include "base/simd_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::pet::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace math = evident::HWY_NAMESPACE;
namespace {

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
constexpr double kLarge = std::numeric_limits<double>::max();

HWY_INLINE V OrImpossible(hn::Mask<D> possible, V value) {
  return hn::IfThenElse(possible, value, hn::Set(D(), -std::numeric_limits<double>::infinity()));
}

/// See log_gamma_ratio. With x = nu/2 and X = x + 10, Gamma(x+1/2)/Gamma(x) = Gamma(X+1/2)/Gamma(X) times the ten
/// factors (x+j)/(x+j+1/2), and log Gamma(X+1/2)/Gamma(X) = log(X)/2 - 1/(8X) + 1/(192X^3) - ...; everything is
/// divided by x, so that nu may be infinite.
HWY_INLINE V LogGammaRatio(V w) {
  const D d;
  const V one = hn::Set(d, 1.0);
  V above = one, below = one;
  for (int j = 0; j < 10; ++j) {
    above = hn::Mul(above, hn::MulAdd(w, hn::Set(d, 2.0 * j), one));
    below = hn::Mul(below, hn::MulAdd(w, hn::Set(d, 2.0 * j + 1), one));
  }
  const V last = hn::MulAdd(w, hn::Set(d, 20.0), one);
  const V inverse = hn::Div(hn::Add(w, w), last), square = hn::Mul(inverse, inverse);
  V series = hn::Set(d, -31.0 / 18432);
  for (const double c : {17.0 / 14336, -1.0 / 640, 1.0 / 192, -1.0 / 8})
    series = hn::MulAdd(series, square, hn::Set(d, c));
  const V factor = hn::Div(above, below);
  const V log = math::FastLog(d, hn::Mul(hn::Mul(factor, factor), hn::Mul(last, hn::Set(d, 0.5))));
  return hn::MulAdd(log, hn::Set(d, 0.5), hn::Mul(series, inverse));
}

}  // namespace

void CombineNormal(const Constants& k, const double* lambda, const double* sum, const double* log_product, double* out,
                   std::size_t count) {
  const D d;
  const V half = hn::Set(d, 0.5);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const V l = hn::Load(d, lambda + i), s = hn::Load(d, sum + i);
    const V possible = hn::Sub(hn::Mul(hn::Set(d, k.frames), math::FastLog(d, l)), hn::Load(d, log_product + i));
    const V twice = hn::NegMulAdd(hn::Mul(l, s), hn::Set(d, k.unit), possible);
    const auto good = hn::And(hn::Gt(l, hn::Zero(d)), hn::Le(s, hn::Set(d, kLarge)));
    hn::Store(OrImpossible(good, hn::MulAdd(twice, half, hn::Set(d, k.offset))), d, out + i);
  }
}

void CombineMarginal(const Constants& k, const double* sum, const double* log_product, double* out, std::size_t count) {
  const D d;
  const double exponent = k.shape + k.frames / 2;
  const double constant = k.offset + k.marginal;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const V s = hn::Load(d, sum + i);
    const V rate = hn::MulAdd(s, hn::Set(d, k.unit / 2), hn::Set(d, k.rate));
    const V rest = hn::NegMulAdd(hn::Load(d, log_product + i), hn::Set(d, 0.5), hn::Set(d, constant));
    const V value = hn::NegMulAdd(math::FastLogPositive(d, rate), hn::Set(d, exponent), rest);
    hn::Store(OrImpossible(hn::Le(s, hn::Set(d, kLarge)), value), d, out + i);
  }
}

void CombineStudent(const Constants& k, const double* lambda, const double* w, const double* sum,
                    const double* log_product, double* out, std::size_t count) {
  const D d;
  const V half = hn::Set(d, 0.5), zero = hn::Zero(d);
  // The offset holds log(2 pi) / 2 a frame; the Student density has log(pi) / 2.
  const V offset = hn::Set(d, k.offset + k.frames * 0.5 * 0.6931471805599453094);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const V l = hn::Load(d, lambda + i), v = hn::Load(d, w + i), s = hn::Load(d, sum + i);
    const V per_frame = hn::MulAdd(math::FastLog(d, l), half, LogGammaRatio(v));
    const V tails = hn::Mul(s, hn::Add(v, hn::Set(d, 1.0)));
    const V rest = hn::NegMulAdd(hn::Add(tails, hn::Load(d, log_product + i)), half, offset);
    const auto good = hn::And(hn::And(hn::Gt(l, zero), hn::Ge(v, zero)), hn::Le(s, hn::Set(d, kLarge)));
    hn::Store(OrImpossible(good, hn::MulAdd(per_frame, hn::Set(d, k.frames), rest)), d, out + i);
  }
}

void LogGammaRatioOf(double w, double* out) { *out = hn::GetLane(LogGammaRatio(hn::Set(D(), w))); }

}  // namespace evident::pet::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::pet {

HWY_EXPORT(CombineNormal);
HWY_EXPORT(CombineMarginal);
HWY_EXPORT(CombineStudent);
HWY_EXPORT(LogGammaRatioOf);

void combine_normal(const Constants& k, const double* lambda, const double* sum, const double* log_product, double* out,
                    std::size_t count) {
  HWY_DYNAMIC_DISPATCH(CombineNormal)(k, lambda, sum, log_product, out, count);
}
void combine_marginal(const Constants& k, const double* sum, const double* log_product, double* out,
                      std::size_t count) {
  HWY_DYNAMIC_DISPATCH(CombineMarginal)(k, sum, log_product, out, count);
}
void combine_student(const Constants& k, const double* lambda, const double* w, const double* sum,
                     const double* log_product, double* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(CombineStudent)(k, lambda, w, sum, log_product, out, count);
}
double marginal_constant(double frames, double shape, double rate) {
  return dist::log_gamma(shape + frames / 2) - dist::log_gamma(shape) + shape * std::log(rate);
}
double log_gamma_ratio(double w) {
  double out = 0;
  HWY_DYNAMIC_DISPATCH(LogGammaRatioOf)(w, &out);
  return out;
}

}  // namespace evident::pet
#endif  // HWY_ONCE
