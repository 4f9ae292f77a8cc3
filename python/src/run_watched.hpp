// Long work beside a Python that stays alive: Ctrl-C, progress, exceptions of the user's functions, and the end of the
// interpreter.
//
//   run_watched(calls, {}, [state](const std::stop_token& stop) { state->result = compute(state->input, stop); });
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "bindings.hpp"

namespace evident::python {

/// What becomes of work that does not stop: a function of the user's is inside of something that cannot be interrupted.
enum class WhenInterrupted {
  leave,  ///< it ends by itself some time later, unseen; it must own all that it needs
  wait
};

/// Runs `work` in a thread of its own; this one, which must be Python's and hold the interpreter lock, watches over
/// signals and exceptions, and calls `progress` now and then. Throws what went wrong.
void run_watched(const std::vector<UserCalls*>& calls, const std::function<void()>& progress,
                 std::function<void(const std::stop_token&)> work, WhenInterrupted then = WhenInterrupted::leave);

/// Before the interpreter ends: work that goes on in threads of Python's is stopped, and none is begun any more.
void end_all_work();

}  // namespace evident::python
