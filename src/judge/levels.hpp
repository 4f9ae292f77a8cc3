// How bad an alarm is.
#pragma once

#include "evident/judge/verdict.hpp"

namespace evident {

inline Verdict level(bool grave) { return grave ? Verdict::do_not_trust : Verdict::run_longer; }

}  // namespace evident
