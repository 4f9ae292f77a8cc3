#include "base/random_fill.hpp"

#include "base/philox.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/random_fill.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs highway.h before it.
#include "base/simd_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::random_fill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace fast = evident::HWY_NAMESPACE;

using U64 = hn::ScalableTag<std::uint64_t>;
using F64 = hn::Repartition<double, U64>;
using VU64 = hn::Vec<U64>;
using VF64 = hn::Vec<F64>;

// Philox is one long chain of dependent operations: this many vectors at a time keep the units busy.
inline constexpr std::size_t kTogether = 2;

struct Bits {
  VU64 first[kTogether], second[kTogether];  // 64 random bits each
};

// Product of the low 32 bits of each lane with a constant.
HWY_INLINE VU64 Multiply(VU64 a, VU64 constant) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(U64(), (hn::GetLane(a) & 0xFFFFFFFFU) * hn::GetLane(constant));
#else
  const hn::Repartition<std::uint32_t, U64> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, constant));
#endif
}

// Philox for as many particles as there are lanes; every 64-bit lane holds a 32-bit word. The high halves are never
// cleaned: MulEven reads the low halves only, and the end masks them off.
HWY_INLINE Bits Philox(const VU64 (&particle)[kTogether], std::uint32_t step, std::uint32_t purpose, std::uint32_t draw,
                       std::array<std::uint32_t, 2> key) {
  const U64 d;
  const VU64 m0 = hn::Set(d, philox::kMultiplier0), m1 = hn::Set(d, philox::kMultiplier1);
  VU64 c0[kTogether], c1[kTogether], c2[kTogether], c3[kTogether];
  for (std::size_t k = 0; k < kTogether; ++k) {
    c0[k] = particle[k];
    c1[k] = hn::Set(d, step);
    c2[k] = hn::Set(d, purpose);
    c3[k] = hn::Set(d, draw);
  }
  std::uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < philox::kRounds; ++round) {
    const VU64 key0 = hn::Set(d, k0), key1 = hn::Set(d, k1);
    for (std::size_t k = 0; k < kTogether; ++k) {
      const VU64 p0 = Multiply(c0[k], m0), p1 = Multiply(c2[k], m1);
      c0[k] = hn::Xor(hn::ShiftRight<32>(p1), hn::Xor(c1[k], key0));
      c1[k] = p1;
      c2[k] = hn::Xor(hn::ShiftRight<32>(p0), hn::Xor(c3[k], key1));
      c3[k] = p0;
    }
    k0 += philox::kWeyl0;
    k1 += philox::kWeyl1;
  }
  const VU64 mask = hn::Set(d, 0xFFFFFFFFU);
  Bits bits;
  for (std::size_t k = 0; k < kTogether; ++k) {
    bits.first[k] = hn::Or(hn::And(c0[k], mask), hn::ShiftLeft<32>(c1[k]));
    bits.second[k] = hn::Or(hn::And(c2[k], mask), hn::ShiftLeft<32>(c3[k]));
  }
  return bits;
}

HWY_INLINE VF64 ToUniform(VU64 bits) {
  const U64 d;
  const F64 df;
  const VU64 one_to_two = hn::Or(hn::ShiftRight<12>(bits), hn::Set(d, 0x3FF0000000000000U));
  return hn::Sub(hn::BitCast(df, one_to_two), hn::Set(df, 1.0 - 0x1p-53));
}

// Sine and cosine of 2 pi u for u in (0, 1): reduced to an eighth of a turn, then Taylor polynomials whose first
// neglected term is below 1e-17 there.
HWY_INLINE void SinCosTurn(VF64 u, VF64& sine, VF64& cosine) {
  const F64 d;
  const VF64 quarter = hn::Mul(u, hn::Set(d, 4.0));
  const VF64 nearest = hn::Round(quarter);
  const VF64 x = hn::Mul(hn::Sub(quarter, nearest), hn::Set(d, 1.57079632679489661923));
  const VF64 x2 = hn::Mul(x, x);
  VF64 s = hn::Set(d, -7.6471637318198164759e-13);
  s = hn::MulAdd(s, x2, hn::Set(d, 1.6059043836821614599e-10));
  s = hn::MulAdd(s, x2, hn::Set(d, -2.5052108385441718775e-8));
  s = hn::MulAdd(s, x2, hn::Set(d, 2.7557319223985890653e-6));
  s = hn::MulAdd(s, x2, hn::Set(d, -1.9841269841269841270e-4));
  s = hn::MulAdd(s, x2, hn::Set(d, 8.3333333333333333333e-3));
  s = hn::MulAdd(s, x2, hn::Set(d, -1.6666666666666666667e-1));
  s = hn::MulAdd(hn::Mul(s, x2), x, x);
  VF64 c = hn::Set(d, 4.7794773323873852974e-14);
  c = hn::MulAdd(c, x2, hn::Set(d, -1.1470745597729724714e-11));
  c = hn::MulAdd(c, x2, hn::Set(d, 2.0876756987868098979e-9));
  c = hn::MulAdd(c, x2, hn::Set(d, -2.7557319223985890653e-7));
  c = hn::MulAdd(c, x2, hn::Set(d, 2.4801587301587301587e-5));
  c = hn::MulAdd(c, x2, hn::Set(d, -1.3888888888888888889e-3));
  c = hn::MulAdd(c, x2, hn::Set(d, 4.1666666666666666667e-2));
  c = hn::MulAdd(c, x2, hn::Set(d, -0.5));
  c = hn::MulAdd(c, x2, hn::Set(d, 1.0));
  // Quarter turns 0..4: odd ones swap sine and cosine; 2, 3 flip the sine, 1, 2 the cosine.
  const auto is = [&](double q) { return hn::Eq(nearest, hn::Set(d, q)); };
  const auto one = is(1.0), two = is(2.0), three = is(3.0);
  const auto odd = hn::Or(one, three);
  const VF64 s_raw = hn::IfThenElse(odd, c, s), c_raw = hn::IfThenElse(odd, s, c);
  sine = hn::IfThenElse(hn::Or(two, three), hn::Neg(s_raw), s_raw);
  cosine = hn::IfThenElse(hn::Or(one, two), hn::Neg(c_raw), c_raw);
}

// Rows come in pairs, because one Philox call serves two; `make` turns its bits into two vectors. Rows are padded to 8
// numbers, which kTogether vectors always divide.
template <class Make>
HWY_INLINE void Fill(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out, Make make) {
  const U64 d;
  const F64 df;
  const std::size_t lanes = hn::Lanes(d);
  const std::uint32_t purpose = philox::counter(id, 0)[2];
  const VU64 wrap = hn::Set(d, 0xFFFFFFFFU);
  for (std::size_t row = 0; row < out.rows(); row += 2) {
    double* first_row = out.row_data(row);
    double* second_row = row + 1 < out.rows() ? out.row_data(row + 1) : nullptr;
    const auto draw = static_cast<std::uint32_t>(row / 2);
    for (std::size_t i = 0; i < out.padded_size(); i += kTogether * lanes) {
      VU64 particle[kTogether];
      for (std::size_t k = 0; k < kTogether; ++k)
        particle[k] = hn::And(hn::Add(hn::Set(d, id.particle + i + k * lanes), hn::Iota(d, 0)), wrap);
      const Bits bits = Philox(particle, id.step, purpose, draw, key);
      for (std::size_t k = 0; k < kTogether; ++k) {
        VF64 first, second;
        make(bits.first[k], bits.second[k], first, second);
        hn::Store(first, df, first_row + i + k * lanes);
        if (second_row != nullptr) hn::Store(second, df, second_row + i + k * lanes);
      }
    }
  }
}

void Uniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  Fill(key, id, out, [](VU64 x, VU64 y, VF64& a, VF64& b) HWY_ATTR {
    a = ToUniform(x);
    b = ToUniform(y);
  });
}

void Normal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  Fill(key, id, out, [](VU64 x, VU64 y, VF64& a, VF64& b) HWY_ATTR {
    const F64 d;
    const VF64 radius = hn::Sqrt(hn::Mul(hn::Set(d, -2.0), fast::FastLogPositive(d, ToUniform(x))));
    VF64 sine, cosine;
    SinCosTurn(ToUniform(y), sine, cosine);
    a = hn::Mul(radius, cosine);
    b = hn::Mul(radius, sine);
  });
}

}  // namespace evident::random_fill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::random_fill {

HWY_EXPORT(Uniform);
HWY_EXPORT(Normal);

void uniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  HWY_DYNAMIC_DISPATCH(Uniform)(key, id, out);
}
void normal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  HWY_DYNAMIC_DISPATCH(Normal)(key, id, out);
}

}  // namespace evident::random_fill
#endif
