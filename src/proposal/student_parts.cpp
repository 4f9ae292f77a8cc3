#include "proposal/student_parts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "proposal/student_parts.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Needs highway.h before it.
#include "base/simd_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::student::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace fast = evident::HWY_NAMESPACE;

// kRows is 0 when it is known at run time only.
template <std::size_t kRows>
void LogStudentOf(const StudentPart& part, const double* const* x, std::size_t rows, std::size_t n, double* out,
                  double* square) {
  if constexpr (kRows > 0) rows = kRows;
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const V share = hn::Set(d, 1 / part.freedom), power = hn::Set(d, part.power), top = hn::Set(d, part.log_density);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    V distance = hn::Zero(d);
    for (std::size_t r = 0; r < rows; ++r) {
      V white = hn::Set(d, part.offset[r]);
      for (std::size_t c = 0; c <= r; ++c)
        white = hn::MulAdd(hn::Set(d, part.inverse[r * rows + c]), hn::Load(d, x[c] + i), white);
      distance = hn::MulAdd(white, white, distance);
    }
    if (square != nullptr) hn::Store(distance, d, square + i);
    const V log = fast::FastLog(d, hn::MulAdd(distance, share, hn::Set(d, 1.0)));
    hn::Store(hn::NegMulAdd(power, log, top), d, out + i);
  }
}

void LogStudent(const StudentPart& part, const double* const* x, std::size_t rows, std::size_t n, double* out,
                double* square) {
  const auto some = rows == 2   ? LogStudentOf<2>
                    : rows == 4 ? LogStudentOf<4>
                    : rows == 6 ? LogStudentOf<6>
                                : LogStudentOf<0>;
  some(part, x, rows, n, out, square);
}

}  // namespace evident::student::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident {
namespace student {
HWY_EXPORT(LogStudent);
}

void log_student(const StudentPart& part, const double* const* x, std::size_t rows, std::size_t n, double* out,
                 double* square) {
  using namespace student;
  HWY_DYNAMIC_DISPATCH(LogStudent)(part, x, rows, n, out, square);
}

}  // namespace evident
#endif
