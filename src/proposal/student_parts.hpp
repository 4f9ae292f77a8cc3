// The log density of a Student distribution of many points at once.
#pragma once

#include <cstddef>

namespace evident {

/// Log density = log_density - power log(1 + square / freedom), where square = |inverse x + offset|^2.
struct StudentPart {
  const double* inverse;  ///< lower triangular, row-major
  const double* offset;
  double log_density, power, freedom;
};

/// For n points in padded rows; `square` may be null.
void log_student(const StudentPart& part, const double* const* x, std::size_t rows, std::size_t n, double* out,
                 double* square);

}  // namespace evident
