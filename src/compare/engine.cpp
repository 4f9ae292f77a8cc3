// The comparison of a list of models, whole: plan by a pilot, run the islands, judge, stop or grow.
//
// A pilot adapts schedule and moves to the model; its plan is frozen. Islands, runs of their own, follow the plan, so
// that the mean of their evidences is unbiased and their spread is an honest error (smc/sampler.hpp). From the last
// particles of each a bridge gives the evidence a second time (proposal/bridge.hpp). Judges look at all of that, and at
// nested sampling as a referee, and say whether it can be trusted (judge/judge.hpp). Methods other than the direct one,
// and the paper's adaptive runs, take the same way without pilot and goal.
#include <cmath>
#include <set>

#include "compare/judging.hpp"
#include "compare/recipe.hpp"
#include "compare/result.hpp"
#include "compare/rounds.hpp"
#include "compare/runner.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/compare.hpp"

namespace evident {
namespace {

void check(const std::vector<Candidate>& candidates, const CompareOptions& options) {
  if (info(options.method).union_of_models)
    throw InputError("method " + std::string(info(options.method).name) + " needs a family of models, not a list");
  if (candidates.empty()) throw InputError("there is no model to compare");
  if (options.replicates == 0) throw InputError("replicates must be at least 1, was 0");
  std::set<std::string> names;
  double total = 0;
  for (const Candidate& c : candidates) {
    if (c.name.empty()) throw InputError("a model has no name");
    if (!names.insert(c.name).second) throw InputError("two models are called '" + c.name + "'");
    if (!(c.weight >= 0) || !std::isfinite(c.weight))
      throw InputError("the weight of model '" + c.name + "' must be 0 or more");
    if (c.model == nullptr) throw InputError("model '" + c.name + "' is empty");
    total += c.weight;
    evident::check(runs::sampler_of(c, options));
  }
  if (!(total > 0)) throw InputError("all models have weight 0");
  check_goal(options);
}

}  // namespace

Comparison compare(const std::vector<Candidate>& candidates, const CompareOptions& options, CompareObserver* observer,
                   std::stop_token stop) {
  check(candidates, options);
  const Runner runner(candidates, options, observer, stop);
  std::vector<ModelRuns> models = first_models(candidates, options);
  runner.scout_modes(models);
  std::size_t round = 1;
  for (RoundPlan plan = first_round(options, models.size()); plan.more();) {
    if (round > 1) begin_round(round, plan, runner, models);
    runner.make_pilots(plan, models);
    runner.add_runs(plan, models);

    plan = toward_goal(runner, models);
    if (!plan.more()) {
      judge_models(runner, models);
      plan = where_in_doubt(runner, models);
    }
    if (plan.more()) ++round;
  }
  return result_of(runner, std::move(models), round);
}

}  // namespace evident
