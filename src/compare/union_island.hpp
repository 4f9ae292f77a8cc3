// Runs on the union of the models of a family: adaptive ones, and islands that follow the plan of a pilot.
#pragma once

#include "compare/runs/run.hpp"
#include "smc/all_in_one.hpp"

namespace evident {

/// What a pilot on a union leaves: its own numbers, and the plan.
struct PlanOfUnion {
  Replicate replicate;
  UnionPlan plan;
};

/// What a run on a union gives.
runs::FinishedFamily finished_union(const ModelFamily& family, AllInOneRun run);

/// The adaptive run that makes the plan.
PlanOfUnion run_union_pilot(const ModelFamily& family, const CompareOptions& options, const Context& context,
                            UnionObserver* observer);
/// One frozen run.
runs::FinishedFamily run_union_island(const ModelFamily& family, const PlanOfUnion& pilot,
                                      const CompareOptions& options, const Context& context, UnionObserver* observer);

}  // namespace evident
