// Proposals of the Goodwin model's own move; what they are for is in own_move.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "models/goodwin/curve_map.hpp"
#include "models/goodwin/plan.hpp"

namespace evident::goodwin {

using States = std::array<double, kMaxM>;

/// The random numbers of one proposal: some uniforms and two normals.
struct Numbers {
  const BlockStorage& uniform;
  const BlockStorage& normal;
  std::size_t uniform_row, normal_row;
  double u(std::size_t k, std::size_t particle) const { return uniform(uniform_row + k, particle); }
  double n(std::size_t k, std::size_t particle) const { return normal(normal_row + k, particle); }
};

/// Changes of log a0, log b and log c_1 .. log c_m.
struct Change {
  double a0 = 0, b = 0;
  States c{};
  double log_ratio = 0;  ///< log density of proposing the way back minus that of proposing this
};

class Jumps {
 public:
  Jumps(const GoodwinProblem::Plan& plan, const CurveMap& map, double alpha);

  std::size_t uniforms() const { return 6 + plan_.m; }  ///< that a proposal takes at most
  bool has_neutral() const { return !unobserved_.empty(); }

  /// A jump of a0 and b from column i of theta; the observed c_i change by `c`, the others follow.
  Change jump(const Numbers& numbers, const States& c, ConstBlock theta, std::size_t i) const;
  /// A change that the likelihood does not see: some unobserved c_i in a row change alike.
  Change neutral(const Numbers& numbers, std::size_t i) const;
  /// The uniform that decides about the proposal.
  static double verdict(const Numbers& numbers, std::size_t i) { return numbers.u(3, i); }

  /// Column i of `to` is that of `from` changed. Returns the sum of the changes of log theta,
  /// -inf when a parameter leaves the range of a double.
  double apply(const Change& change, ConstBlock from, Block to, std::size_t i) const;

  /// Draws factors for the observed states of column i, given the sums of goodwin_sums: their logarithms go to `c`, the
  /// log likelihood becomes that with them. Returns the log density of the draw.
  double stretch(const BlockStorage& sums, const Numbers& numbers, std::size_t i, States& c,
                 double& log_likelihood) const;
  /// The log density of drawing the states as they are.
  double density_here(const BlockStorage& sums, std::size_t i) const;

 private:
  struct Totals {
    double square = 0, product = 0;
  };
  double log_b(ConstBlock theta, std::size_t i) const;
  Totals totals(const BlockStorage& sums, std::size_t i, std::size_t state) const;

  /// Log density of drawing log a0 and log b afresh.
  double log_fresh(double a0, double b) const;

  const GoodwinProblem::Plan& plan_;
  const CurveMap& map_;
  std::shared_ptr<const CurveMap::Level> level_;
  double precision_;  ///< alpha / sigma^2
  DecayRange decays_;
  double smallest_;  ///< standard deviation of the smallest jumps
  std::array<bool, kMaxM> observed_{};
  States squared_data_{};  ///< sum of y^2 of each observed state
  std::vector<std::size_t> unobserved_;
  std::size_t last_ = 0;  ///< observed state
};

}  // namespace evident::goodwin
