#include "compare/rounds.hpp"

#include <algorithm>

#include "judge/alarms.hpp"

namespace evident {
namespace {

std::size_t first_particles(const SmcOptions& smc, const CompareOptions& options) {
  constexpr std::size_t kShare = 4, kFewest = 200;
  const bool hurried = options.with_islands() && options.goal.seconds > 0 && smc.particles / kShare >= kFewest;
  return hurried ? smc.particles / kShare : smc.particles;
}

// Among many islands one is far off by chance; then only what would change a conclusion counts.
bool is_doubtful(const std::vector<IslandNumbers>& islands, std::size_t first_round) {
  const std::vector<Reason> reasons = alarms_of_islands(islands);
  return islands.size() <= 2 * first_round ? !reasons.empty() : verdict(reasons) == Verdict::do_not_trust;
}

std::vector<ModelProgress> progress_of(const Runner& runner, const std::vector<ModelRuns>& models) {
  std::vector<ModelProgress> out;
  for (std::size_t k = 0; k < models.size(); ++k) {
    const ModelRuns& m = models[k];
    double evaluations = 0, seconds = 0;
    for (const runs::Finished& f : m.finished) {
      evaluations += static_cast<double>(f.replicate.trace.evaluations);
      seconds += f.replicate.seconds;
    }
    const auto n = static_cast<double>(m.finished.size());
    const std::vector<IslandNumbers> islands = m.islands();
    const CombinedEvidence evidence = combine_islands(islands);
    out.push_back({.evidence = {evidence.best, runner.candidate(k).weight},
                   .island_sd = evidence.island_sd,
                   .doubtful = is_doubtful(islands, runner.options().islands),
                   .islands = m.finished.size(),
                   .particles = m.smc.particles,
                   .full = m.full,
                   .cost = std::max(evaluations / n, 1.0),
                   .seconds = seconds / n});
  }
  return out;
}

}  // namespace

std::vector<ModelRuns> first_models(const std::vector<Candidate>& candidates, const CompareOptions& options) {
  std::vector<ModelRuns> out;
  for (const Candidate& c : candidates) {
    ModelRuns& m = out.emplace_back(ModelRuns{.smc = runs::sampler_of(c, options)});
    m.full = m.smc.particles;
    m.smc.particles = first_particles(m.smc, options);
  }
  return out;
}

RoundPlan first_round(const CompareOptions& options, std::size_t models) {
  return {std::vector<ModelPlan>(models, ModelPlan{.islands = options.runs()})};
}

RoundPlan toward_goal(const Runner& runner, std::vector<ModelRuns>& models) {
  const CompareOptions& options = runner.options();
  if (!options.with_islands() || !options.goal.asked()) return {};
  RoundPlan plan = next_round(progress_of(runner, models), options.goal, runner.elapsed(runner.team()),
                              runner.threads_of_all(), options.islands);
  for (std::size_t k = 0; k < models.size(); ++k) {
    if (models[k].dropped != plan.models[k].hopeless) models[k].forget_judgement();
    models[k].dropped = plan.models[k].hopeless;
  }
  return plan;
}

RoundPlan where_in_doubt(const Runner& runner, const std::vector<ModelRuns>& models) {
  const CompareOptions& options = runner.options();
  if (!options.with_islands()) return {};
  std::vector<bool> doubtful;
  for (const ModelRuns& m : models) doubtful.push_back(m.judged->judgement.in_doubt() && !m.dropped);
  if (std::ranges::find(doubtful, true) == doubtful.end()) return {};
  return doubled_particles(progress_of(runner, models), doubtful, options.goal, runner.threads_of_all(),
                           options.islands);
}

void begin_round(std::size_t number, const RoundPlan& plan, const Runner& runner, std::vector<ModelRuns>& models) {
  RoundNotice notice{.round = number, .models = {}, .forecast = plan.seconds};
  for (std::size_t k = 0; k < models.size(); ++k) {
    ModelRuns& m = models[k];
    const ModelPlan& next = plan.models[k];
    notice.models.push_back(
        {next.islands, m.smc.particles * next.factor, combine_islands(m.islands()).best.standard_error, m.dropped});
    if (next.factor > 1 && next.islands > 0) m.begin_again(next.factor, *runner.candidate(k).model);
  }
  if (runner.observer() != nullptr) runner.observer()->on_round(notice);
}

}  // namespace evident
