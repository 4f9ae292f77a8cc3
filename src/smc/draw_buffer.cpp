#include "smc/draw_buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace evident {

void DrawBuffer::add(const Population& from, std::size_t column) {
  x_.copy_from(from, column, next_);
  next_ = (next_ + 1) % capacity();
  size_ = std::min(size_ + 1, capacity());
}

void DrawBuffer::add(const Population& from) {
  // Only the last `capacity` would survive.
  for (std::size_t c = from.size() - std::min(from.size(), capacity()); c < from.size(); ++c) add(from, c);
}

Population DrawBuffer::draws(const Model& model) const {
  std::vector<std::uint32_t> all(size_);
  std::iota(all.begin(), all.end(), 0U);
  Population out(model, size_);
  out.assign(x_, all);
  return out;
}

void DrawBuffer::halve() {
  for (std::size_t c = 0; 2 * c < size_; ++c) x_.copy_from(x_, 2 * c, c);
  size_ = (size_ + 1) / 2;
  next_ = size_ % capacity();
}

}  // namespace evident
