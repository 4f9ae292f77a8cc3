#include "proposal/student_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "support/every_target.hpp"

namespace evident {
namespace {

class StudentParts : public test::EveryTarget {};
INSTANTIATE_TEST_SUITE_P(Simd, StudentParts, test::targets());

// Against the plain formula, on every SIMD target and every tail length.
TEST_P(StudentParts, AgreeWithThePlainFormula) {
  for (std::uint32_t rows = 1; rows <= 7; ++rows)
    for (std::size_t n = 1; n <= 17; ++n) {
      const auto inverse = normals(rows * rows, 1, 50), offset = normals(rows, 1, 51);
      std::vector<AlignedVector<double>> x;
      std::vector<const double*> pointers;
      for (std::uint32_t j = 0; j < rows; ++j) x.push_back(normals(n, 2, j));
      for (const auto& row : x) pointers.push_back(row.data());
      if (n > 3) x[0][3] = kInf;
      AlignedVector<double> out(n), alone(n), square(n);
      const StudentPart part{inverse.data(), offset.data(), -1.5, 4.5, 6.0};
      log_student(part, pointers.data(), rows, n, out.data(), square.data());
      log_student(part, pointers.data(), rows, n, alone.data(), nullptr);
      for (std::size_t i = 0; i < n; ++i) {
        if (n > 3 && i == 3) continue;
        double wanted = 0;
        for (std::size_t r = 0; r < rows; ++r) {
          double white = offset[r];
          for (std::size_t c = 0; c <= r; ++c) white += inverse[r * rows + c] * x[c][i];
          wanted += white * white;
        }
        ASSERT_NEAR(square[i], wanted, 1e-12 * (1 + wanted)) << rows << " " << n << " " << i;
        ASSERT_NEAR(out[i], -1.5 - 4.5 * std::log1p(wanted / 6), 1e-12) << rows << " " << n << " " << i;
        ASSERT_EQ(out[i], alone[i]);
      }
      if (n > 3) {
        EXPECT_FALSE(out[3] > -kInf);  // infinitely far away
      }
    }
}

}  // namespace
}  // namespace evident
