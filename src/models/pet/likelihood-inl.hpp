// Frames in lanes: one particle at a time reads whole rows of the table; the weights of the rows are made for as many
// particles at once as there are lanes. Compiled once per SIMD target.
#if defined(EVIDENT_MODELS_PET_LIKELIHOOD_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_MODELS_PET_LIKELIHOOD_INL_HPP_
#undef EVIDENT_MODELS_PET_LIKELIHOOD_INL_HPP_
#else
#define EVIDENT_MODELS_PET_LIKELIHOOD_INL_HPP_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/simd_math-inl.hpp"
#include "hwy/highway.h"
#include "models/pet/likelihood.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::pet::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace math = evident::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
inline constexpr std::size_t kLanes = hn::MaxLanes(D());
inline constexpr std::size_t kTile = 8;          // vectors whose product is taken before its exponent is set aside
inline constexpr double kLargestC = 1e10;        // with c below this no product of a tile can overflow,
inline constexpr double kSmallestTile = 1e-200;  // and with the product above this no partial one was subnormal
inline constexpr double kLargestTile = 1e290;
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

HWY_INLINE V Exponent(V positive) {  // biased by 1023; the bits of 2^52 + exponent make it a number
  const D d;
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::Or(hn::ShiftRight<52>(hn::BitCast(du, positive)), hn::Set(du, 0x4330000000000000ULL));
  return hn::Sub(hn::BitCast(d, bits), hn::Set(d, 0x1p52));
}

HWY_INLINE V Mantissa(V positive) {  // in [1, 2)
  const D d;
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::And(hn::BitCast(du, positive), hn::Set(du, 0x000FFFFFFFFFFFFFULL));
  return hn::BitCast(d, hn::Or(bits, hn::Set(du, 0x3FF0000000000000ULL)));
}

/// A product as mantissa times 2^exponent, lane by lane.
struct Product {
  V mantissa, exponent;
  HWY_INLINE Product() : mantissa(hn::Set(D(), 1.0)), exponent(hn::Zero(D())) {}
  HWY_INLINE void Multiply(V tile, bool last) {  // the last factor may keep its exponent
    mantissa = hn::Mul(mantissa, tile);
    if (last) return;
    exponent = hn::Add(exponent, hn::Sub(Exponent(mantissa), hn::Set(D(), 1023.0)));
    mantissa = Mantissa(mantissa);
  }
};

/// Sums (b-c)^2 / c with one division a tile: fractions are added as n1/p1 + n2/p2 = (n1 p2 + n2 p1) / (p1 p2), and
/// the common denominator is the product that the logarithm needs.
struct NormalTile {
  V numerator, product, sum;
  Product total;

  explicit HWY_INLINE NormalTile(double)
      : numerator(hn::Zero(D())), product(hn::Set(D(), 1.0)), sum(hn::Zero(D())), total() {}
  HWY_INLINE void Add(V c1, V b1, V c2, V b2) {
    const V r1 = hn::Sub(b1, c1), r2 = hn::Sub(b2, c2);
    const V n = hn::MulAdd(hn::Mul(r1, r1), c2, hn::Mul(hn::Mul(r2, r2), c1));
    const V p = hn::Mul(c1, c2);
    numerator = hn::MulAdd(numerator, p, hn::Mul(n, product));
    product = hn::Mul(product, p);
  }
  HWY_INLINE void Finish(bool last) {
    const D d;
    const V missing = hn::Set(d, kMissing);
    sum =
        hn::Add(sum, hn::IfThenElse(hn::Ge(product, hn::Set(d, kSmallestTile)), hn::Div(numerator, product), missing));
    total.Multiply(product, last);
    numerator = hn::Zero(d);
    product = hn::Set(d, 1.0);
  }
};

/// Products of c and of c + k (b-c)^2; the ratio of the two is the product of 1 + k (b-c)^2 / c.
struct StudentTile {
  V ratio, product, upper, sum;
  Product total, upper_total;

  explicit HWY_INLINE StudentTile(double k)
      : ratio(hn::Set(D(), k)),
        product(hn::Set(D(), 1.0)),
        upper(hn::Set(D(), 1.0)),
        sum(hn::Zero(D())),
        total(),
        upper_total() {}
  HWY_INLINE void Add(V c1, V b1, V c2, V b2) {
    const V r1 = hn::Sub(b1, c1), r2 = hn::Sub(b2, c2);
    const V a1 = hn::MulAdd(hn::Mul(r1, r1), ratio, c1), a2 = hn::MulAdd(hn::Mul(r2, r2), ratio, c2);
    product = hn::Mul(product, hn::Mul(c1, c2));
    upper = hn::Mul(upper, hn::Mul(a1, a2));
  }
  HWY_INLINE void Finish(bool last) {
    const D d;
    const auto good = hn::And(hn::Ge(product, hn::Set(d, kSmallestTile)), hn::Le(upper, hn::Set(d, kLargestTile)));
    sum = hn::Add(sum, hn::IfThenElse(good, hn::Zero(d), hn::Set(d, kMissing)));
    total.Multiply(product, last);
    upper_total.Multiply(upper, last);
    product = upper = hn::Set(d, 1.0);
  }
};

/// Adds the predictions up and does nothing else.
struct TrafficTile {
  V sum;
  Product total;
  explicit HWY_INLINE TrafficTile(double) : sum(hn::Zero(D())), total() {}
  HWY_INLINE void Add(V c1, V, V c2, V) { sum = hn::Add(sum, hn::Add(c1, c2)); }
  HWY_INLINE void Finish(bool) {}
};

/// For a vector of particles and one compartment: node below, and the four weights times phi.
struct Weights {
  HWY_ALIGN double node[kLanes];
  HWY_ALIGN double weight[4][kLanes];
};

/// Returns which rates the table covers; the others get node 0.
HWY_INLINE hn::Mask<D> Locate(const ConvolutionTable& table, V theta, V phi, Weights& out) {
  const D d;
  const V one = hn::Set(d, 1.0);
  const auto covered =
      hn::And(hn::Ge(theta, hn::Set(d, table.theta_min())), hn::Le(theta, hn::Set(d, table.theta_max())));
  const V m = hn::Sub(Mantissa(theta), one);
  const V within = hn::Mul(hn::Mul(m, hn::Sub(hn::Set(d, 4.0), m)), hn::Set(d, 1.0 / 3));
  const V octave = hn::Sub(Exponent(theta), hn::Set(d, 1023 + table.first_octave()));
  const V position =
      hn::IfThenElseZero(covered, hn::Mul(hn::Add(octave, within), hn::Set(d, table.nodes_per_octave())));
  const V top = hn::Set(d, static_cast<double>(table.node_count() - 2));
  const V node = hn::Min(hn::Max(hn::Floor(position), hn::Zero(d)), top);
  const V s = hn::Sub(position, node), r = hn::Sub(one, s);
  const V rr = hn::Mul(hn::Mul(r, r), phi), ss = hn::Mul(hn::Mul(s, s), phi);
  hn::Store(node, d, out.node);
  hn::Store(hn::Mul(rr, hn::Add(one, hn::Add(s, s))), d, out.weight[0]);
  hn::Store(hn::Mul(rr, s), d, out.weight[1]);
  hn::Store(hn::Mul(ss, hn::Add(one, hn::Add(r, r))), d, out.weight[2]);
  hn::Store(hn::Neg(hn::Mul(ss, r)), d, out.weight[3]);
  return covered;
}

/// Calls f with the columns of an array of kLanes x kLanes, one after the other.
template <class F>
HWY_INLINE void ForEachColumn(const double* rows, F&& f) {
  const D d;
#if HWY_TARGET == HWY_SCALAR
  f(hn::Load(d, rows));
#elif HWY_TARGET == HWY_AVX2
  V columns[4];
  hn::LoadInterleaved4(d, rows, columns[0], columns[1], columns[2], columns[3]);
  for (const V& v : columns) f(v);
#else
  V columns[2];
  hn::LoadInterleaved2(d, rows, columns[0], columns[1]);
  for (const V& v : columns) f(v);
#endif
}
static_assert(kLanes == (HWY_TARGET == HWY_SCALAR ? 1 : HWY_TARGET == HWY_AVX2 ? 4 : 2));

struct Reduced {  // of a vector of particles, lanes of frames still apart
  HWY_ALIGN double sum[kLanes * kLanes];
  HWY_ALIGN double mantissa[kLanes * kLanes];
  HWY_ALIGN double exponent[kLanes * kLanes];
};

/// Sum over columns of log(mantissa 2^exponent).
HWY_INLINE V LogOfProduct(const double* mantissa, const double* exponent, bool has_exponent) {
  const D d;
  V m = hn::Set(d, 1.0), e = hn::Set(d, -1023.0 * kLanes);
  ForEachColumn(mantissa, [&](V v) HWY_ATTR {
    m = hn::Mul(m, Mantissa(v));
    e = hn::Add(e, Exponent(v));
  });
  if (has_exponent) ForEachColumn(exponent, [&](V v) HWY_ATTR { e = hn::Add(e, v); });
  return hn::MulAdd(e, hn::Set(d, 0.6931471805599453094), math::FastLogPositive(d, m));
}

/// All frames of one particle. M compartments; 0 means `count`, known at run time only. Without `blood` the row of what
/// blood adds is all 0 and not read, which saves some 4 %.
template <std::size_t M, bool blood, class Tile>
HWY_INLINE void AllFrames(const Curve& curve, const Weights* weights, std::size_t lane, std::size_t count, Tile& tile) {
  const D d;
  const std::size_t width = curve.table->width(), compartments = M ? M : count;
  const double* HWY_RESTRICT b = curve.activity.data();
  const double* HWY_RESTRICT floor = curve.floor.data();
  const double* HWY_RESTRICT offset = curve.blood.data();
  const double* rows[M ? M : 1];
  V w[M ? M : 1][4];
  const auto node = [&](std::size_t j) HWY_ATTR {
    return curve.table->nodes() + static_cast<std::size_t>(weights[j].node[lane]) * 2 * width;
  };
  if constexpr (M > 0) {
    for (std::size_t j = 0; j < M; ++j) {
      rows[j] = node(j);
      for (int k = 0; k < 4; ++k) w[j][k] = hn::Set(d, weights[j].weight[k][lane]);
    }
  }
  const auto predict = [&](std::size_t i) HWY_ATTR {
    V c = blood ? hn::Load(d, offset + i) : hn::Zero(d);
    for (std::size_t j = 0; j < compartments; ++j) {
      const double* HWY_RESTRICT row = (M > 0 ? rows[M ? j : 0] : node(j)) + i;
      for (std::size_t k = 0; k < 4; ++k) {
        const V weight = M > 0 ? w[M ? j : 0][k] : hn::Set(d, weights[j].weight[k][lane]);
        c = !blood && j == 0 && k == 0 ? hn::Mul(weight, hn::Load(d, row))
                                       : hn::MulAdd(weight, hn::Load(d, row + k * width), c);
      }
    }
    return hn::Max(hn::Abs(c), hn::Load(d, floor + i));
  };
  for (std::size_t begin = 0; begin < width; begin += kTile * kLanes) {
    const std::size_t end = HWY_MIN(begin + kTile * kLanes, width);
    for (std::size_t i = begin; i < end; i += 2 * kLanes)
      tile.Add(predict(i), hn::Load(d, b + i), predict(i + kLanes), hn::Load(d, b + i + kLanes));
    tile.Finish(end == width);
  }
}

}  // namespace evident::pet::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
