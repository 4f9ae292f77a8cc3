// How far a run is, noted between its steps, so that it goes on from there when it was stopped. Random numbers are
// keyed by step and particle: where the run is, its particles, its trace and what the kernel has tuned are all that it
// needs.
#pragma once

#include <cstdint>
#include <optional>

#include "base/team.hpp"
#include "evident/base/context.hpp"
#include "evident/kernel/kernel.hpp"
#include "evident/particles/population.hpp"
#include "evident/path/target.hpp"
#include "evident/smc/sampler.hpp"
#include "smc/recorder.hpp"

namespace evident {

/// Between two steps: the number of the next one, the last alpha and the next.
struct RunPosition {
  std::uint32_t step = 1;
  double alpha = 0, next = 0;
};

class RunNotes {
 public:
  /// Particles that are spread over ranks are not noted.
  RunNotes(const SmcOptions& options, const Context& context) : options_(options), context_(context) {}

  /// The particles of the last note, if there is one of this run; then kernel, count and record go on from there, too.
  std::optional<Population> read(const Model& model, Kernel& kernel, EvaluationCount& count, Recorder& record);
  /// Where the run continues; the beginning when there was no note.
  const RunPosition& position() const { return position_; }
  /// Writes a note when it is time for one, or when the run is about to be stopped.
  void write(const RunPosition& position, const Trace& trace, const Kernel& kernel, const Population& x) const;

 private:
  bool active() const { return context_.checkpoint && context_.team.single(); }

  const SmcOptions& options_;
  const Context& context_;
  RunPosition position_;
};

}  // namespace evident
