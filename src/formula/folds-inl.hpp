// Sums and extremes over rows. What is summed up so far lives in up to three scalar slots between tiles. Compiled once
// per SIMD target.
#if defined(EVIDENT_FORMULA_FOLDS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_FORMULA_FOLDS_INL_HPP_
#undef EVIDENT_FORMULA_FOLDS_INL_HPP_
#else
#define EVIDENT_FORMULA_FOLDS_INL_HPP_
#endif

#include "formula/kernels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::formula {
namespace HWY_NAMESPACE {

/// sum = f(sum, a, b) over the rows; several vectors of lanes at once keep the adders busy.
template <bool kA, bool kB, class F>
HWY_INLINE void FoldAs(const View& a, const View& b, double* sum, std::size_t rows, std::size_t lanes, F f) {
  constexpr std::size_t kTogether = 2;
  const D d;
  const std::size_t n = hn::Lanes(d);
  for (std::size_t i = 0; i < lanes; i += kTogether * n) {
    V s[kTogether];
    for (std::size_t q = 0; q < kTogether; ++q) s[q] = hn::Load(d, sum + i + q * n);
    for (std::size_t r = 0; r < rows; ++r) {
      const double *pa = a.row(r), *pb = b.row(r);
      for (std::size_t q = 0; q < kTogether; ++q) s[q] = f(s[q], Get<kA>(pa, i + q * n), Get<kB>(pb, i + q * n));
    }
    for (std::size_t q = 0; q < kTogether; ++q) hn::Store(s[q], d, sum + i + q * n);
  }
}

template <class F>
HWY_INLINE void FoldTwo(const View* x, double* sum, std::size_t rows, std::size_t lanes, F f) {
  if (x[0].each && x[1].each) return FoldAs<true, true>(x[0], x[1], sum, rows, lanes, f);
  if (x[0].each) return FoldAs<true, false>(x[0], x[1], sum, rows, lanes, f);
  return FoldAs<false, true>(x[0], x[1], sum, rows, lanes, f);
}

template <class F>
HWY_INLINE void FoldOne(const View& a, double* sum, std::size_t rows, std::size_t lanes, F f) {
  FoldAs<true, true>(a, a, sum, rows, lanes, [&](V s, V x, V) HWY_ATTR { return f(s, x); });
}

/// The product of f(x) as mantissa and exponent in state[0] and state[1]; `f` may add to the sum in state[2].
/// kBounded: factors are from 1 to 2^30, so that a tile of them cannot overflow.
template <bool kBounded, class F>
HWY_INLINE void FoldProduct(double* state, std::size_t rows, std::size_t lanes, F f) {
  const D d;
  for (std::size_t i = 0; i < lanes; i += hn::Lanes(d)) {
    LogProduct<D> product(hn::Load(d, state + i), hn::Load(d, state + kWidth + i));
    V sum = hn::Load(d, state + 2 * kWidth + i);
    for (std::size_t r = 0; r < rows; ++r) {
      const V factor = f(r, i, sum);
      kBounded ? product.MultiplyUnchecked(factor) : product.Multiply(factor);
    }
    product.Renormalise();
    hn::Store(product.Mantissa(), d, state + i);
    hn::Store(product.Exponent(), d, state + kWidth + i);
    hn::Store(sum, d, state + 2 * kWidth + i);
  }
}

/// A factor for log(1 + exp a). A factor near 1 would lose the digits of a small logarithm: that one is added as a sum.
HWY_INLINE V OnePlusExp(V a, V& sum) {
  const D d;
  const V e = FastExpBounded(d, hn::Neg(hn::Abs(a)));
  const auto small = hn::Lt(e, hn::Set(d, 0x1p-10));
  // e - e^2/2 + e^3/3 - e^4/4 + e^5/5
  const V high = hn::MulAdd(e, hn::Set(d, 0.2), hn::Set(d, -0.25)), low = hn::MulAdd(e, high, hn::Set(d, 1.0 / 3));
  const V slope = hn::MulAdd(e, hn::MulAdd(e, low, hn::Set(d, -0.5)), One());
  sum = hn::Add(sum, hn::MulAdd(hn::IfThenElseZero(small, e), slope, MaxOf(a, hn::Zero(d))));
  return hn::Add(One(), hn::IfThenZeroElse(small, e));
}

HWY_INLINE void FoldLogSumExp(const View* x, std::size_t count, Room& room, double* state, std::size_t rows,
                              std::size_t lanes) {
  const double* const* p = room.lanes_of(x, count, rows);
  FoldProduct<true>(state, rows, lanes, [&](std::size_t r, std::size_t i, V& sum) HWY_ATTR {
    V top;
    const V relative = SumRelative(p + r * count, count, i, top);
    sum = hn::Add(sum, top);
    return relative;
  });
}

HWY_INLINE void FoldGroups(const View& a, const std::uint32_t* group, double* sums, std::size_t rows,
                           std::size_t lanes) {
  const D d;
  for (std::size_t r = 0; r < rows; ++r) {
    double* to = sums + group[r] * kWidth;
    const double* from = a.row(r);
    for (std::size_t i = 0; i < lanes; i += hn::Lanes(d))
      hn::Store(hn::Add(hn::Load(d, to + i), hn::Load(d, from + i)), d, to + i);
  }
}

/// The sum in state[2] and the log of the product, together.
HWY_INLINE void EndProduct(const double* state, double* out, std::size_t lanes) {
  const D d;
  for (std::size_t i = 0; i < lanes; i += hn::Lanes(d)) {
    LogProduct<D> product(hn::Load(d, state + i), hn::Load(d, state + kWidth + i));
    hn::Store(hn::Add(hn::Load(d, state + 2 * kWidth + i), product.Log()), d, out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::formula
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
