// The tempering loop: particles of pi_0 become particles of pi_1 (paper, Algorithms 2 and 4).
#pragma once

#include "evident/base/context.hpp"
#include "evident/kernel/kernel.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"
#include "evident/smc/sampler.hpp"
#include "smc/first_particles.hpp"
#include "smc/recorder.hpp"
#include "smc/run_notes.hpp"

namespace evident {

enum class MoveWhen {
  always,     ///< at every step
  resampled,  ///< at steps that resampled: until then weights alone carry the change
};

/// What the loop works with. The path that is recorded runs from `from` to `to`.
struct Tempering {
  const SmcOptions& options;
  const Context& context;
  EvaluationCount& count;
  Kernel& kernel;
  Recorder& record;
  double from = 0, to = 1;
  MoveWhen move = MoveWhen::always;
  const RunNotes* notes = nullptr;  ///< of a run that goes on where it was when it was stopped
};

/// The particles are weighted draws from the model's prior, with its likelihood evaluated.
void temper(const Model& model, Population& x, const Tempering& loop);

/// A whole run from the prior to the posterior, with any kernel. The options have been checked.
Run from_prior(const Model& model, Kernel& kernel, const SmcOptions& options, const Context& context,
               Observer* observer, WhenNone when_none = WhenNone::fail);

}  // namespace evident
