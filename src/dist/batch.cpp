#include "dist/batch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "evident/base/block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dist/batch.cpp"  // NOLINT
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once per target.
#include "base/simd_math-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace evident::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

/// out += f(x), whole vectors only; a shorter rest goes through a buffer so that it meets the same instructions.
template <class F>
void AddToEach(std::span<const double> x, std::span<double> out, const F& f) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(d, out.data() + i), f(hn::LoadU(d, x.data() + i))), d, out.data() + i);
  }
  if (i == x.size()) return;
  const std::size_t rest = x.size() - i;
  std::array<double, kLane> in, sum;
  in.fill(1.0);
  sum.fill(0.0);
  std::copy_n(x.data() + i, rest, in.data());
  std::copy_n(out.data() + i, rest, sum.data());
  hn::StoreU(hn::Add(hn::LoadU(d, sum.data()), f(hn::LoadU(d, in.data()))), d, sum.data());
  std::copy_n(sum.data(), rest, out.data() + i);
}

/// The same for f(x, first, second) with two arguments that may differ from lane to lane.
template <class F>
void AddToEach(std::span<const double> x, std::span<const ArgumentValues> args, std::span<double> out, const F& f) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const auto load = [d](const ArgumentValues& a, std::size_t i)
                        HWY_ATTR { return a.per_particle ? hn::LoadU(d, a.data + i) : hn::Set(d, *a.data); };
  std::size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes) {
    const V value = f(hn::LoadU(d, x.data() + i), load(args[0], i), load(args[1], i));
    hn::StoreU(hn::Add(hn::LoadU(d, out.data() + i), value), d, out.data() + i);
  }
  if (i == x.size()) return;
  const std::size_t rest = x.size() - i;
  std::array<double, kLane> in, first, second, sum;
  for (std::size_t k = 0; k < kLane; ++k) {
    const std::size_t from = i + std::min(k, rest - 1);  // the last one fills up
    in[k] = x[from];
    first[k] = args[0][from];
    second[k] = args[1][from];
    sum[k] = out[from];
  }
  const V value = f(hn::LoadU(d, in.data()), hn::LoadU(d, first.data()), hn::LoadU(d, second.data()));
  hn::StoreU(hn::Add(hn::LoadU(d, sum.data()), value), d, sum.data());
  std::copy_n(sum.data(), rest, out.data() + i);
}

HWY_INLINE auto Inside(V x, double lower, double upper) {
  const D d;
  return hn::And(hn::Ge(x, hn::Set(d, lower)), hn::Le(x, hn::Set(d, upper)));
}

HWY_INLINE V Impossible() { return hn::Set(D(), -kInf); }

void AddFlat(const dist::FlatTerm& t, std::span<const double> x, std::span<double> out) {
  AddToEach(x, out, [&t](V v) HWY_ATTR {
    return hn::IfThenElse(Inside(v, t.lower, t.upper), hn::Set(D(), t.constant), Impossible());
  });
}

void AddGaussian(const dist::GaussianTerm& t, std::span<const double> x, std::span<double> out) {
  const D d;
  const V scale = hn::Set(d, t.inverse_sd), mean = hn::Set(d, t.mean), origin = hn::Set(d, t.origin);
  const V shift = hn::Set(d, (t.origin - t.mean) * t.inverse_sd), constant = hn::Set(d, t.constant);
  const V minus_half = hn::Set(d, -0.5);
  AddToEach(x, out, [=, &t](V v) HWY_ATTR {
    const V from_origin = hn::Mul(hn::Sub(v, origin), scale);
    const V from_mean = hn::Mul(hn::Sub(v, mean), scale);
    const V value = hn::MulAdd(hn::Mul(minus_half, from_origin), hn::Add(from_mean, shift), constant);
    return hn::IfThenElse(Inside(v, t.lower, t.upper), value, Impossible());
  });
}

template <bool kLog, bool kInverse>
void AddLogLinear(const dist::LogLinearTerm& t, std::span<const double> x, std::span<double> out) {
  const D d;
  const V constant = hn::Set(d, t.constant), factor = hn::Set(d, t.factor), log_factor = hn::Set(d, t.log_factor);
  const V inverse_factor = hn::Set(d, t.inverse_factor), at_zero = hn::Set(d, t.at_zero);
  // Infinity is never inside: the largest finite number is the last.
  const double upper = std::min(t.upper, std::numeric_limits<double>::max());
  AddToEach(x, out, [=, &t](V v) HWY_ATTR {
    V value = hn::MulAdd(factor, v, constant);
    if constexpr (kLog) value = hn::MulAdd(log_factor, FastLog(D(), v), value);
    if constexpr (kInverse) value = hn::Add(value, hn::Div(inverse_factor, v));
    value = hn::IfThenElse(hn::Eq(v, hn::Zero(D())), at_zero, value);
    return hn::IfThenElse(Inside(v, t.lower, upper), value, Impossible());
  });
}

void AddLogLinearAny(const dist::LogLinearTerm& t, std::span<const double> x, std::span<double> out) {
  const bool has_log = t.log_factor != 0, has_inverse = t.inverse_factor != 0;
  if (has_log && has_inverse) return AddLogLinear<true, true>(t, x, out);
  if (has_log) return AddLogLinear<true, false>(t, x, out);
  if (has_inverse) return AddLogLinear<false, true>(t, x, out);
  return AddLogLinear<false, false>(t, x, out);
}

void AddLogNormal(const dist::LogNormalTerm& t, std::span<const double> x, std::span<double> out) {
  const D d;
  const V constant = hn::Set(d, t.constant), mean = hn::Set(d, t.mean), scale = hn::Set(d, t.inverse_sd);
  AddToEach(x, out, [=](V v) HWY_ATTR {
    const V log_x = FastLog(D(), v);
    const V z = hn::Mul(hn::Sub(log_x, mean), scale);
    const V value = hn::MulAdd(hn::Mul(hn::Set(D(), -0.5), z), z, hn::Sub(constant, log_x));
    const auto possible = hn::And(hn::Gt(v, hn::Zero(D())), hn::Lt(v, hn::Set(D(), kInf)));
    return hn::IfThenElse(possible, value, Impossible());
  });
}

void AddBeta(const dist::BetaTerm& t, std::span<const double> x, std::span<double> out) {
  const D d;
  const V constant = hn::Set(d, t.constant), one = hn::Set(d, 1.0);
  const V log_factor = hn::Set(d, t.log_factor), log1m_factor = hn::Set(d, t.log1m_factor);
  const V at_zero = hn::Set(d, t.at_zero), at_one = hn::Set(d, t.at_one);
  AddToEach(x, out, [=](V v) HWY_ATTR {
    // log(1 - x) = log(y) x / (1 - y) with the rounded y = 1 - x (Kahan); x itself when y rounds to 1.
    const V y = hn::Sub(one, v);
    const V rounded = hn::Sub(one, y);
    const V log_y = hn::IfThenElse(hn::Eq(y, one), hn::Neg(v), hn::Div(hn::Mul(FastLog(D(), y), v), rounded));
    const V sum = hn::MulAdd(log_factor, FastLog(D(), v), hn::MulAdd(log1m_factor, log_y, constant));
    const V at_ends = hn::IfThenElse(hn::Eq(v, one), at_one, sum);
    const V value = hn::IfThenElse(hn::Eq(v, hn::Zero(D())), at_zero, at_ends);
    return hn::IfThenElse(Inside(v, 0.0, 1.0), value, Impossible());
  });
}

void AddUniform(std::span<const double> x, std::span<const ArgumentValues> bounds, std::span<double> out) {
  AddToEach(x, bounds, out, [](V v, V lower, V upper) HWY_ATTR {
    const V width = hn::Sub(upper, lower);
    const auto valid = hn::And(hn::Gt(width, hn::Zero(D())), hn::Lt(width, hn::Set(D(), kInf)));
    const auto possible = hn::And(valid, hn::And(hn::Ge(v, lower), hn::Le(v, upper)));
    return hn::IfThenElse(possible, hn::Neg(FastLog(D(), width)), Impossible());
  });
}

void AddNormal(std::span<const double> x, std::span<const ArgumentValues> mean_sd, std::span<double> out) {
  AddToEach(x, mean_sd, out, [](V v, V mean, V sd) HWY_ATTR {
    const V z = hn::Div(hn::Sub(v, mean), sd);
    const V constant = hn::Sub(hn::Set(D(), -0.5 * kLog2Pi), FastLog(D(), sd));
    const V value = hn::MulAdd(hn::Mul(hn::Set(D(), -0.5), z), z, constant);
    const auto valid =
        hn::And(hn::Lt(hn::Abs(mean), hn::Set(D(), kInf)), Inside(sd, dist::kSmallestArgument, dist::kLargestArgument));
    return hn::IfThenElse(hn::And(valid, hn::Eq(v, v)), value, Impossible());
  });
}

}  // namespace evident::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident {

HWY_EXPORT(AddUniform);
HWY_EXPORT(AddNormal);
HWY_EXPORT(AddFlat);
HWY_EXPORT(AddGaussian);
HWY_EXPORT(AddLogLinearAny);
HWY_EXPORT(AddLogNormal);
HWY_EXPORT(AddBeta);

namespace dist {

void add_uniform(std::span<const double> x, std::span<const ArgumentValues> bounds, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(AddUniform)(x, bounds, out);
}
void add_normal(std::span<const double> x, std::span<const ArgumentValues> mean_sd, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(AddNormal)(x, mean_sd, out);
}
void add(const FlatTerm& t, std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(AddFlat)(t, x, out);
}
void add(const GaussianTerm& t, std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(AddGaussian)(t, x, out);
}
void add(const LogLinearTerm& t, std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(AddLogLinearAny)(t, x, out);
}
void add(const LogNormalTerm& t, std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(AddLogNormal)(t, x, out);
}
void add(const BetaTerm& t, std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(AddBeta)(t, x, out);
}

}  // namespace dist
}  // namespace evident
#endif  // HWY_ONCE
