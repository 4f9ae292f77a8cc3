// What a method is to the comparison: how it describes itself and how it runs. One method, one file here; a new one is
// added to the list in ../method.cpp.
#pragma once

#include <map>
#include <vector>

#include "compare/method.hpp"
#include "evident/base/context.hpp"
#include "evident/compare/compare.hpp"
#include "evident/path/trace.hpp"
#include "smc/all_in_one.hpp"

namespace evident::runs {

/// One run of one model.
struct Finished {
  Replicate replicate;
  Draws draws;
};

/// One run on a family. A listed model that the run never saw has no entry.
struct FinishedFamily {
  std::map<ModelIndex, Finished> models;
  Replicate run;  ///< what belongs to no single model
};

/// A method has one of the two functions: that for a model, or that for a family.
struct MethodRun {
  MethodInfo info;
  /// Throws InputError when the model lacks what the method needs.
  Finished (*model)(const Candidate& candidate, const CompareOptions& options, const Context& context,
                    Observer* observer) = nullptr;
  FinishedFamily (*family)(const FamilyCandidate& candidate, const CompareOptions& options, const Context& context,
                           UnionObserver* observer) = nullptr;
};

extern const MethodRun kDirect, kAllInOne, kRelative, kAis, kPopulationMcmc, kRjmcmc, kHarmonicMean, kChib, kBic,
    kDataTempering;

const MethodRun& find(Method method);

/// The candidate's own options, or those of all: a model may need its own proposals under any method.
SmcOptions sampler_of(const Candidate& candidate, const CompareOptions& options);
/// "jump_acceptance:split" and the like.
void add_jumps(const std::vector<JumpTally>& jumps, Replicate& to);

}  // namespace evident::runs
