// What is kept of the log likelihoods seen at a rung: moments, and the stepping stone to the rung above.
#pragma once

#include <cmath>
#include <cstddef>

#include "evident/base/log_math.hpp"

namespace evident {

class RungTally {
 public:
  /// `delta`: distance to the rung above.
  void add(double l, double delta) {
    ++count_;
    if (l == -kInf) return;
    ++possible_;
    const double change = l - mean_;
    mean_ += change / static_cast<double>(possible_);
    squares_ += change * (l - mean_);
    absorb(delta * l, 1);
  }

  void merge(const RungTally& other) {
    count_ += other.count_;
    if (other.possible_ == 0) return;
    const auto a = static_cast<double>(possible_), b = static_cast<double>(other.possible_);
    const double change = other.mean_ - mean_;
    mean_ += change * b / (a + b);
    squares_ += other.squares_ + change * change * a * b / (a + b);
    possible_ += other.possible_;
    absorb(other.top_, other.sum_);
  }

  double mean() const { return count_ == possible_ && count_ > 0 ? mean_ : -kInf; }
  double variance() const { return count_ == possible_ && count_ > 0 ? squares_ / static_cast<double>(count_) : kNaN; }
  /// Log of the mean of exp(delta l): an estimate of log Z(above) - log Z(here).
  double stepping_stone() const {
    return count_ == 0 ? kNaN : top_ + std::log(sum_) - std::log(static_cast<double>(count_));
  }

 private:
  // Adds sum * exp(top) to the sum that is kept.
  void absorb(double top, double sum) {
    if (top > top_) {
      sum_ = sum_ * std::exp(top_ - top) + sum;
      top_ = top;
    } else {
      sum_ += sum * std::exp(top - top_);
    }
  }

  std::size_t count_ = 0, possible_ = 0;
  double mean_ = 0, squares_ = 0;
  double top_ = -kInf, sum_ = 0;
};

}  // namespace evident
