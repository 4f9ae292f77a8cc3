#include "compare/family_judging.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.hpp"
#include "base/run_kept.hpp"
#include "compare/judging.hpp"
#include "compare/method.hpp"
#include "compare/result_fields.hpp"
#include "compare/runner.hpp"
#include "evident/base/error.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

/// What the log evidence of a model would vary by between islands whose particles were independent draws at each step:
/// by their weights along the path, and by how many are in the model at the end.
double own_error(const Trace& trace, double share) {
  const auto n = static_cast<double>(trace.particles);
  double variance = (1 - share) / (share * n);
  for (std::size_t t = 1; t < trace.steps.size(); ++t) variance += (1 / trace.steps[t].cess - 1) / n;
  return std::sqrt(variance);
}

Evidenced evidenced(const Model& model, const ModelOfUnion& found, std::span<const Replicate> runs) {
  Evidenced out{.model = model,
                .finished = found.finished,
                .islands = {},
                .runs = {},
                .particles = runs.front().trace.particles,
                .modes = found.modes ? &*found.modes : nullptr};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Replicate& own = found.finished[r].replicate;
    IslandNumbers& island = out.islands.emplace_back();
    island.log_evidence = {own.log_evidence.value, own_error(runs[r].trace, own.probability.value)};
    if (const auto numbers = observe_run(runs[r].trace)) out.runs.push_back(*numbers);
  }
  return out;
}

/// An island without a particle in the model has nothing to compare.
bool enough_particles(const ModelOfUnion& m) {
  const auto met = [](const runs::Finished& f) { return f.replicate.support > 0; };
  return m.particles() >= threshold("few-visitors") && std::ranges::all_of(m.finished, met);
}

}  // namespace

double ModelOfUnion::particles() const {
  double sum = 0;
  for (const runs::Finished& f : finished) sum += f.replicate.support;
  return sum;
}

std::string few_particles_text(const ModelOfUnion& model, std::size_t particles) {
  return number(model.particles()) + " of the " + std::to_string(particles) +
         " final particles of the islands are in this model, too few to tell its evidence: the data make it "
         "improbable, or jumps hardly reach it; if it matters, use more particles, or method direct";
}

void judge_family(const ModelFamily& family, const CompareOptions& options, std::span<const Replicate> runs,
                  std::vector<ModelOfUnion>& models, const std::stop_token& stop) {
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < models.size(); ++k)
    if (enough_particles(models[k])) which.push_back(k);
  const auto slot = [&](std::size_t j) {
    return CheckpointSlot{options.checkpoint}
        .part(std::string(info(options.method).name))
        .part("judgement of " + models[which[j]].name);
  };
  const auto run = [&](std::size_t j, const Executor& threads, Team&) {
    ModelOfUnion& m = models[which[j]];
    const Model& model = family.model(m.index);
    const Streams streams({.seed = options.seed, .data_set = options.data_set, .model = identity(m.name)});
    Context context{streams, threads, stop};
    JudgedModel found;
    name_errors("model '" + m.name + "'", [&] {
      m.modes = scout(model, scout_options(options.sampler(), options), context);
      context.checkpoint = slot(j);
      found = judge_model(evidenced(model, m, runs), options, context);
    });
    return found;
  };
  auto judged = run_kept<JudgedModel>({.count = which.size(), .slot = slot, .run = run},
                                      options.team == nullptr ? team_of_one() : *options.team,
                                      Executor(options.threads, stop), stop);
  for (std::size_t j = 0; j < which.size(); ++j) {
    models[which[j]].modes = judged[j]->known_modes;
    models[which[j]].judged = std::move(judged[j]);
  }
}

}  // namespace evident
