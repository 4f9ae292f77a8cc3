// The verdict on one model: a pure function of what was seen of it.
//
//   Judgement j = judge(seen);
//   if (j.ask_referee) {
//     seen.referee = ...;                                   // nested sampling with as many particles
//     j = judge(seen);
//   }
#pragma once

#include <vector>

#include "evident/judge/verdict.hpp"
#include "judge/observations.hpp"

namespace evident {

struct Judgement {
  Estimate log_evidence = {};  ///< the answer
  Verdict verdict = Verdict::trust;
  std::vector<Reason> reasons = {};
  bool ask_referee = false;  ///< only nested sampling can settle this; the verdict is not final without it

  /// Do the islands contradict each other, so that nothing but better islands can settle it?
  bool in_doubt() const;
  /// Do the particles lack a mode that is known?
  bool lacks_a_mode() const;
};

Judgement judge(const Observations& seen);

}  // namespace evident
