// Where a kernel finds an argument, and a little room to work in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "evident/base/block.hpp"
#include "formula/program.hpp"

namespace evident::formula {

struct View {
  const double* base = nullptr;
  std::size_t step = 0;                  ///< from row to row
  const std::uint32_t* index = nullptr;  ///< which of several lies where, row by row
  bool each = true;                      ///< one number per lane, or one for all

  const double* row(std::size_t r) const { return index != nullptr ? base + index[r] * kWidth : base + r * step; }
};

class Room {
 public:
  const double** pointers(std::size_t count) {
    if (pointers_.size() < count) pointers_.resize(count);
    return pointers_.data();
  }

  /// Entry r * count + k points at row r of view k, one number per lane: numbers for all lanes are written out.
  const double* const* lanes_of(const View* x, std::size_t count, std::size_t rows) {
    const double** p = pointers(count * rows);
    const bool spread = std::any_of(x, x + count, [](const View& v) { return !v.each; });
    if (spread && numbers_.size() < count * rows * kWidth) numbers_.resize(count * rows * kWidth);
    for (std::size_t j = 0; j < count * rows; ++j) {
      const View& view = x[j % count];
      p[j] = view.row(j / count);
      if (view.each) continue;
      std::fill_n(numbers_.data() + j * kWidth, kWidth, *p[j]);
      p[j] = numbers_.data() + j * kWidth;
    }
    return p;
  }

 private:
  std::vector<const double*> pointers_;
  AlignedVector<double> numbers_;
};

}  // namespace evident::formula
