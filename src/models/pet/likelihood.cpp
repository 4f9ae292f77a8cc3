#include "models/pet/likelihood.hpp"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/pet/likelihood.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// The kernel must come after highway.h.
#include "models/pet/likelihood-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::pet::HWY_NAMESPACE {
namespace {

constexpr std::size_t kMostCompartments = 16;  // beyond that the careful way is taken

enum class Kind { normal, student, traffic };

template <Kind kind>
using TileOf = std::conditional_t<kind == Kind::normal, NormalTile,
                                  std::conditional_t<kind == Kind::student, StudentTile, TrafficTile>>;

/// A vector of particles: weights, frames, reduction over frames. Returns which of them need the careful way.
template <std::size_t M, Kind kind, bool blood>
HWY_INLINE hn::Mask<D> SomeParticles(const Curve& curve, ConstBlock phi, ConstBlock theta, std::size_t first,
                                     const double* ratio, double* sum, double* log_product) {
  const D d;
  const std::size_t count = phi.rows();
  Weights weights[M ? M : kMostCompartments];
  auto good = hn::Eq(hn::Zero(d), hn::Zero(d));
  V bound = hn::Set(d, curve.most_blood);
  for (std::size_t j = 0; j < (M ? M : count); ++j) {
    const V scaled = hn::Mul(hn::Load(d, phi.row_data(j) + first), hn::Set(d, 1 / curve.unit));
    good = hn::And(good, Locate(*curve.table, hn::Load(d, theta.row_data(j) + first), scaled, weights[j]));
    bound = hn::MulAdd(hn::Abs(scaled), hn::Set(d, curve.table->largest()), bound);
  }
  good = hn::And(good, hn::Le(bound, hn::Set(d, kLargestC)));

  Reduced low, high;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    TileOf<kind> tile(kind == Kind::student ? ratio[first + lane] : 0.0);
    AllFrames<M, blood>(curve, weights, lane, count, tile);
    hn::Store(tile.sum, d, low.sum + lane * kLanes);
    hn::Store(tile.total.mantissa, d, low.mantissa + lane * kLanes);
    hn::Store(tile.total.exponent, d, low.exponent + lane * kLanes);
    if constexpr (kind == Kind::student) {
      hn::Store(tile.upper_total.mantissa, d, high.mantissa + lane * kLanes);
      hn::Store(tile.upper_total.exponent, d, high.exponent + lane * kLanes);
    }
  }
  V total = hn::Zero(d);
  ForEachColumn(low.sum, [&](V v) HWY_ATTR { total = hn::Add(total, v); });
  if constexpr (kind != Kind::traffic) {
    const bool several = curve.table->width() > kTile * kLanes;
    const V log_c = LogOfProduct(low.mantissa, low.exponent, several);
    if constexpr (kind == Kind::student)
      total = hn::Add(total, hn::Sub(LogOfProduct(high.mantissa, high.exponent, several), log_c));
    hn::Store(log_c, d, log_product + first);
  }
  total = hn::IfThenElse(good, total, hn::Set(d, kMissing));
  hn::Store(total, d, sum + first);
  return hn::IsNaN(total);
}

template <std::size_t M, Kind kind, bool blood>
bool AllParticles(const Curve& curve, ConstBlock phi, ConstBlock theta, const double* ratio, double* sum,
                  double* log_product) {
  const D d;
  auto missing = hn::Ne(hn::Zero(d), hn::Zero(d));
  for (std::size_t first = 0; first < phi.padded_size(); first += kLanes)
    missing = hn::Or(missing, SomeParticles<M, kind, blood>(curve, phi, theta, first, ratio, sum, log_product));
  return hn::AllFalse(d, missing);
}

template <Kind kind, bool blood>
bool Dispatch(const Curve& curve, ConstBlock phi, ConstBlock theta, const double* ratio, double* sum,
              double* log_product) {
  switch (phi.rows()) {
    case 1:
      return AllParticles<1, kind, blood>(curve, phi, theta, ratio, sum, log_product);
    case 2:
      return AllParticles<2, kind, blood>(curve, phi, theta, ratio, sum, log_product);
    case 3:
      return AllParticles<3, kind, blood>(curve, phi, theta, ratio, sum, log_product);
    case 4:
      return AllParticles<4, kind, blood>(curve, phi, theta, ratio, sum, log_product);
    default:
      break;
  }
  if (phi.rows() <= kMostCompartments) return AllParticles<0, kind, blood>(curve, phi, theta, ratio, sum, log_product);
  for (std::size_t i = 0; i < phi.padded_size(); ++i) sum[i] = kMissing;
  return false;
}

}  // namespace

bool NormalTerms(const Curve& curve, ConstBlock phi, ConstBlock theta, double* sum, double* log_product) {
  const auto dispatch = curve.most_blood > 0 ? Dispatch<Kind::normal, true> : Dispatch<Kind::normal, false>;
  return dispatch(curve, phi, theta, nullptr, sum, log_product);
}
bool StudentTerms(const Curve& curve, ConstBlock phi, ConstBlock theta, const double* ratio, double* sum,
                  double* log_product) {
  const auto dispatch = curve.most_blood > 0 ? Dispatch<Kind::student, true> : Dispatch<Kind::student, false>;
  return dispatch(curve, phi, theta, ratio, sum, log_product);
}
void TableTraffic(const Curve& curve, ConstBlock phi, ConstBlock theta, double* sum) {
  Dispatch<Kind::traffic, false>(curve, phi, theta, nullptr, sum, nullptr);
}

}  // namespace evident::pet::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::pet {

HWY_EXPORT(NormalTerms);
HWY_EXPORT(StudentTerms);
HWY_EXPORT(TableTraffic);

bool normal_terms(const Curve& curve, ConstBlock phi, ConstBlock theta, double* sum, double* log_product) {
  return HWY_DYNAMIC_DISPATCH(NormalTerms)(curve, phi, theta, sum, log_product);
}
bool student_terms(const Curve& curve, ConstBlock phi, ConstBlock theta, const double* ratio, double* sum,
                   double* log_product) {
  return HWY_DYNAMIC_DISPATCH(StudentTerms)(curve, phi, theta, ratio, sum, log_product);
}
void table_traffic(const Curve& curve, ConstBlock phi, ConstBlock theta, double* sum) {
  HWY_DYNAMIC_DISPATCH(TableTraffic)(curve, phi, theta, sum);
}

}  // namespace evident::pet
#endif  // HWY_ONCE
