// Standard normals in single precision from the words of Philox, for random_fill.cpp. Compiled once per SIMD target.
#if defined(EVIDENT_BASE_ROUGH_NORMAL_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_BASE_ROUGH_NORMAL_INL_HPP_
#undef EVIDENT_BASE_ROUGH_NORMAL_INL_HPP_
#else
#define EVIDENT_BASE_ROUGH_NORMAL_INL_HPP_
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace evident::random_fill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U64 = hn::ScalableTag<std::uint64_t>;
using F64 = hn::Repartition<double, U64>;
using VU64 = hn::Vec<U64>;
using VF64 = hn::Vec<F64>;

// Philox is one long chain of dependent operations: this many vectors at a time keep the units busy.
inline constexpr std::size_t kTogether = 2;

// Rough normals: a pair from each two of Philox' four words, by Box and Muller. The first gives the radius, from a
// uniform in (0, 1], the second the angle.
#if HWY_TARGET == HWY_SCALAR

struct Pair {
  VF64 first, second;
};
HWY_INLINE Pair RoughPair(VU64 radius_bits, VU64 angle_bits, int half) {
  const auto word = [&](VU64 bits) { return static_cast<std::uint32_t>(hn::GetLane(bits) >> (32 * half)); };
  const double u = static_cast<double>(word(radius_bits) >> 1) * 0x1p-31 + 0x1p-32;
  const double angle =
      static_cast<double>(static_cast<std::int32_t>(word(angle_bits))) * (2 * 3.14159265358979324 * 0x1p-32);
  const double radius = std::sqrt(-2 * std::log(u));
  return {hn::Set(F64(), radius * std::cos(angle)), hn::Set(F64(), radius * std::sin(angle))};
}
HWY_INLINE void RoughSquares(VU64 (&)[kTogether]) {}  // words stay as they are
HWY_INLINE void RoughNormals(const VU64 (&radius_bits)[kTogether], const VU64 (&angle_bits)[kTogether],
                             VF64 (&out)[kTogether][4]) {
  for (std::size_t k = 0; k < kTogether; ++k)
    for (int half = 0; half < 2; ++half) {
      const Pair pair = RoughPair(radius_bits[k], angle_bits[k], half);
      out[k][2 * half] = pair.first;
      out[k][2 * half + 1] = pair.second;
    }
}

#else

using U32 = hn::Repartition<std::uint32_t, U64>;
using I32 = hn::Repartition<std::int32_t, U64>;
using F32 = hn::Repartition<float, U64>;
using VF32 = hn::Vec<F32>;

// All of these work on kTogether vectors step by step, so that more of it can run at once.
using Several = VF32[kTogether];

// sum = sum by + c
HWY_INLINE void Extend(Several& sum, const Several& by, float c) {
  for (std::size_t k = 0; k < kTogether; ++k) sum[k] = hn::MulAdd(sum[k], by[k], hn::Set(F32(), c));
}

// -2 log u for u in (0, 1]: u = 2^k m with m near 1, and log m = 2 atanh((m - 1) / (m + 1)).
HWY_INLINE void MinusTwiceLog(Several& u) {
  const F32 d;
  const I32 di;
  const VF32 one = hn::Set(d, 1.0F);
  Several power, s, z, w, odd, even;
  for (std::size_t k = 0; k < kTogether; ++k) {
    const auto bits = hn::Sub(hn::BitCast(di, u[k]), hn::Set(di, 0x3F3504F3));  // the square root of a half
    const auto exponent = hn::ShiftRight<23>(bits);
    const VF32 m = hn::BitCast(d, hn::Sub(hn::BitCast(di, u[k]), hn::ShiftLeft<23>(exponent)));
    power[k] = hn::ConvertTo(d, exponent);
    s[k] = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  }
  for (std::size_t k = 0; k < kTogether; ++k) z[k] = hn::Mul(s[k], s[k]);
  for (std::size_t k = 0; k < kTogether; ++k) w[k] = hn::Mul(z[k], z[k]);
  for (std::size_t k = 0; k < kTogether; ++k) odd[k] = hn::Set(d, 1.0F / 7), even[k] = hn::Set(d, 1.0F / 9);
  Extend(even, w, 1.0F / 5);
  Extend(odd, w, 1.0F / 3);
  Extend(even, w, 1.0F);
  for (std::size_t k = 0; k < kTogether; ++k) even[k] = hn::MulAdd(odd[k], z[k], even[k]);
  for (std::size_t k = 0; k < kTogether; ++k)
    u[k] = hn::NegMulAdd(power[k], hn::Set(d, 1.3862943611F), hn::Mul(hn::Mul(hn::Set(d, -4.0F), s[k]), even[k]));
}

// By the sign of an integer: as floats its bits may be a NaN, which EMU128 does not take for negative.
HWY_INLINE VF32 IfNegative(hn::Vec<I32> v, VF32 yes, VF32 no) {
  const I32 di;
  return hn::BitCast(F32(), hn::IfNegativeThenElse(v, hn::BitCast(di, yes), hn::BitCast(di, no)));
}

// Of the turn that a word stands for, from -1/2 to 1/2. Its upper two bits, rounded, say which quarter is nearest; the
// others, as a signed number, how far it is from there: at most an eighth of a turn. Then Taylor polynomials.
HWY_INLINE void RoughSinCos(const hn::Vec<I32> (&word)[kTogether], Several& sine, Several& cosine) {
  const F32 d;
  const I32 di;
  Several x, z, s, c;
  for (std::size_t k = 0; k < kTogether; ++k)
    x[k] = hn::Mul(hn::ConvertTo(d, hn::ShiftLeft<2>(word[k])), hn::Set(d, 1.5707963268F * 0x1p-32F));
  for (std::size_t k = 0; k < kTogether; ++k) z[k] = hn::Mul(x[k], x[k]);
  for (std::size_t k = 0; k < kTogether; ++k) s[k] = hn::Set(d, 1.0F / 362880), c[k] = hn::Set(d, 1.0F / 40320);
  Extend(s, z, -1.0F / 5040);
  Extend(c, z, -1.0F / 720);
  Extend(s, z, 1.0F / 120);
  Extend(c, z, 1.0F / 24);
  Extend(s, z, -1.0F / 6);
  Extend(c, z, -0.5F);
  for (std::size_t k = 0; k < kTogether; ++k) s[k] = hn::MulAdd(hn::Mul(s[k], z[k]), x[k], x[k]);
  Extend(c, z, 1.0F);
  // Odd quarters swap sine and cosine; quarters 2 and 3 flip the sine, 1 and 2 the cosine.
  const VF32 sign = hn::SignBit(d);
  for (std::size_t k = 0; k < kTogether; ++k) {
    const auto quarter = hn::Add(word[k], hn::Set(di, 1 << 29));
    const auto odd = hn::ShiftLeft<1>(quarter);
    const VF32 flip_sine = hn::BitCast(d, quarter);
    const VF32 flip_cosine = hn::BitCast(d, hn::Add(quarter, hn::Set(di, 1 << 30)));
    sine[k] = hn::Xor(IfNegative(odd, c[k], s[k]), hn::And(flip_sine, sign));
    cosine[k] = hn::Xor(IfNegative(odd, s[k], c[k]), hn::And(flip_cosine, sign));
  }
}

// Words become squares of radii, in single precision.
HWY_INLINE void RoughSquares(VU64 (&bits)[kTogether]) {
  const F32 d;
  const I32 di;
  Several u;
  for (std::size_t k = 0; k < kTogether; ++k) {
    const auto positive = hn::BitCast(di, hn::ShiftRight<1>(hn::BitCast(U32(), bits[k])));
    u[k] = hn::MulAdd(hn::ConvertTo(d, positive), hn::Set(d, 0x1p-31F), hn::Set(d, 0x1p-32F));
  }
  MinusTwiceLog(u);
  for (std::size_t k = 0; k < kTogether; ++k) bits[k] = hn::BitCast(U64(), u[k]);
}

HWY_INLINE void RoughNormals(const VU64 (&squares)[kTogether], const VU64 (&angle_bits)[kTogether],
                             VF64 (&out)[kTogether][4]) {
  const F32 d;
  const I32 di;
  const F64 df;
  const hn::Half<F32> dh;
  Several radius, sine, cosine;
  hn::Vec<I32> angle[kTogether];
  for (std::size_t k = 0; k < kTogether; ++k) {
    radius[k] = hn::Sqrt(hn::BitCast(d, squares[k]));
    angle[k] = hn::BitCast(di, angle_bits[k]);
  }
  RoughSinCos(angle, sine, cosine);
  for (std::size_t k = 0; k < kTogether; ++k) {
    const VF32 s = hn::Mul(sine[k], radius[k]), c = hn::Mul(cosine[k], radius[k]);
    // Low words are in even lanes, high ones in odd lanes.
    out[k][0] = hn::PromoteTo(df, hn::LowerHalf(dh, hn::ConcatEven(d, c, c)));
    out[k][1] = hn::PromoteTo(df, hn::LowerHalf(dh, hn::ConcatEven(d, s, s)));
    out[k][2] = hn::PromoteTo(df, hn::LowerHalf(dh, hn::ConcatOdd(d, c, c)));
    out[k][3] = hn::PromoteTo(df, hn::LowerHalf(dh, hn::ConcatOdd(d, s, s)));
  }
}

#endif

}  // namespace evident::random_fill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
