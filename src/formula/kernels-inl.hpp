// The steps of a program: out = f(arguments), for some rows and all lanes. Compiled once per SIMD target.
//
// An argument is a View: numbers per lane that change with the row, or do not, or one number per row for all lanes.
#if defined(EVIDENT_FORMULA_KERNELS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef EVIDENT_FORMULA_KERNELS_INL_HPP_
#undef EVIDENT_FORMULA_KERNELS_INL_HPP_
#else
#define EVIDENT_FORMULA_KERNELS_INL_HPP_
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/simd_math-inl.hpp"
#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "formula/program.hpp"
#include "formula/special.hpp"
#include "formula/view.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace evident::formula {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using evident::HWY_NAMESPACE::FastExp;
using evident::HWY_NAMESPACE::FastExp2Clamped;
using evident::HWY_NAMESPACE::FastExpBounded;
using evident::HWY_NAMESPACE::FastLog;
using evident::HWY_NAMESPACE::FastLogPositive;
using evident::HWY_NAMESPACE::LogProduct;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

inline constexpr double kLog2E = 1.44269504088896340736;
inline constexpr double kLn2 = 0.69314718055994530942;

template <bool kEach>
HWY_INLINE V Get(const double* p, std::size_t i) {
  const D d;
  if constexpr (kEach) return hn::Load(d, p + i);
  return hn::Set(d, *p);
}

HWY_INLINE V One() { return hn::Set(D(), 1.0); }
HWY_INLINE V Truth(hn::Mask<D> m) { return hn::IfThenElseZero(m, One()); }
HWY_INLINE hn::Mask<D> IsTrue(V v) { return hn::Ne(v, hn::Zero(D())); }

HWY_INLINE V Exp(V x) {
  const D d;
  return hn::IfThenElse(hn::Gt(x, hn::Set(d, 709.78)), hn::Set(d, kInf), FastExp(d, x));
}

// Kahan's correction: the rounding of 1 + x is known, and so is what the logarithm makes of it.
HWY_INLINE V Log1p(V x) {
  const D d;
  const V u = hn::Add(One(), x), rounded = hn::Sub(u, One());
  const V log_u = FastLog(d, u);
  const V corrected = hn::Mul(log_u, hn::Div(x, rounded));
  const auto small = hn::Eq(rounded, hn::Zero(d));
  const auto plain = hn::Or(hn::Eq(u, hn::Zero(d)), hn::Gt(hn::Abs(x), hn::Set(d, 1e300)));  // log(0), log(inf)
  return hn::IfThenElse(small, x, hn::IfThenElse(plain, log_u, corrected));
}

HWY_INLINE V Expm1(V x) {
  const D d;
  const V u = Exp(x), less = hn::Sub(u, One());
  const V corrected = hn::Mul(less, hn::Div(x, FastLog(d, u)));
  // Where exp(x) rounds to 1, x itself; far out u - 1 has no error to correct.
  const auto far = hn::Gt(hn::Abs(x), hn::Set(d, 30.0));
  return hn::IfThenElse(hn::Eq(u, One()), x, hn::IfThenElse(far, less, corrected));
}

HWY_INLINE V InvLogit(V x) {
  const D d;
  const V e = FastExpBounded(d, hn::Neg(hn::Abs(x))), top = hn::Div(One(), hn::Add(One(), e));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(e, top), top);
}

/// The larger one; NaN when there is one.
HWY_INLINE V MaxOf(V a, V b) { return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::Ne(a, a)), a, b); }
HWY_INLINE V MinOf(V a, V b) { return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::Ne(a, a)), a, b); }

HWY_INLINE V Log1pExp(V x) {
  const D d;
  return hn::Add(MaxOf(x, hn::Zero(d)), Log1p(FastExpBounded(d, hn::Neg(hn::Abs(x)))));
}

HWY_INLINE V Tanh(V x) {
  const V t = Expm1(hn::Mul(hn::Set(D(), -2.0), hn::Abs(x)));
  return hn::CopySign(hn::Div(hn::Neg(t), hn::Add(t, hn::Set(D(), 2.0))), x);
}

HWY_INLINE V SignOf(V x) {
  const D d;
  return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), One(), hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Set(d, -1.0), x));
}

/// One argument that differs from lane to lane.
template <class F>
HWY_INLINE void Unary(const View& a, double* out, std::size_t rows, std::size_t lanes, F f) {
  const D d;
  for (std::size_t r = 0; r < rows; ++r) {
    const double* pa = a.row(r);
    double* to = out + r * kWidth;
    for (std::size_t i = 0; i < lanes; i += hn::Lanes(d)) hn::Store(f(hn::Load(d, pa + i)), d, to + i);
  }
}

/// The same by a function of one number: for the rarer ones.
template <class F>
HWY_INLINE void ByNumber(const View& a, double* out, std::size_t rows, std::size_t lanes, F f) {
  for (std::size_t r = 0; r < rows; ++r) {
    const double* pa = a.row(r);
    for (std::size_t i = 0; i < lanes; ++i) out[r * kWidth + i] = f(pa[i]);
  }
}

template <bool kA, bool kB, class F>
HWY_INLINE void BinaryAs(const View& a, const View& b, double* out, std::size_t rows, std::size_t lanes, F f) {
  const D d;
  for (std::size_t r = 0; r < rows; ++r) {
    const double *pa = a.row(r), *pb = b.row(r);
    double* to = out + r * kWidth;
    for (std::size_t i = 0; i < lanes; i += hn::Lanes(d)) hn::Store(f(Get<kA>(pa, i), Get<kB>(pb, i)), d, to + i);
  }
}

template <class F>
HWY_INLINE void Binary(const View* x, double* out, std::size_t rows, std::size_t lanes, F f) {
  if (x[0].each && x[1].each) return BinaryAs<true, true>(x[0], x[1], out, rows, lanes, f);
  if (x[0].each) return BinaryAs<true, false>(x[0], x[1], out, rows, lanes, f);
  return BinaryAs<false, true>(x[0], x[1], out, rows, lanes, f);
}

template <bool kA, bool kB, bool kC, class F>
HWY_INLINE void TernaryAs(const View* x, double* out, std::size_t rows, std::size_t lanes, F f) {
  const D d;
  for (std::size_t r = 0; r < rows; ++r) {
    const double *pa = x[0].row(r), *pb = x[1].row(r), *pc = x[2].row(r);
    double* to = out + r * kWidth;
    for (std::size_t i = 0; i < lanes; i += hn::Lanes(d))
      hn::Store(f(Get<kA>(pa, i), Get<kB>(pb, i), Get<kC>(pc, i)), d, to + i);
  }
}

template <class F>
HWY_INLINE void Ternary(const View* x, double* out, std::size_t rows, std::size_t lanes, F f) {
  switch ((x[0].each ? 4 : 0) + (x[1].each ? 2 : 0) + (x[2].each ? 1 : 0)) {
    case 7:
      return TernaryAs<true, true, true>(x, out, rows, lanes, f);
    case 6:
      return TernaryAs<true, true, false>(x, out, rows, lanes, f);
    case 5:
      return TernaryAs<true, false, true>(x, out, rows, lanes, f);
    case 4:
      return TernaryAs<true, false, false>(x, out, rows, lanes, f);
    case 3:
      return TernaryAs<false, true, true>(x, out, rows, lanes, f);
    case 2:
      return TernaryAs<false, true, false>(x, out, rows, lanes, f);
    case 1:
      return TernaryAs<false, false, true>(x, out, rows, lanes, f);
    default:
      return TernaryAs<false, false, false>(x, out, rows, lanes, f);
  }
}

/// a (b - c)^2 + d; a and d differ from lane to lane.
template <bool kB, bool kC>
HWY_INLINE void QuadraticAs(const View* x, double* out, std::size_t rows, std::size_t lanes) {
  const D d;
  for (std::size_t r = 0; r < rows; ++r) {
    const double *pa = x[0].row(r), *pb = x[1].row(r), *pc = x[2].row(r), *pd = x[3].row(r);
    double* to = out + r * kWidth;
    for (std::size_t i = 0; i < lanes; i += hn::Lanes(d)) {
      const V t = hn::Sub(Get<kB>(pb, i), Get<kC>(pc, i));
      hn::Store(hn::MulAdd(hn::Mul(hn::Load(d, pa + i), t), t, hn::Load(d, pd + i)), d, to + i);
    }
  }
}

/// a b + c d; all of them differ from lane to lane.
HWY_INLINE void Products(const View* x, double* out, std::size_t rows, std::size_t lanes) {
  const D d;
  for (std::size_t r = 0; r < rows; ++r) {
    const double *pa = x[0].row(r), *pb = x[1].row(r), *pc = x[2].row(r), *pd = x[3].row(r);
    double* to = out + r * kWidth;
    for (std::size_t i = 0; i < lanes; i += hn::Lanes(d)) {
      const V right = hn::Mul(hn::Load(d, pc + i), hn::Load(d, pd + i));
      hn::Store(hn::MulAdd(hn::Load(d, pa + i), hn::Load(d, pb + i), right), d, to + i);
    }
  }
}

/// log of a sum of exponentials: the largest in `top`, the sum of the others relative to it as the result.
HWY_INLINE V SumRelative(const double* const* p, std::size_t count, std::size_t i, V& top) {
  const D d;
  top = hn::Load(d, p[0] + i);
  for (std::size_t k = 1; k < count; ++k) top = hn::Max(top, hn::Load(d, p[k] + i));
  // All -inf: shift by nothing, so that the result is no NaN.
  const V shift = hn::IfThenElse(hn::Eq(top, hn::Set(d, -kInf)), hn::Zero(d), top);
  const V scale = hn::Set(d, kLog2E);
  V sum = hn::Zero(d);
  std::size_t k = 0;
  for (; k + 2 <= count; k += 2) {
    V x[2] = {hn::Mul(hn::Sub(hn::Load(d, p[k] + i), shift), scale),
              hn::Mul(hn::Sub(hn::Load(d, p[k + 1] + i), shift), scale)};
    FastExp2Clamped(d, x);
    sum = hn::Add(sum, hn::Add(x[0], x[1]));
  }
  if (k < count) sum = hn::Add(sum, FastExp2Clamped(d, hn::Mul(hn::Sub(hn::Load(d, p[k] + i), shift), scale)));
  return sum;
}

HWY_INLINE void LogSumExp(const View* x, std::size_t count, Room& room, double* out, std::size_t rows,
                          std::size_t lanes) {
  const D d;
  const double* const* p = room.lanes_of(x, count, rows);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < lanes; i += hn::Lanes(d)) {
      V top;
      const V sum = SumRelative(p + r * count, count, i, top);
      const V log_sum = hn::IfThenElse(hn::Ne(sum, sum), sum, FastLogPositive(d, sum));  // which knows no NaN
      hn::Store(hn::Add(top, log_sum), d, out + r * kWidth + i);
    }
  }
}

/// kRows rows of s1 d1 + s2 d2 + ... + rest, two vectors of lanes at a time.
template <std::size_t kRows>
HWY_INLINE void LinearRows(const double* const* s, const double* const* column, std::size_t terms, const View* rest,
                           double* out, std::size_t r, std::size_t lanes) {
  const D d;
  const std::size_t n = hn::Lanes(d);
  for (std::size_t i = 0; i < lanes; i += 2 * n) {
    V low[kRows], high[kRows];
    for (std::size_t q = 0; q < kRows; ++q) {
      low[q] = high[q] = hn::Zero(d);
      if (rest == nullptr) continue;
      const double* p = rest->row(r + q);
      low[q] = rest->each ? hn::Load(d, p + i) : hn::Set(d, *p);
      high[q] = rest->each ? hn::Load(d, p + i + n) : low[q];
    }
    for (std::size_t j = 0; j < terms; ++j) {
      const V a = hn::Load(d, s[j] + i), b = hn::Load(d, s[j] + i + n);
      for (std::size_t q = 0; q < kRows; ++q) {
        const V c = hn::Set(d, column[j][r + q]);
        low[q] = hn::MulAdd(a, c, low[q]);
        high[q] = hn::MulAdd(b, c, high[q]);
      }
    }
    for (std::size_t q = 0; q < kRows; ++q) {
      hn::Store(low[q], d, out + (r + q) * kWidth + i);
      hn::Store(high[q], d, out + (r + q) * kWidth + i + n);
    }
  }
}

HWY_INLINE void Linear(const View* x, std::size_t count, Room& room, double* out, std::size_t rows, std::size_t lanes) {
  const std::size_t terms = count / 2;
  const View* rest = count % 2 == 1 ? x + count - 1 : nullptr;
  const double** pointers = room.pointers(2 * terms);
  for (std::size_t j = 0; j < terms; ++j) {
    pointers[j] = x[2 * j].base;
    pointers[terms + j] = x[2 * j + 1].base;
  }
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) LinearRows<4>(pointers, pointers + terms, terms, rest, out, r, lanes);
  for (; r < rows; ++r) LinearRows<1>(pointers, pointers + terms, terms, rest, out, r, lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::formula
HWY_AFTER_NAMESPACE();

#endif  // include guard, per target
