#include "base/random_fill.hpp"

#include <cmath>

#include "base/philox.hpp"
#include "evident/base/context.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/random_fill.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs highway.h before it.
#include "base/rough_normal-inl.hpp"
#include "base/simd_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::random_fill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace fast = evident::HWY_NAMESPACE;

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

// The keys of all rounds, in memory: they are the same for every particle, and too many for the registers.
template <int kRounds>
struct RoundKeys {
  explicit HWY_INLINE RoundKeys(std::array<std::uint32_t, 2> key) {
    const U64 d;
    for (int round = 0; round < kRounds; ++round) {
      hn::Store(hn::Set(d, key[0]), d, first[round]);
      hn::Store(hn::Set(d, key[1]), d, second[round]);
      key[0] += philox::kWeyl0;
      key[1] += philox::kWeyl1;
    }
  }
  static constexpr std::size_t kLanes = 8;  // at most
  alignas(64) std::uint64_t first[kRounds][kLanes], second[kRounds][kLanes];
};

// Philox for as many particles as there are lanes; every 64-bit lane holds a 32-bit word. The high halves are never
// cleaned: MulEven reads the low halves only, and the end masks them off.
template <int kRounds>
HWY_INLINE Bits Philox(const VU64 (&particle)[kTogether], std::uint32_t step, std::uint32_t purpose, std::uint32_t draw,
                       const RoundKeys<kRounds>& keys) {
  const U64 d;
  const VU64 m0 = hn::Set(d, philox::kMultiplier0), m1 = hn::Set(d, philox::kMultiplier1);
  VU64 c0[kTogether], c1[kTogether], c2[kTogether], c3[kTogether];
  for (std::size_t k = 0; k < kTogether; ++k) {
    c0[k] = particle[k];
    c1[k] = hn::Set(d, step);
    c2[k] = hn::Set(d, purpose);
    c3[k] = hn::Set(d, draw);
  }
  for (int round = 0; round < kRounds; ++round) {
    const VU64 key0 = hn::Load(d, keys.first[round]), key1 = hn::Load(d, keys.second[round]);
    for (std::size_t k = 0; k < kTogether; ++k) {
      const VU64 p0 = Multiply(c0[k], m0), p1 = Multiply(c2[k], m1);
      c0[k] = hn::Xor(hn::ShiftRight<32>(p1), hn::Xor(c1[k], key0));
      c1[k] = p1;
      c2[k] = hn::Xor(hn::ShiftRight<32>(p0), hn::Xor(c3[k], key1));
      c3[k] = p0;
    }
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
  const RoundKeys<philox::kRounds> keys(key);
  for (std::size_t row = 0; row < out.rows(); row += 2) {
    double* first_row = out.row_data(row);
    double* second_row = row + 1 < out.rows() ? out.row_data(row + 1) : nullptr;
    const auto draw = static_cast<std::uint32_t>(row / 2);
    for (std::size_t i = 0; i < out.padded_size(); i += kTogether * lanes) {
      VU64 particle[kTogether];
      for (std::size_t k = 0; k < kTogether; ++k)
        particle[k] = hn::And(hn::Add(hn::Set(d, id.particle + i + k * lanes), hn::Iota(d, 0)), wrap);
      const Bits bits = Philox(particle, id.step, purpose, draw, keys);
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

// `put` gets the bits of every particle below `count`, with the place of the first of them.
template <class Put>
HWY_INLINE void RoughBits(const RoundKeys<philox::kFewRounds>& keys, const DrawIdentity& id, std::uint32_t draw,
                          std::size_t count, Put put) {
  const U64 d;
  const std::size_t lanes = hn::Lanes(d);
  const std::uint32_t purpose = philox::counter(id, 0)[2];
  const VU64 wrap = hn::Set(d, 0xFFFFFFFFU);
  for (std::size_t i = 0; i < count; i += kTogether * lanes) {
    VU64 particle[kTogether];
    for (std::size_t k = 0; k < kTogether; ++k)
      particle[k] = hn::And(hn::Add(hn::Set(d, id.particle + i + k * lanes), hn::Iota(d, 0)), wrap);
    const Bits bits = Philox(particle, id.step, purpose, draw, keys);
    for (std::size_t k = 0; k < kTogether; ++k) put(bits.first[k], bits.second[k], i + k * lanes);
  }
}

// Four rows share the words of a call. One or two rows that are left over take turns: the second half of the
// particles gets what the first leaves. All words of a block come first, then their logarithms, then the normals: each
// is a long chain of operations, and only its own next turns fit beside it.
void RoughNormal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  const U64 d;
  const F64 df;
  constexpr std::size_t kMost = kBlockSize;
  alignas(64) std::uint64_t radius[kMost], angle[kMost];
  const RoundKeys<philox::kFewRounds> keys(key);
  for (std::size_t row = 0; row < out.rows(); row += 4) {
    const std::size_t rows = HWY_MIN(out.rows() - row, std::size_t{4}), size = out.padded_size();
    const bool shared = rows <= 2;
    const std::size_t half = shared ? rough_part(size, 2) : size;
    double* to[4] = {};
    for (std::size_t j = 0; j < rows; ++j) to[j] = out.row_data(row + j);
    for (std::size_t begin = 0; begin < half; begin += kMost) {
      DrawIdentity from = id;
      from.particle += static_cast<std::uint32_t>(begin);
      const std::size_t count = HWY_MIN(half - begin, kMost);
      RoughBits(keys, from, static_cast<std::uint32_t>(row / 4), count,
                [&](VU64 first, VU64 second, std::size_t i) HWY_ATTR {
                  hn::Store(first, d, radius + i);
                  hn::Store(second, d, angle + i);
                });
      const std::size_t lanes = hn::Lanes(d);
      for (std::size_t i = 0; i < count; i += kTogether * lanes) {
        VU64 bits[kTogether];
        for (std::size_t k = 0; k < kTogether; ++k) bits[k] = hn::Load(d, radius + i + k * lanes);
        RoughSquares(bits);
        for (std::size_t k = 0; k < kTogether; ++k) hn::Store(bits[k], d, radius + i + k * lanes);
      }
      for (std::size_t i = 0; i < count; i += kTogether * lanes) {
        VU64 radii[kTogether], angles[kTogether];
        for (std::size_t k = 0; k < kTogether; ++k) {
          radii[k] = hn::Load(d, radius + i + k * lanes);
          angles[k] = hn::Load(d, angle + i + k * lanes);
        }
        VF64 normals[kTogether][4];
        RoughNormals(radii, angles, normals);
        for (std::size_t k = 0; k < kTogether; ++k) {
          const std::size_t at = begin + i + k * lanes;
          hn::Store(normals[k][0], df, to[0] + at);
          if (rows > 1) hn::Store(normals[k][1], df, to[1] + at);
          if (rows > 2) hn::Store(normals[k][2], df, to[2] + at);
          if (rows > 3) hn::Store(normals[k][3], df, to[3] + at);
          if (!shared || half + at >= size) continue;
          hn::Store(normals[k][2], df, to[0] + half + at);
          if (rows > 1) hn::Store(normals[k][3], df, to[1] + half + at);
        }
      }
    }
  }
}

// A 32-bit word in the low half of each lane, as (word + 1/2) / 2^32.
HWY_INLINE VF64 RoughToUniform(VU64 words) {
  const U64 d;
  const F64 df;
  const VF64 number = hn::BitCast(df, hn::Or(words, hn::Set(d, 0x4330000000000000U)));  // 2^52 + word
  return hn::MulAdd(hn::Sub(number, hn::Set(df, 0x1p52)), hn::Set(df, 0x1p-32), hn::Set(df, 0x1p-33));
}

void RoughUniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, double* out, std::size_t size) {
  const U64 d;
  const F64 df;
  const VU64 mask = hn::Set(d, 0xFFFFFFFFU);
  const std::size_t quarter = rough_part(size, 4);
  RoughBits(RoundKeys<philox::kFewRounds>(key), id, 0, quarter, [&](VU64 first, VU64 second, std::size_t i) HWY_ATTR {
    const VU64 words[4] = {hn::And(first, mask), hn::ShiftRight<32>(first), hn::And(second, mask),
                           hn::ShiftRight<32>(second)};
    for (std::size_t k = 0; k < 4; ++k)
      if (k * quarter + i < size) hn::Store(RoughToUniform(words[k]), df, out + k * quarter + i);
  });
}

}  // namespace evident::random_fill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::random_fill {

HWY_EXPORT(Uniform);
HWY_EXPORT(Normal);
HWY_EXPORT(RoughNormal);
HWY_EXPORT(RoughUniform);

void uniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  HWY_DYNAMIC_DISPATCH(Uniform)(key, id, out);
}
void normal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  HWY_DYNAMIC_DISPATCH(Normal)(key, id, out);
}

void rough_normal(std::array<std::uint32_t, 2> key, const DrawIdentity& id, Block out) {
  HWY_DYNAMIC_DISPATCH(RoughNormal)(key, id, out);
}
void rough_uniform(std::array<std::uint32_t, 2> key, const DrawIdentity& id, double* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(RoughUniform)(key, id, out, padded(n));
}

}  // namespace evident::random_fill
#endif
