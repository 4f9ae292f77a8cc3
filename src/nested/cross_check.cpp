// Nested sampling as a check of another method: a pilot and its frozen runs.
#include <algorithm>
#include <string>

#include "base/run_kept.hpp"
#include "evident/base/error.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/path/trace.hpp"
#include "kernel/pack_calibration.hpp"
#include "nested/nested.hpp"

namespace evident {
namespace {

struct PlanMade {
  NestedPlan plan;
  std::uint64_t thresholds_that_matter = 0, evaluations = 0;
};

/// What is kept of one frozen run.
struct NestedNumbers {
  double log_evidence = 0, variance = 0, fewest_passed = 0;
  std::uint64_t evaluations = 0;
};

}  // namespace

template <>
struct Fields<NestedPlan> {
  static constexpr auto list =
      std::tuple(field("thresholds", &NestedPlan::thresholds), field("calibrations", &NestedPlan::calibrations));
};
template <>
struct Fields<PlanMade> {
  static constexpr auto list =
      std::tuple(field("plan", &PlanMade::plan), field("thresholds_that_matter", &PlanMade::thresholds_that_matter),
                 field("evaluations", &PlanMade::evaluations));
};
template <>
inline constexpr bool is_plain<NestedNumbers> = true;

NestedCheck nested_cross_check(const Model& model, const NestedOptions& options, std::size_t islands,
                               const Context& context) {
  if (islands == 0) throw InputError("islands must be at least 1, was 0");
  const PlanMade first = make_or_find<PlanMade>(context.checkpoint.part("nested pilot"), [&] {
    NestedPilot pilot = nested_pilot(model, options, context);
    const NestedTrace& trace = pilot.run.trace;
    return PlanMade{std::move(pilot.plan), trace.thresholds_that_matter(), trace.evaluations};
  });
  const auto slot = [&](std::size_t r) { return context.checkpoint.part("nested run " + std::to_string(r)); };
  const auto run = [&](std::size_t r, const Executor& threads, Team& team) {
    const NestedRun island =
        nested_evidence(model, first.plan, options, {context.streams.part(r), threads, context.stop, team, slot(r)});
    return NestedNumbers{island.log_evidence.value, island.trace.variance(),
                         island.trace.fewest_passed(first.thresholds_that_matter), island.trace.evaluations};
  };
  const auto results = run_kept<NestedNumbers>({.count = islands, .slot = slot, .run = run}, team_of_one(),
                                               context.executor, context.stop);
  std::vector<double> log_evidences, variances;
  NestedCheck out{.fewest_passed = kInf, .evaluations = first.evaluations};
  for (const auto& r : results) {
    log_evidences.push_back(r->log_evidence);
    variances.push_back(r->variance);
    out.fewest_passed = std::min(out.fewest_passed, r->fewest_passed);
    out.evaluations += r->evaluations;
  }
  out.log_evidence = island_evidence(log_evidences, variances);
  return out;
}

}  // namespace evident
