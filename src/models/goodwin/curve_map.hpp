// Where in the plane of a0 and b curves fit the data: a map made once per data set, from which the model's own move
// draws.
//
// The shape of a curve depends on a0 and b alone (docs/goodwin.md), and the sizes of the observed states have an exact
// normal conditional; so the plane can be looked at cell by cell. At power alpha of the likelihood a cell weighs what
// the curve of its centre does, sizes integrated out roughly, times the prior there. The map is only proposed from:
// what it gets wrong costs acceptance, never correctness.
//
//   const CurveMap map(model);
//   const auto level = map.level(alpha);
//   auto [log_a0, log_b] = map.draw(*level, u0, u1, u2);
//   map.log_density(*level, log_a0, log_b);
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "models/goodwin/plan.hpp"

namespace evident {
class Goodwin;
}

namespace evident::goodwin {

inline constexpr double kPi = 3.14159265358979324;

/// Curves of stronger feedback (log b) are dear and hardly ever wanted: neither the map nor other draws go further.
inline constexpr double kHighestB = 10;

/// The periods that data can show, as decays: log a0 of the slowest, the middle and the fastest.
struct DecayRange {
  double slowest, middle, fastest;
};
DecayRange decay_range(const GoodwinProblem::Plan& plan);

class CurveMap {
 public:
  /// Solves the curve of every cell.
  explicit CurveMap(const Goodwin& model);

  /// The distribution over the cells for one power of the likelihood.
  struct Level {
    std::vector<double> cumulative;
    std::vector<double> log_density;  ///< with respect to log a0 and log b
  };
  /// For alpha, rounded down by at most 9 %: a little flatter than what is asked for. The last ones asked for are kept;
  /// may be called from several threads.
  std::shared_ptr<const Level> level(double alpha) const;

  std::pair<double, double> draw(const Level& level, double u_cell, double u_a0, double u_b) const;
  /// -inf outside the map.
  double log_density(const Level& level, double log_a0, double log_b) const;

 private:
  struct Fit {
    float gain = 0;       ///< of the log likelihood by this state, compared with a curve of zero size
    float precision = 0;  ///< best size over its standard deviation, at full power
  };
  /// The cells of one interval of a0.
  void fill_row(const Goodwin& model, const std::vector<std::size_t>& observed, std::size_t row);
  double log_weight(std::size_t cell, double alpha) const;
  Level make_level(double alpha) const;
  double area(std::size_t cell) const;

  std::vector<double> a0_, b_;  ///< edges, logarithms
  std::size_t states_ = 0;
  std::vector<Fit> fits_;      ///< [cell][state]
  std::vector<float> priors_;  ///< log prior density of the logarithms of the parameters
  mutable std::mutex mutex_;
  mutable std::deque<std::pair<int, std::shared_ptr<const Level>>> levels_;  ///< the newest first
};

}  // namespace evident::goodwin
