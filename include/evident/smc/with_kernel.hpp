// A run with a kernel of one's own in the place of those that options name.
//
//   class Mine final : public Kernel { ... };            // kernel/kernel.hpp
//   Mine kernel;
//   const Run run = evidence_with_kernel(*model, kernel, {.particles = 1000}, context);
//   double log_evidence = standard_estimate(run.trace);
//
// The evidence is right for every kernel that leaves the tempered target invariant; a better one makes its error small.
#pragma once

#include "evident/kernel/kernel.hpp"
#include "evident/smc/direct_evidence.hpp"

namespace evident {

/// As direct_evidence; `options.kernel` is not looked at. The kernel is calibrated before each move, and belongs to
/// this run alone while it lasts. Throws InputError for bad options.
Run evidence_with_kernel(const Model& model, Kernel& kernel, const SmcOptions& options, const Context& context,
                         Observer* observer = nullptr);

}  // namespace evident
