// The log density of the posterior in z, up to the evidence, with its gradient: one point or many. Counts evaluations.
#pragma once

#include <span>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/path/target.hpp"
#include "scout/climb.hpp"

namespace evident {

class LogDensity {
 public:
  LogDensity(const Model& model, const Context& context)
      : model_(model), context_(context), target_(model, 1.0, count_) {}
  LogDensity(const LogDensity&) = delete;
  LogDensity& operator=(const LogDensity&) = delete;

  std::size_t dimension() const { return model_.parameters().free_size(); }
  bool has_gradient() const { return model_.has_gradient(); }
  std::size_t evaluations() const { return count_.total + count_.gradients; }

  /// Of every column of z. Throws RunError when asked to stop.
  std::vector<double> values(ConstBlock z) const;
  /// Column i of `out`: the gradient at column i of z.
  void gradients(ConstBlock z, Block out) const;
  /// For climb(). One at a time may be in use by each thread.
  Height height() const;

 private:
  void check_stop() const;

  const Model& model_;
  const Context& context_;
  mutable EvaluationCount count_;
  TemperedTarget target_;
};

}  // namespace evident
