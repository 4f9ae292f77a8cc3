#include "compare/model_runs.hpp"

#include <algorithm>
#include <utility>

#include "scout/mode_mass.hpp"
#include "scout/mode_mixture.hpp"

namespace evident {

namespace {

constexpr double kHalf = 0.5, kFew = 0.02;

/// Of the first particles: no part of the posterior is left out. Where modes may be unknown, or are no picture of the
/// posterior, half of them look for the rest.
double share_of_prior(const Scouted& found) {
  constexpr double kFewUnseen = 0.02;
  if (found.unseen() > kFewUnseen || !draws_fit(found.modes)) return kHalf;
  return found.possible < kHalf ? std::min(kHalf, kFew / found.possible) : kFew;
}

/// Can they, though most draws of the prior are impossible? Otherwise runs begin at the prior, and draw until enough
/// are possible.
bool prior_counts(const Scouted& found) { return kHalf * found.possible >= kFew; }

bool moves_are_ours(const Model& model) { return !model.has_initial() && !model.has_own_move(); }

}  // namespace

void ModelRuns::begin_at(Scouted found, const Model& model) {
  earlier_evaluations += found.evaluations;
  if (auto mixture = mode_mixture(found); mixture && moves_are_ours(model) && prior_counts(found))
    start_from(std::move(*mixture), share_of_prior(found), model);
  else if (moves_are_ours(model) && !modes_are_known(found))
    smc.kernel.apart = rows_apart(found);
  modes = std::move(found);
}

void ModelRuns::start_from(FittedMixture mixture, double share_of_prior, const Model& model) {
  constexpr double kFiner = 10;  // the path is short, and its steps can be
  if (auto* cess = std::get_if<CessSchedule>(&smc.schedule); cess != nullptr && !start)
    cess->target = 1 - (1 - cess->target) / kFiner;
  smc.kernel.apart.clear();
  smc.kernel.modes = std::make_shared<const FittedMixture>(mixture);
  start = std::make_shared<const PriorAndModes>(model, std::move(mixture), share_of_prior);
}

std::vector<IslandNumbers> ModelRuns::islands() const {
  std::vector<IslandNumbers> out;
  for (const runs::Finished& f : finished) {
    const Replicate& r = f.replicate;
    IslandNumbers& one = out.emplace_back(IslandNumbers{.log_evidence = r.log_evidence});
    if (!r.bridge) continue;
    one.bridge = r.bridge->log_evidence;
    one.bridge_usable = r.bridge->usable;
    one.bridge_efficiency = r.bridge->agreement.efficiency;
  }
  return out;
}

void ModelRuns::begin_again(std::size_t factor, const Model& model) {
  const bool lacked_a_mode = judged && judged->judgement.lacks_a_mode();
  forget_judgement();
  const std::vector<Mode> known = modes ? modes_that_matter(*modes) : std::vector<Mode>{};
  const bool met_a_mode = std::ranges::any_of(known, [](const Mode& m) { return m.hits == 0; });
  if ((lacked_a_mode || met_a_mode) && !known.empty() && moves_are_ours(model) && prior_counts(*modes))
    start_from(mixture_at(known), kHalf, model);
  earlier_evaluations += pilot->replicate.trace.evaluations;
  for (const runs::Finished& f : finished) earlier_evaluations += f.replicate.trace.evaluations;
  first += finished.size();
  finished.clear();
  pilot.reset();
  smc.particles *= factor;
}

void ModelRuns::take(JudgedModel found) {
  if (found.known_modes) {
    earlier_evaluations += found.known_modes->evaluations - modes->evaluations;
    modes = found.known_modes;
  }
  judged = std::move(found);
}

void ModelRuns::forget_judgement() {
  if (judged) earlier_evaluations += judged->nested_evaluations;
  if (judged && judged->nan) earlier_evaluations += judged->nan->fresh_evaluations;
  judged.reset();
}

}  // namespace evident
