// Vector exp, log and products of many factors, for the kernels of all models. Compiled once per SIMD target.
//
//   namespace hn = hwy::HWY_NAMESPACE;
//   const hn::ScalableTag<double> d;
//   auto e = FastExp(d, hn::Load(d, x));  // half the time of Highway's Exp; FastExp2Bounded is quicker still
//
//   LogProduct<decltype(d)> product(d);   // one log at the end instead of one per factor
//   product.Multiply(factor);
//   auto sum_of_logs = product.Log();
//
// The result of a lane depends on that lane alone. Targets without fused multiply-add differ in the last bits.
#if defined(EVIDENT_BASE_SIMD_MATH_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_BASE_SIMD_MATH_INL_HPP_
#undef EVIDENT_BASE_SIMD_MATH_INL_HPP_
#else
#define EVIDENT_BASE_SIMD_MATH_INL_HPP_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace evident {
namespace HWY_NAMESPACE {
namespace simd_math {

namespace hn = hwy::HWY_NAMESPACE;

/// p * 2^n, where `shifted` is n + 1.5 * 2^52: the low bits of that sum are the integer n.
template <class D, class V>
HWY_INLINE V ScaleByPower(D d, V p, V shifted) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<52>(hn::BitCast(di, shifted))));
}

/// 1 + r (c0 + c1 r + ... + c10 r^10): even and odd powers apart, which needs fewer operations than Estrin's order and
/// is quicker here, because neighbouring vectors already keep the units busy.
template <class D, class V>
HWY_INLINE V ExpPolynomial(D d, V r, const double (&c)[11]) {
  const V r2 = hn::Mul(r, r);
  V odd = hn::MulAdd(hn::Set(d, c[10]), r2, hn::Set(d, c[8]));
  V even = hn::MulAdd(hn::Set(d, c[9]), r2, hn::Set(d, c[7]));
  odd = hn::MulAdd(odd, r2, hn::Set(d, c[6]));
  even = hn::MulAdd(even, r2, hn::Set(d, c[5]));
  odd = hn::MulAdd(odd, r2, hn::Set(d, c[4]));
  even = hn::MulAdd(even, r2, hn::Set(d, c[3]));
  odd = hn::MulAdd(odd, r2, hn::Set(d, c[2]));
  even = hn::MulAdd(even, r2, hn::Set(d, c[1]));
  odd = hn::MulAdd(odd, r2, hn::Set(d, c[0]));
  even = hn::MulAdd(even, r2, hn::Set(d, 1.0));
  return hn::MulAdd(odd, r, even);
}

// Near-minimax coefficients (Chebyshev fit of (f(r) - 1) / r; relative error of the whole 6e-18).
inline constexpr double kExpCoefficients[11] = {0x1.0000000000000p+0,  0x1.0000000000005p-1,  0x1.5555555555557p-3,
                                                0x1.55555555520afp-5,  0x1.11111111100dfp-7,  0x1.6c16c17f43a58p-10,
                                                0x1.a01a01abe62ddp-13, 0x1.a019a66a75dd4p-16, 0x1.71de02375656cp-19,
                                                0x1.28a2c0a7209fbp-22, 0x1.af4ddd84882fep-26};
inline constexpr double kExp2Coefficients[11] = {0x1.62e42fefa39efp-1,  0x1.ebfbdff82c598p-3,  0x1.c6b08d704a0c2p-5,
                                                 0x1.3b2ab6fba1ddap-7,  0x1.5d87fe78a5276p-10, 0x1.430913096fd9fp-13,
                                                 0x1.ffcbfc670dcd4p-17, 0x1.62bfd47773353p-20, 0x1.b524fae627834p-24,
                                                 0x1.e6063f7217bc6p-28, 0x1.e9d3fe3952179p-32};
inline constexpr double kRoundShift = 0x1.8p52;

}  // namespace simd_math

/// Entries i .. of p, or `otherwise` where that would pass n: for memory that is neither padded nor aligned.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V LoadOr(D d, const double* p, std::size_t i, std::size_t n, double otherwise) {
  if (HWY_LIKELY(i + hwy::HWY_NAMESPACE::Lanes(d) <= n)) return hwy::HWY_NAMESPACE::LoadU(d, p + i);
  alignas(64) double tail[8];
  for (std::size_t j = 0; j < hwy::HWY_NAMESPACE::Lanes(d); ++j) tail[j] = i + j < n ? p[i + j] : otherwise;
  return hwy::HWY_NAMESPACE::Load(d, tail);
}

/// exp(x) for x <= 709.78, at most 2.5 ulp. Below -708 (and at -inf) exactly 0; NaN stays NaN.
/// Above 709.78 the result has no meaning: use FastExp unless the bound is known.
template <class D, class V>
HWY_INLINE V FastExpBounded(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V shift = hn::Set(d, simd_math::kRoundShift);
  const V shifted = hn::MulAdd(x, hn::Set(d, 1.44269504088896338700), shift);
  const V n = hn::Sub(shifted, shift);
  // ln 2 in two parts; the high part has 32 bits, so that its product with n is exact without a fused operation, too.
  V r = hn::NegMulAdd(n, hn::Set(d, 6.93147180369123816490e-01), x);
  r = hn::NegMulAdd(n, hn::Set(d, 1.90821492927058770002e-10), r);
  const V p = simd_math::ExpPolynomial(d, r, simd_math::kExpCoefficients);
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -708.0)), simd_math::ScaleByPower(d, p, shifted));
}

/// exp(x) for every x: as FastExpBounded, and above 709.78 (and at +inf) the value at 709.78, 1.79e308.
template <class D, class V>
HWY_INLINE V FastExp(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V top = hn::Set(d, 709.78);
  return FastExpBounded(d, hn::IfThenElse(hn::Gt(x, top), top, x));  // keeps NaN
}

namespace simd_math {

/// The larger one of x and a number; NaN stays NaN.
template <class D, class V>
HWY_INLINE V AtLeast(D d, V x, double lowest) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  return hn::Max(hn::Set(d, lowest), x);  // maxpd returns its second operand when one is NaN
#else
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, lowest)), hn::Set(d, lowest), x);
#endif
}

/// 2^x for x from -1022 to 1024.
template <class D, class V>
HWY_INLINE V Exp2InRange(D d, V x) {
  const V shift = hn::Set(d, kRoundShift);
  const V shifted = hn::Add(x, shift);
  const V r = hn::Sub(x, hn::Sub(shifted, shift));
  return ScaleByPower(d, ExpPolynomial(d, r, kExp2Coefficients), shifted);
}

}  // namespace simd_math

/// 2^x for x < 1024, at most 2 ulp. Below -1022 (and at -inf) exactly 0; NaN stays NaN. Cheaper than FastExp: a kernel
/// that can take its exponents in base 2 saves the multiplication and the two-part reduction.
template <class D, class V>
HWY_INLINE V FastExp2Bounded(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -1022.0)), simd_math::Exp2InRange(d, x));
}

/// As FastExp2Bounded, but below -1022 (and at -inf) the value at -1022, 2.2e-308: the cheapest of all, where so small
/// a number makes no difference. NaN stays NaN.
template <class D, class V>
HWY_INLINE V FastExp2Clamped(D d, V x) {
  return simd_math::Exp2InRange(d, simd_math::AtLeast(d, x, -1022.0));
}

/// FastExp2Clamped of several vectors, in place, step by step: the same bits, but more of it can run at once than when
/// the compiler writes one after the other.
template <class D, class V, std::size_t kCount>
HWY_INLINE void FastExp2Clamped(D d, V (&x)[kCount]) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto& c = simd_math::kExp2Coefficients;
  const V shift = hn::Set(d, simd_math::kRoundShift);
  V shifted[kCount], r2[kCount], even[kCount], odd[kCount];
  for (std::size_t m = 0; m < kCount; ++m) x[m] = simd_math::AtLeast(d, x[m], -1022.0);
  for (std::size_t m = 0; m < kCount; ++m) shifted[m] = hn::Add(x[m], shift);
  for (std::size_t m = 0; m < kCount; ++m) x[m] = hn::Sub(x[m], hn::Sub(shifted[m], shift));
  for (std::size_t m = 0; m < kCount; ++m) r2[m] = hn::Mul(x[m], x[m]);
  for (std::size_t m = 0; m < kCount; ++m) odd[m] = hn::MulAdd(hn::Set(d, c[10]), r2[m], hn::Set(d, c[8]));
  for (std::size_t m = 0; m < kCount; ++m) even[m] = hn::MulAdd(hn::Set(d, c[9]), r2[m], hn::Set(d, c[7]));
  for (std::size_t step = 0; step < 4; ++step) {
    for (std::size_t m = 0; m < kCount; ++m) odd[m] = hn::MulAdd(odd[m], r2[m], hn::Set(d, c[6 - 2 * step]));
    for (std::size_t m = 0; m < kCount; ++m)
      even[m] = hn::MulAdd(even[m], r2[m], hn::Set(d, step < 3 ? c[5 - 2 * step] : 1.0));
  }
  for (std::size_t m = 0; m < kCount; ++m)
    x[m] = simd_math::ScaleByPower(d, hn::MulAdd(odd[m], x[m], even[m]), shifted[m]);
}

namespace simd_math {

/// log(x) + (1023 - offset + 2^52) log 2 for a normal, positive x. The method of fdlibm: x = 2^k m with m near 1, then
/// a polynomial in ((m - 1) / (m + 1))^2.
template <class D, class V>
HWY_INLINE V LogOfNormal(D d, V x, V offset) {
  const hn::RebindToUnsigned<D> du;
  const std::uint64_t root_half = 0x3FE6A09E667F3BCDULL, one = 0x3FF0000000000000ULL;
  const auto bits = hn::Add(hn::BitCast(du, x), hn::Set(du, one - root_half));
  const auto mantissa = hn::Add(hn::And(bits, hn::Set(du, 0x000FFFFFFFFFFFFFULL)), hn::Set(du, root_half));
  // The biased exponent as a number, by way of the bits of 2^52 + exponent.
  const V biased = hn::BitCast(d, hn::Or(hn::ShiftRight<52>(bits), hn::Set(du, 0x4330000000000000ULL)));
  const V k = hn::Sub(biased, offset);
  const V m = hn::BitCast(d, mantissa);
  const V f = hn::Sub(m, hn::Set(d, 1.0));
  const V s = hn::Div(f, hn::Add(m, hn::Set(d, 1.0)));
  const V z = hn::Mul(s, s), w = hn::Mul(z, z);
  V odd = hn::MulAdd(w, hn::Set(d, 1.531383769920937332e-01), hn::Set(d, 2.222219843214978396e-01));
  odd = hn::Mul(w, hn::MulAdd(w, odd, hn::Set(d, 3.999999999940941908e-01)));
  V even = hn::MulAdd(w, hn::Set(d, 1.479819860511658591e-01), hn::Set(d, 1.818357216161805012e-01));
  even = hn::MulAdd(w, even, hn::Set(d, 2.857142874366239149e-01));
  even = hn::MulAdd(w, even, hn::Set(d, 6.666666666666735130e-01));
  const V r = hn::MulAdd(z, even, odd);
  // log m = f - s (f - r)
  const V tail = hn::MulSub(s, hn::Sub(f, r), hn::Mul(k, hn::Set(d, 1.90821492927058770002e-10)));
  return hn::MulAdd(k, hn::Set(d, 6.93147180369123816490e-01), hn::Sub(f, tail));
}

}  // namespace simd_math

/// log(x) for normal, positive, finite x, at most 1 ulp; anything else gives a finite number without meaning.
template <class D, class V>
HWY_INLINE V FastLogPositive(D d, V x) {
  return simd_math::LogOfNormal(d, x, hwy::HWY_NAMESPACE::Set(d, 0x1p52 + 1023));
}

/// log(x), at most 1 ulp, for every x: subnormal numbers too; 0 gives -inf, +inf itself, negative numbers and NaN give
/// NaN.
template <class D, class V>
HWY_INLINE V FastLog(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto small = hn::Lt(x, hn::Set(d, 2.2250738585072014e-308));
  const V scaled = hn::IfThenElse(small, hn::Mul(x, hn::Set(d, 0x1p54)), x);
  const V offset = hn::IfThenElse(small, hn::Set(d, 0x1p52 + 1023 + 54), hn::Set(d, 0x1p52 + 1023));
  const V result = simd_math::LogOfNormal(d, scaled, offset);
  const V zero = hn::Zero(d);
  const V special =
      hn::IfThenElse(hn::Eq(x, zero), hn::Set(d, -inf),
                     hn::IfThenElse(hn::Gt(x, zero), x, hn::Set(d, std::numeric_limits<double>::quiet_NaN())));
  return hn::IfThenElse(hn::And(hn::Gt(x, zero), hn::Lt(x, hn::Set(d, inf))), result, special);
}

/// The logarithm of a product of many factors: one log at the end. The product is kept as mantissa x 2^exponent.
/// Moving powers of two about is exact, so the result does not depend on when `Renormalise` is called, as long as
/// nothing over- or underflows in between. A factor 0, inf or NaN ends in -inf, inf or NaN.
template <class D>
class LogProduct {
  using V = hwy::HWY_NAMESPACE::Vec<D>;

 public:
  explicit HWY_INLINE LogProduct(D d)
      : mantissa_(hwy::HWY_NAMESPACE::Set(d, 1.0)), exponent_(hwy::HWY_NAMESPACE::Zero(d)) {}

  /// Goes on where another one stopped: its mantissa and exponent.
  HWY_INLINE LogProduct(V mantissa, V exponent) : mantissa_(mantissa), exponent_(exponent) {}
  HWY_INLINE V Mantissa() const { return mantissa_; }
  HWY_INLINE V Exponent() const { return exponent_; }

  /// Nothing but a multiplication: the caller renormalises before 2^1020 or 2^-1020 can be passed, for example after
  /// every 20 factors between 1e-15 and 1e15.
  HWY_INLINE void MultiplyUnchecked(V factor) { mantissa_ = hwy::HWY_NAMESPACE::Mul(mantissa_, factor); }

  /// For any factor: its power of two is taken out first.
  HWY_INLINE void Multiply(V factor) {
    TakePower(factor);
    mantissa_ = hwy::HWY_NAMESPACE::Mul(mantissa_, factor);
    TakePower(mantissa_);
  }

  /// Brings the mantissa back to [1, 2).
  HWY_INLINE void Renormalise() { TakePower(mantissa_); }

  /// Multiplies by another product: several at once keep a multiplier busy that one chain would leave waiting.
  HWY_INLINE void Merge(LogProduct other) {
    other.Renormalise();
    Renormalise();
    mantissa_ = hwy::HWY_NAMESPACE::Mul(mantissa_, other.mantissa_);
    exponent_ = hwy::HWY_NAMESPACE::Add(exponent_, other.exponent_);
  }

  HWY_INLINE V Log() {
    namespace hn = hwy::HWY_NAMESPACE;
    const D d;
    Renormalise();
    const V low = hn::MulAdd(exponent_, hn::Set(d, 1.90821492927058770002e-10), FastLog(d, mantissa_));
    return hn::MulAdd(exponent_, hn::Set(d, 6.93147180369123816490e-01), low);
  }

 private:
  /// v = m 2^e becomes m, and e is added to the exponent; 0, subnormal numbers, inf, NaN and v < 0 are left alone.
  HWY_INLINE void TakePower(V& v) {
    namespace hn = hwy::HWY_NAMESPACE;
    const D d;
    const hn::RebindToUnsigned<D> du;
    const auto normal = hn::And(hn::Ge(v, hn::Set(d, 2.2250738585072014e-308)),
                                hn::Le(v, hn::Set(d, std::numeric_limits<double>::max())));
    const auto bits = hn::BitCast(du, v);
    const V biased = hn::BitCast(d, hn::Or(hn::ShiftRight<52>(bits), hn::Set(du, 0x4330000000000000ULL)));
    const auto mantissa = hn::Or(hn::And(bits, hn::Set(du, 0x000FFFFFFFFFFFFFULL)), hn::Set(du, 0x3FF0000000000000ULL));
    exponent_ = hn::Add(exponent_, hn::IfThenElseZero(normal, hn::Sub(biased, hn::Set(d, 0x1p52 + 1023))));
    v = hn::IfThenElse(normal, hn::BitCast(d, mantissa), v);
  }

  V mantissa_, exponent_;
};

}  // namespace HWY_NAMESPACE
}  // namespace evident
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
