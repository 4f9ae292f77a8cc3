// An observer sees each step of a run: progress, checkpoints, anything that should not make the loop grow.
#pragma once

#include "evident/particles/population.hpp"
#include "evident/path/trace.hpp"

namespace evident {

class Observer {
 public:
  virtual ~Observer() = default;
  /// After step t was recorded; trace.steps.back() is it. The first call is for the initial population, alpha = 0.
  virtual void on_step(const Trace& trace, const Population& particles) = 0;
};

}  // namespace evident
