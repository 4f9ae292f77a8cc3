// What the Goodwin solvers share: tables of the collocation rule, the data, and the start of one particle.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/goodwin/solver.hpp"

namespace evident::goodwin {

inline constexpr std::size_t kNodes = 7;
inline constexpr std::size_t kMaxM = GoodwinProblem::kMaxComponents;
using Row = std::array<double, kNodes>;

/// Lobatto nodes on [0, 1] and the integrals of their Lagrange polynomials l_0 .. l_6.
struct Collocation {
  Row node;
  std::array<double, 3> ratio;    ///< distance of nodes 0, 1, 2 from the middle, as a part of one half
  Row start_value;                ///< m-fold integral of 1 from 0 to each node: c^m / m!
  Row start_slope;                ///< m-fold integral of s: c^(m+1) / (m+1)!
  std::array<Row, kNodes> inner;  ///< inner[l][j]: m-fold integral of l_l from 0 to node j
  std::array<Row, kMaxM> end;     ///< end[i][l]: (i+1)-fold integral of l_l from 0 to 1
  Row top, below_top;             ///< coefficients of the sixth and fifth Legendre polynomials
};
Collocation make_collocation(std::size_t m);

/// How v^rho is computed.
enum class Power { ten, integer, real };

inline constexpr double kTolerance = 1e-8;  ///< error of a step, relative to the states
inline constexpr double kRatio = 0.2;       ///< of neighbouring Legendre coefficients
inline constexpr double kMaxStep = 1.5;
inline constexpr double kSteady = 1e-11;  ///< relative rate of change below which a state is at rest

/// The feedback is 1 / (1 + clamp(v)^rho); the clamp keeps powers inside the range of a double.
struct Feedback {
  double rho, low, high;
  Power power;
  unsigned integer_rho;
};

/// One particle in scaled form: v' = -decay v + (b feedback, v_1, .., v_{m-1}), state i = scale_i v_i.
struct Start {
  bool valid = false;
  double rate = 0;   ///< scaled time per unit of time
  double decay = 0;  ///< in scaled time; 1 unless the decay is slower than the record
  double b = 0, floor = 0, step = 0;
  std::array<double, kMaxM> scale{};
};

}  // namespace evident::goodwin

namespace evident {

struct GoodwinProblem::Plan {
  std::size_t m = 0, columns = 0, sweeps = 2;
  double log_constant = 0, inverse_two_variance = 0, max_steps = 0, start_volume = 0, stable_gain = 0, sweep_weight = 0;
  goodwin::Feedback feedback{};
  goodwin::Collocation table{};
  std::vector<std::size_t> states;
  std::vector<double> times;
  std::vector<double> gap;     ///< time since the observation before
  std::vector<double> values;  ///< [time][column]
  /// For a trajectory that has come to rest: sum over the times from j on of (y - x)^2
  /// = suffix_square[j][c] + count (suffix_mean[j][c] - x)^2.
  std::vector<double> suffix_mean, suffix_square;

  goodwin::Start start(std::span<const double> theta) const;
  /// Sum of squared differences of time j for the scaled states `v` (entry i at v[i * stride]).
  double squares(std::size_t j, const goodwin::Start& particle, const double* v, std::size_t stride) const {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t i = states[c];
      const double r = values[j * columns + c] - particle.scale[i] * v[i * stride];
      sum += r * r;
    }
    return sum;
  }
  /// The same for all times from j on, all with states `v`.
  double squares_at_rest(std::size_t j, const goodwin::Start& particle, const double* v, std::size_t stride) const;
  /// Adds the sums of x^2 (row 2c of `out`) and of x y (row 2c + 1) over the times from j to `last`, all with states
  /// `v`.
  void add_sums(std::size_t j, std::size_t last, const goodwin::Start& particle, const double* v, std::size_t stride,
                double* out, std::size_t out_stride) const;
  /// Has the trajectory reached a stable fixed point?
  bool at_rest(const goodwin::Start& particle, double feedback_now, const double* v, std::size_t stride) const;
  double log_likelihood(double sum_of_squares) const;
};

}  // namespace evident
