#include "compare/judging.hpp"

#include <algorithm>

#include "base/run_kept.hpp"
#include "compare/evidence_of_runs.hpp"
#include "compare/mode_coverage.hpp"
#include "compare/nan_effect.hpp"
#include "compare/referee.hpp"
#include "compare/result_fields.hpp"

namespace evident {
namespace {

/// Of the first run that has one: a run that met no possible draw of the prior has the prior.
const Draws& first_posterior(std::span<const runs::Finished> finished) {
  for (const runs::Finished& f : finished)
    if (f.replicate.log_evidence.value > -kInf) return f.draws;
  return finished.front().draws;
}

Observations observe(const Evidenced& found, const std::optional<Scouted>& modes, const CompareOptions& options,
                     const Context& context) {
  Observations seen{.runs = found.runs,
                    .islands = found.islands,
                    .has_referee = options.with_islands(),
                    .precision = options.with_islands() ? options.goal.precision : 0,
                    .dropped = found.dropped};
  if (options.with_islands())
    seen.evidence = combine_islands(seen.islands);
  else
    seen.evidence.best = seen.evidence.standard = evidence_of_runs(found.finished);
  const Model& model = found.model;
  if (modes) seen.modes = observe_modes(model, *modes, found.finished);
  if (found.begins_at_modes) seen.unseen_modes = modes->likely_unseen();
  seen.prior = check_prior(model, context);
  if (const Draws& first = first_posterior(found.finished); !first.weights.empty())
    seen.bounds = PriorBounds(model, context.streams)
                      .observe(first.values.block().some_rows(0, model.parameters().size()), first.weights);
  return seen;
}

}  // namespace

Evidenced evidenced(const Model& model, const ModelRuns& runs) {
  Evidenced out{.model = model,
                .finished = runs.finished,
                .islands = runs.islands(),
                .runs = {},
                .particles = runs.finished.front().replicate.trace.particles,
                .max_prior_draws = runs.smc.max_prior_draws,
                .modes = runs.modes ? &*runs.modes : nullptr,
                .begins_at_modes = runs.start != nullptr,
                .dropped = runs.dropped};
  if (runs.pilot) out.traces.push_back(&runs.pilot->replicate.trace);
  for (const runs::Finished& f : runs.finished) {
    out.traces.push_back(&f.replicate.trace);
    if (const auto numbers = observe_run(f.replicate.trace)) out.runs.push_back(*numbers);
  }
  return out;
}

SeenModel observe_model(const Evidenced& found, const CompareOptions& options, const Context& context) {
  SeenModel out;
  if (found.modes != nullptr) look_around(found.model, found.finished, out.modes.emplace(*found.modes), context);
  out.seen = observe(found, out.modes, options, context);
  out.nan = find_nan(found.model, found.traces, found.finished, out.seen.evidence.best.value, context);
  if (out.nan) out.seen.nan = nan_numbers(found.model, *out.nan);
  return out;
}

JudgedModel judge_model(const Evidenced& found, const CompareOptions& options, const Context& context) {
  auto [seen, modes, nan] = observe_model(found, options, context);
  JudgedModel out{.evidence = seen.evidence, .nan = std::move(nan)};
  if (seen.has_referee) {
    const Referee referee(found.model, found.particles, found.max_prior_draws, context);
    seen.probe = referee.probe(seen.evidence.best, out.nested_evaluations);
    if (judge(seen).ask_referee) seen.referee = referee.ask(out.nested_evaluations);
  }
  out.judgement = judge(seen);
  for (ModeNumbers& m : seen.modes) out.modes.push_back({std::move(m.at), m.log_mass, m.share});
  out.known_modes = std::move(modes);
  if (seen.referee) out.nested = seen.referee->log_evidence;
  check_stop(context.stop);  // it may have been taken for a doubt
  return out;
}

void judge_models(const Runner& runner, std::vector<ModelRuns>& models) {
  if (runner.options().method != Method::direct) return;
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < models.size(); ++k)
    if (!models[k].judged) which.push_back(k);
  const auto slot = [&](std::size_t j) {
    const ModelRuns& m = models[which[j]];
    return runner.slot(which[j], "judgement of " + std::to_string(m.finished.size()) + " runs of " +
                                     std::to_string(m.finished.front().replicate.trace.particles) +
                                     (m.dropped ? ", dropped" : ""));
  };
  const auto run = [&](std::size_t j, const Executor& threads, Team&) {
    const std::size_t k = which[j];
    Context context = runner.context(k, models[k].first, threads, team_of_one());
    context.checkpoint = slot(j);
    return judge_model(evidenced(*runner.candidate(k).model, models[k]), runner.options(), context);
  };
  auto judged = run_kept<JudgedModel>({.count = which.size(), .slot = slot, .run = run}, runner.team(),
                                      runner.executor(), runner.stop());
  for (std::size_t j = 0; j < which.size(); ++j) models[which[j]].take(std::move(*judged[j]));
}

}  // namespace evident
