// Made-up Goodwin data, solved by a method that has nothing to do with the solver of the likelihood.
//
//   const Streams streams({.seed = 1});
//   const GoodwinData data = simulate_goodwin({.theta = {0.53, 2, 0.04, 1.5, 0.19}, .times = {1, 2, 3}}, streams);
#pragma once

#include <cstddef>
#include <vector>

#include "evident/base/random.hpp"
#include "models/goodwin/solver.hpp"

namespace evident {

struct GoodwinSimulation {
  std::vector<double> theta;  ///< a0, a1, a2, k1 .. k_{m-1}; their number sets m
  std::vector<double> times;  ///< increasing, above zero
  std::vector<std::size_t> states{0, 1};
  double rho = 10;
  double sigma = 0.2;  ///< zero for states without noise
};

/// The states at the times, without noise: [time][state]. Throws InputError on bad arguments.
std::vector<std::vector<double>> goodwin_trajectory(const GoodwinSimulation& what);

/// The same with noise; time j has the stream {.particle = j, .purpose = simulate}.
GoodwinData simulate_goodwin(const GoodwinSimulation& what, const Streams& streams);

}  // namespace evident
