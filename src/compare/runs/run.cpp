#include "compare/runs/run.hpp"

namespace evident::runs {

SmcOptions sampler_of(const Candidate& candidate, const CompareOptions& options) {
  return candidate.smc ? *candidate.smc : options.sampler();
}

void add_jumps(const std::vector<JumpTally>& jumps, Replicate& to) {
  for (const JumpTally& jump : jumps) {
    to.details.emplace_back("jumps_proposed:" + jump.name, static_cast<double>(jump.proposed));
    to.details.emplace_back(
        "jump_acceptance:" + jump.name,
        jump.proposed == 0 ? kNaN : static_cast<double>(jump.accepted) / static_cast<double>(jump.proposed));
  }
}

}  // namespace evident::runs
