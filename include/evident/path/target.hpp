// The tempered target: pi_alpha(z) proportional to prior(theta(z)) |dtheta/dz| likelihood(theta(z))^alpha. Or the prior
// restricted to where the likelihood is above a threshold, for nested sampling.
//
//   EvaluationCount count;
//   const TemperedTarget half(*model, 0.5, count);
//   half.likelihood(theta, out);  // count.total has grown by out.size()
//
// All evaluations of a model go through here, so that NaN, -inf and exceptions are dealt with in one place.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "evident/model/model.hpp"

namespace evident {

/// A few of the parameter vectors at which the likelihood was not a number. Which of them are kept is decided by their
/// bits alone, so that it depends neither on threads nor on ranks; they are a random sample.
class NanPoints {
 public:
  /// Column i of `theta`, for every bit i of `which`.
  void note(ConstBlock theta, std::uint64_t which);
  void note(std::span<const std::vector<double>> points);
  std::vector<std::vector<double>> kept() const;

 private:
  void keep(std::vector<double> point);

  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::vector<double>> least_;  ///< those whose bits make the smallest numbers
};

/// How often the likelihood was evaluated, how often it was not a number, and how many gradients were asked for.
/// Counted from many threads.
struct EvaluationCount {
  std::atomic<std::size_t> total{0};
  std::atomic<std::size_t> nan{0};
  std::atomic<std::size_t> gradients{0};
  NanPoints nan_points;
};

class QuickModel;

class TemperedTarget {
 public:
  TemperedTarget(const Model& model, double alpha, EvaluationCount& count);
  /// The prior where the log likelihood is above `threshold`; -inf leaves out the impossible only.
  static TemperedTarget above(double threshold, const Model& model, EvaluationCount& count) {
    TemperedTarget target(model, 0.0, count);
    target.restricted_ = true;
    target.threshold_ = threshold;
    return target;
  }

  const Model& model() const { return model_; }
  /// The model, when its likelihood is so quick that short cuts pay; null otherwise.
  const QuickModel* quick() const { return quick_; }
  double alpha() const { return alpha_; }
  /// Whether there is a threshold; alpha is 0 then.
  bool restricted() const { return restricted_; }
  double threshold() const { return threshold_; }

  /// theta and the log prior density of z (Jacobian included). NaN becomes -inf. Returns how many are possible.
  std::size_t prior(ConstBlock z, Block theta, std::span<double> log_prior, std::span<double> log_jacobian) const;
  /// Log likelihood. NaN becomes -inf and is counted; an exception becomes a RunError with the parameter values.
  void likelihood(ConstBlock theta, std::span<double> out) const;
  /// Adds evaluations made elsewhere (by a model's own move).
  void count(std::size_t evaluations) const { count_.total += evaluations; }
  /// Gradient in z of the log target; non-finite components become 0, and `broken` tells of which particles.
  void gradient(ConstBlock z, ConstBlock theta, Block out, bool* broken = nullptr) const;

 private:
  const Model& model_;
  const QuickModel* quick_;
  double alpha_;
  bool restricted_ = false;
  double threshold_ = -kInf;
  EvaluationCount& count_;
};

}  // namespace evident
