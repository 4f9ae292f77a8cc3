#include "base/random_fill.hpp"

#include "base/philox.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/random_fill.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Highway's own math must come after highway.h.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace evident::random_fill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U64 = hn::ScalableTag<std::uint64_t>;
using F64 = hn::Repartition<double, U64>;
using VU64 = hn::Vec<U64>;
using VF64 = hn::Vec<F64>;

struct Pair {
  VU64 first, second;  // 64 random bits each
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
HWY_INLINE Pair Philox(VU64 c0, std::uint32_t step, std::uint32_t purpose, std::uint32_t draw,
                       std::array<std::uint32_t, 2> key) {
  const U64 d;
  const VU64 m0 = hn::Set(d, philox::kMultiplier0), m1 = hn::Set(d, philox::kMultiplier1);
  VU64 c1 = hn::Set(d, step), c2 = hn::Set(d, purpose), c3 = hn::Set(d, draw);
  std::uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < philox::kRounds; ++round) {
    const VU64 p0 = Multiply(c0, m0), p1 = Multiply(c2, m1);
    c0 = hn::Xor(hn::ShiftRight<32>(p1), hn::Xor(c1, hn::Set(d, k0)));
    c1 = p1;
    c2 = hn::Xor(hn::ShiftRight<32>(p0), hn::Xor(c3, hn::Set(d, k1)));
    c3 = p0;
    k0 += philox::kWeyl0;
    k1 += philox::kWeyl1;
  }
  const VU64 mask = hn::Set(d, 0xFFFFFFFFU);
  return {hn::Or(hn::And(c0, mask), hn::ShiftLeft<32>(c1)), hn::Or(hn::And(c2, mask), hn::ShiftLeft<32>(c3))};
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

// Calls store(row, column, vector) for rows in pairs; `make` turns the bits of one Philox call into two vectors.
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
    for (std::size_t i = 0; i < out.padded_size(); i += lanes) {
      const VU64 particle = hn::And(hn::Add(hn::Set(d, id.particle + i), hn::Iota(d, 0)), wrap);
      VF64 first, second;
      make(Philox(particle, id.step, purpose, draw, key), first, second);
      hn::Store(first, df, first_row + i);
      if (second_row != nullptr) hn::Store(second, df, second_row + i);
    }
  }
}

void Uniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  Fill(key, id, out, [](Pair bits, VF64& a, VF64& b) HWY_ATTR {
    a = ToUniform(bits.first);
    b = ToUniform(bits.second);
  });
}

void Normal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  Fill(key, id, out, [](Pair bits, VF64& a, VF64& b) HWY_ATTR {
    const F64 d;
    const VF64 radius = hn::Sqrt(hn::Mul(hn::Set(d, -2.0), hn::Log(d, ToUniform(bits.first))));
    VF64 sine, cosine;
    SinCosTurn(ToUniform(bits.second), sine, cosine);
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
