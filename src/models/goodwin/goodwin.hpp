// The Goodwin oscillator (Goodwin 1965): a chain of m substances, the last of which slows the making of the first.
//
//   dX_1/dt = a1 / (1 + a2 X_m^rho) - a0 X_1
//   dX_i/dt = k_{i-1} X_{i-1} - a0 X_i,   i = 2 .. m,    X(0) = 0
//
// Some of the states are seen at given times with independent normal errors of known standard deviation.
//
//   const Goodwin model({.times = t, .states = {0, 1}, .values = {x1, x2}}, {.components = 5});
//
// Parameters, in order: a0, a1, a2, k1 .. k_{m-1}; all positive, moved on the log scale. The solver and what it
// promises are in solver.hpp. The log likelihood is normalised: it is the log density of the data.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "evident/dist/distribution.hpp"
#include "evident/model/model.hpp"
#include "models/goodwin/solver.hpp"

namespace evident {

struct GoodwinOptions {
  std::size_t components = 3;
  double rho = 10;                     ///< any number above zero; small whole numbers are fastest
  double sigma = 0.2;                  ///< standard deviation of the errors
  double prior_shape = 0.1;            ///< of the gamma prior that every parameter has ...
  double prior_rate = 0.1;             ///< ... unless `priors` says otherwise
  std::vector<Distribution> priors{};  ///< empty, one for all, or one per parameter
  std::size_t max_steps = 100000;      ///< of the solver, per particle; more counts as impossible
  std::size_t own_tries = 3;           ///< jumps tried in each own move; 0 = no own move
};

class Goodwin final : public Model {
 public:
  /// Throws InputError when data and options do not fit together.
  explicit Goodwin(const GoodwinData& data, const GoodwinOptions& options = {});

  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override;
  /// All values that were observed.
  std::size_t observation_count() const override { return observations_; }

  /// Jumps in a0 and in the strength of the feedback, with the sizes of the observed states drawn to fit: crosses from
  /// one mode to another, which a walk does not. One likelihood evaluation a try, and one more; once a step, in the
  /// first pass. The first call makes a map of the data, about 150 000 solutions that are not counted.
  bool has_own_move() const override { return own_tries_ > 0; }
  std::size_t own_move(double alpha, const MoveState& state, const MoveRandom& random) const override;

  /// The observed states, one after another, against time. NaN where a trajectory cannot be solved.
  std::vector<Observed> observed() const override;
  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override;
  void predict(ConstBlock theta, Block out) const override;

  const GoodwinProblem& problem() const { return problem_; }

 private:
  GoodwinProblem problem_;
  ParameterSpace space_;
  std::size_t own_tries_, observations_;
  struct Map;  ///< where curves fit the data; made by the first own move
  std::shared_ptr<Map> map_;
};

/// By hand, as Zhou, Johansen and Aston (2016) set it (KernelOptions::manual): standard deviation of the proposal at
/// alpha, on the log scale: the same for every parameter.
inline double goodwin_manual_scale(double alpha) { return 5 / (1 + 100 * alpha); }

}  // namespace evident
