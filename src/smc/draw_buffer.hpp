// A bounded store of particles of one model: the latest ones, for calibration where a step alone has too few.
#pragma once

#include <cstddef>

#include "evident/particles/population.hpp"

namespace evident {

class DrawBuffer {
 public:
  DrawBuffer(const Model& model, std::size_t capacity) : x_(model, capacity) {}

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return x_.size(); }
  /// Takes the place of the oldest when full.
  void add(const Population& from, std::size_t column);
  void add(const Population& from);
  /// All that is held, equally weighted.
  Population draws(const Model& model) const;
  /// Keeps every second one, in order, and so makes room.
  void halve();

 private:
  Population x_;
  std::size_t size_ = 0, next_ = 0;
};

}  // namespace evident
