// A Goodwin oscillator near the fit of the published data, for the benches.
#pragma once

#include <cstddef>

#include "models/goodwin/simulate.hpp"

namespace evident {

inline GoodwinSimulation typical(std::size_t m) {
  GoodwinSimulation s;
  for (int j = 41; j <= 120; ++j) s.times.push_back(0.5 * j);
  if (m == 3)
    s.theta = {0.53, 2.01, 0.038, 1.47, 0.19};
  else
    s.theta = {0.9, 4.23, 1.2, 0.68, 3.6, 40, 0.0122};
  return s;
}

}  // namespace evident
