// One sampler on the union of the models.
#include "smc/all_in_one.hpp"

#include "compare/runs/run.hpp"
#include "compare/union_island.hpp"

namespace evident::runs {
namespace {

FinishedFamily run_all_in_one(const FamilyCandidate& candidate, const CompareOptions& options, const Context& context,
                              UnionObserver* observer) {
  return finished_union(*candidate.family, all_in_one(*candidate.family, options.sampler(),
                                                      {.jump_passes = options.jump_passes}, context, observer));
}

}  // namespace

const MethodRun kAllInOne = {{.method = Method::all_in_one,
                              .name = "all-in-one",
                              .title = "All in one (SMC1)",
                              .summary = "one sampler on the union of the models",
                              .union_of_models = true,
                              .countable = true,
                              .between_models = true,
                              .improbable = false,
                              .no_pairs = true,
                              .no_mixing = false,
                              .parallel = Strength::yes,
                              .no_ergodicity = true,
                              .unjudged = "there is no check on runs that adapt themselves: they fit their moves to "
                                          "their own particles, which makes the evidence too high by an amount that "
                                          "they cannot tell; leave out replicates and use islands, which are checked"},
                             nullptr,
                             run_all_in_one};

}  // namespace evident::runs
