// What a run is given to work with; nothing is global.
#pragma once

#include <stop_token>

#include "evident/base/parallel.hpp"
#include "evident/base/random.hpp"

namespace evident {

struct Context {
  Streams streams;            ///< the run's random numbers
  const Executor& executor;   ///< the run's threads
  std::stop_token stop = {};  ///< asks the run to end early
};

}  // namespace evident
