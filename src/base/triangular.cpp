#include "base/triangular.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/triangular.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace evident::vector_math::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// The number of rows is known to the compiler; the noise of kTogether vectors is loaded once.
template <std::size_t kRows, std::size_t kTogether>
HWY_INLINE void AddTriangularAt(const double* const* from, const double* lower, const double* const* noise,
                                const double* factor, std::size_t i, double* const* out) {
  const D d;
  V step[kTogether][kRows];
  for (std::size_t k = 0; k < kTogether; ++k)
    for (std::size_t c = 0; c < kRows; ++c) step[k][c] = hn::Load(d, noise[c] + i + k * hn::Lanes(d));
  for (std::size_t r = 0; r < kRows; ++r) {
    V sum[kTogether];
    for (std::size_t k = 0; k < kTogether; ++k) sum[k] = hn::Zero(d);
    for (std::size_t c = 0; c <= r; ++c) {
      const V root = hn::Set(d, lower[r * kRows + c]);
      for (std::size_t k = 0; k < kTogether; ++k) sum[k] = hn::MulAdd(root, step[k][c], sum[k]);
    }
    for (std::size_t k = 0; k < kTogether; ++k) {
      const std::size_t at = i + k * hn::Lanes(d);
      if (factor != nullptr) sum[k] = hn::Mul(sum[k], hn::Load(d, factor + at));
      hn::Store(hn::Add(hn::Load(d, from[r] + at), sum[k]), d, out[r] + at);
    }
  }
}

template <std::size_t kRows>
HWY_INLINE void AddTriangularOf(const double* const* from, const double* lower, const double* const* noise,
                                const double* factor, std::size_t n, double* const* out) {
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) AddTriangularAt<kRows, 2>(from, lower, noise, factor, i, out);
  for (; i < n; i += lanes) AddTriangularAt<kRows, 1>(from, lower, noise, factor, i, out);
}

// Four rows at once, so that each vector of noise is loaded once for them and no sum waits for itself. Every sum is in
// the order of AddTriangularAt.
constexpr std::size_t kBand = 4;

template <std::size_t kTogether>
HWY_INLINE void AddBandAt(const double* const* from, const double* lower, const double* const* noise,
                          const double* factor, std::size_t rows, std::size_t first, std::size_t i,
                          double* const* out) {
  const D d;
  V sum[kBand][kTogether];
  for (std::size_t r = 0; r < kBand; ++r)
    for (std::size_t k = 0; k < kTogether; ++k) sum[r][k] = hn::Zero(d);
  const double* root[kBand];
  for (std::size_t r = 0; r < kBand; ++r) root[r] = lower + (first + r) * rows;
  for (std::size_t c = 0; c < first; ++c) {
    V step[kTogether];
    for (std::size_t k = 0; k < kTogether; ++k) step[k] = hn::Load(d, noise[c] + i + k * hn::Lanes(d));
    for (std::size_t r = 0; r < kBand; ++r)
      for (std::size_t k = 0; k < kTogether; ++k) sum[r][k] = hn::MulAdd(hn::Set(d, root[r][c]), step[k], sum[r][k]);
  }
  for (std::size_t r = 0; r < kBand; ++r) {
    for (std::size_t k = 0; k < kTogether; ++k) {
      const std::size_t at = i + k * hn::Lanes(d);
      for (std::size_t c = first; c <= first + r; ++c)
        sum[r][k] = hn::MulAdd(hn::Set(d, root[r][c]), hn::Load(d, noise[c] + at), sum[r][k]);
      if (factor != nullptr) sum[r][k] = hn::Mul(sum[r][k], hn::Load(d, factor + at));
      hn::Store(hn::Add(hn::Load(d, from[first + r] + at), sum[r][k]), d, out[first + r] + at);
    }
  }
}

template <std::size_t kTogether>
HWY_INLINE void AddBandsAt(const double* const* from, const double* lower, const double* const* noise,
                           const double* factor, std::size_t rows, std::size_t i, double* const* out) {
  const D d;
  std::size_t first = 0;
  for (; first + kBand <= rows; first += kBand) AddBandAt<kTogether>(from, lower, noise, factor, rows, first, i, out);
  for (std::size_t r = first; r < rows; ++r) {
    for (std::size_t k = 0; k < kTogether; ++k) {
      const std::size_t at = i + k * hn::Lanes(d);
      V sum = hn::Zero(d);
      for (std::size_t c = 0; c <= r; ++c)
        sum = hn::MulAdd(hn::Set(d, lower[r * rows + c]), hn::Load(d, noise[c] + at), sum);
      if (factor != nullptr) sum = hn::Mul(sum, hn::Load(d, factor + at));
      hn::Store(hn::Add(hn::Load(d, from[r] + at), sum), d, out[r] + at);
    }
  }
}

void AddTriangular(const double* const* from, const double* lower, const double* const* noise, const double* factor,
                   std::size_t rows, std::size_t n, double* const* out) {
  switch (rows) {
    case 2:
      return AddTriangularOf<2>(from, lower, noise, factor, n, out);
    case 4:
      return AddTriangularOf<4>(from, lower, noise, factor, n, out);
    case 6:
      return AddTriangularOf<6>(from, lower, noise, factor, n, out);
    default:
      break;
  }
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) AddBandsAt<2>(from, lower, noise, factor, rows, i, out);
  for (; i < n; i += lanes) AddBandsAt<1>(from, lower, noise, factor, rows, i, out);
}

// Columns in bands of four, too: the triangle at the top of a band, then the rows below it.
template <std::size_t kTogether>
HWY_INLINE void MultiplyTransposedAt(const double* lower, const double* const* x, std::size_t rows, std::size_t i,
                                     double* const* out) {
  const D d;
  std::size_t c = 0;
  for (; c + kBand <= rows; c += kBand) {
    V sum[kBand][kTogether];
    for (std::size_t b = 0; b < kBand; ++b)
      for (std::size_t k = 0; k < kTogether; ++k) sum[b][k] = hn::Zero(d);
    for (std::size_t r = c; r < rows; ++r) {
      const double* row = lower + r * rows + c;
      const std::size_t some = HWY_MIN(kBand, r - c + 1);
      V at[kTogether];
      for (std::size_t k = 0; k < kTogether; ++k) at[k] = hn::Load(d, x[r] + i + k * hn::Lanes(d));
      if (HWY_UNLIKELY(some < kBand)) {
        for (std::size_t b = 0; b < some; ++b)
          for (std::size_t k = 0; k < kTogether; ++k) sum[b][k] = hn::MulAdd(hn::Set(d, row[b]), at[k], sum[b][k]);
        continue;
      }
      for (std::size_t b = 0; b < kBand; ++b)
        for (std::size_t k = 0; k < kTogether; ++k) sum[b][k] = hn::MulAdd(hn::Set(d, row[b]), at[k], sum[b][k]);
    }
    for (std::size_t b = 0; b < kBand; ++b)
      for (std::size_t k = 0; k < kTogether; ++k) hn::Store(sum[b][k], d, out[c + b] + i + k * hn::Lanes(d));
  }
  for (; c < rows; ++c)
    for (std::size_t k = 0; k < kTogether; ++k) {
      V sum = hn::Zero(d);
      for (std::size_t r = c; r < rows; ++r)
        sum = hn::MulAdd(hn::Set(d, lower[r * rows + c]), hn::Load(d, x[r] + i + k * hn::Lanes(d)), sum);
      hn::Store(sum, d, out[c] + i + k * hn::Lanes(d));
    }
}

void MultiplyTransposed(const double* lower, const double* const* x, std::size_t rows, std::size_t n,
                        double* const* out) {
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) MultiplyTransposedAt<2>(lower, x, rows, i, out);
  for (; i < n; i += lanes) MultiplyTransposedAt<1>(lower, x, rows, i, out);
}

// Forward substitution, four rows at once for the part that is known already.
template <std::size_t kTogether>
HWY_INLINE void SolveTriangularAt(const double* lower, std::size_t rows, std::size_t i, double* const* x) {
  const D d;
  for (std::size_t first = 0; first < rows; first += kBand) {
    const std::size_t some = HWY_MIN(kBand, rows - first);
    const double* root[kBand];
    V sum[kBand][kTogether];
    for (std::size_t r = 0; r < kBand; ++r) {
      const std::size_t row = first + HWY_MIN(r, some - 1);  // of too few rows the last is counted again
      root[r] = lower + row * rows;
      for (std::size_t k = 0; k < kTogether; ++k) sum[r][k] = hn::Load(d, x[row] + i + k * hn::Lanes(d));
    }
    for (std::size_t c = 0; c < first; ++c)
      for (std::size_t k = 0; k < kTogether; ++k) {
        const V known = hn::Load(d, x[c] + i + k * hn::Lanes(d));
        for (std::size_t r = 0; r < kBand; ++r) sum[r][k] = hn::NegMulAdd(hn::Set(d, root[r][c]), known, sum[r][k]);
      }
    for (std::size_t r = 0; r < some; ++r)
      for (std::size_t k = 0; k < kTogether; ++k) {
        for (std::size_t c = 0; c < r; ++c)
          sum[r][k] = hn::NegMulAdd(hn::Set(d, root[r][first + c]), sum[c][k], sum[r][k]);
        sum[r][k] = hn::Mul(sum[r][k], hn::Set(d, 1 / root[r][first + r]));
        hn::Store(sum[r][k], d, x[first + r] + i + k * hn::Lanes(d));
      }
  }
}

void SolveTriangular(const double* lower, std::size_t rows, std::size_t n, double* const* x) {
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) SolveTriangularAt<2>(lower, rows, i, x);
  for (; i < n; i += lanes) SolveTriangularAt<1>(lower, rows, i, x);
}

}  // namespace evident::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::vector_math {

HWY_EXPORT(AddTriangular);
HWY_EXPORT(MultiplyTransposed);
HWY_EXPORT(SolveTriangular);

void add_triangular(const double* const* from, const double* lower, const double* const* noise, const double* factor,
                    std::size_t rows, std::size_t n, double* const* out) {
  HWY_DYNAMIC_DISPATCH(AddTriangular)(from, lower, noise, factor, rows, n, out);
}
void multiply_transposed(const double* lower, const double* const* x, std::size_t rows, std::size_t n,
                         double* const* out) {
  HWY_DYNAMIC_DISPATCH(MultiplyTransposed)(lower, x, rows, n, out);
}
void solve_triangular(const double* lower, std::size_t rows, std::size_t n, double* const* x) {
  HWY_DYNAMIC_DISPATCH(SolveTriangular)(lower, rows, n, x);
}

}  // namespace evident::vector_math
#endif
