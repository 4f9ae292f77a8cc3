// Nested sampling as a check of another method: a pilot and its frozen runs.
#include <string>

#include "evident/base/error.hpp"
#include "evident/smc/nested.hpp"
#include "kernel/pack_calibration.hpp"

namespace evident {
namespace {

struct PlanMade {
  NestedPlan plan;
  std::uint64_t evaluations = 0;
};

PlanMade make_plan(const Model& model, const NestedOptions& options, const Context& context) {
  const Keeping keeping = context.keeping.part("nested pilot");
  if (const auto kept = keeping.find()) {
    Unpacker in(*kept);
    PlanMade out{.plan = {}, .evaluations = in.get<std::uint64_t>()};
    out.plan.thresholds = in.get_doubles();
    out.plan.calibrations = get_calibrations(in);
    return out;
  }
  NestedPilot first = nested_pilot(model, options, context);
  PlanMade made{std::move(first.plan), first.run.trace.evaluations};
  if (keeping) {
    Packer out;
    out.put(made.evaluations);
    out.put_doubles(made.plan.thresholds);
    put_calibrations(out, made.plan.calibrations);
    keeping.keep(out.finish());
  }
  return made;
}

struct Told {
  double log_evidence = 0, variance = 0;
  std::uint64_t evaluations = 0;
};

Told run_island(const Model& model, const NestedPlan& plan, const NestedOptions& options, const Context& context) {
  if (const auto kept = context.keeping.find()) return Unpacker(*kept).get_plain<Told>();
  const NestedRun run = nested_evidence(model, plan, options, context);
  const Told told{run.log_evidence, run.trace.variance(), run.trace.evaluations};
  Packer out;
  out.put_plain(told);
  context.keeping.keep(out.finish());
  return told;
}

}  // namespace

NestedCheck nested_cross_check(const Model& model, const NestedOptions& options, std::size_t islands,
                               const Context& context) {
  if (islands == 0) throw InputError("islands must be at least 1, was 0");
  const PlanMade first = make_plan(model, options, context);
  // Whole runs are the best unit of work; with fewer of them than threads the particles are shared out, too.
  const Executor alone(1);
  const Executor& inside = islands >= context.executor.threads() ? alone : context.executor;
  std::vector<Told> told(islands);
  context.executor.for_each(islands, [&](std::size_t r) {
    const Keeping own = context.keeping.part("nested run " + std::to_string(r));
    told[r] =
        run_island(model, first.plan, options, {context.streams.part(r), inside, context.stop, Team::alone(), own});
  });
  std::vector<double> log_evidences, variances;
  std::size_t evaluations = first.evaluations;
  for (const Told& t : told) {
    log_evidences.push_back(t.log_evidence);
    variances.push_back(t.variance);
    evaluations += t.evaluations;
  }
  return {island_evidence(log_evidences, variances), evaluations};
}

}  // namespace evident
