// What a run is given to work with; nothing is global.
#pragma once

#include <stop_token>

#include "evident/base/checkpoint_store.hpp"
#include "evident/base/parallel.hpp"
#include "evident/base/random.hpp"
#include "evident/base/team.hpp"

namespace evident {

struct Context {
  Streams streams;             ///< the run's random numbers
  const Executor& executor;    ///< the run's threads
  std::stop_token stop = {};   ///< asks the run to end early
  Team& team = Team::alone();  ///< ranks that share the particles of the run, and all run it
  CheckpointSlot checkpoint = {};    ///< where the run notes how far it is; it must be the only one with this key
};

}  // namespace evident
