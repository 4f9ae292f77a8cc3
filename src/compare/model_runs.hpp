// The runs of one model, what they say, and what judges made of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compare/runs/run.hpp"
#include "dist/fitted_mixture.hpp"
#include "evident/compare/compare.hpp"
#include "evident/smc/sampler.hpp"
#include "judge/judge.hpp"
#include "proposal/bridge.hpp"
#include "scout/scout.hpp"
#include "smc/start_density.hpp"

namespace evident {

/// What a pilot leaves: its own numbers, and the plan.
struct PlanOfPilot {
  Replicate replicate;
  FrozenPlan plan;
  std::shared_ptr<const FittedMixture> bridge_density = {};  ///< where an island's own draws are too few for one
};

/// What judges found of one model.
struct JudgedModel {
  CombinedEvidence evidence = {};
  Judgement judgement = {};
  std::vector<FoundMode> modes = {};        ///< those whose mass is known
  std::optional<Scouted> known_modes = {};  ///< those found before the runs, and what the runs have met
  Estimate nested = {};                     ///< by nested sampling, where it was asked
  std::uint64_t nested_evaluations = 0;
};

struct ModelRuns {
  SmcOptions smc = {};
  std::size_t full = 0;               ///< particles that were asked for
  std::size_t first = 0;              ///< number of the first run that counts: those before had fewer particles
  std::optional<Scouted> modes = {};  ///< that were found before the pilot
  std::shared_ptr<const PriorAndModes> start = {};  ///< of the path, in place of the prior where modes matter
  std::optional<PlanOfPilot> pilot = {};
  std::vector<runs::Finished> finished = {};
  std::size_t earlier_evaluations = 0;  ///< of runs and checks that no longer count
  bool dropped = false;                 ///< it cannot matter, so it is not refined any further
  std::optional<JudgedModel> judged = {};

  /// The evidences of the runs.
  std::vector<IslandNumbers> islands() const;
  /// The path begins at these modes, where they matter.
  void begin_at(Scouted found, const Model& model);
  /// Begins with more particles, and at all the modes where the particles lacked one, or met one that no climb had
  /// found: what was done so far counts as work only.
  void begin_again(std::size_t factor, const Model& model);
  void take(JudgedModel found);
  /// Takes note that what was judged has changed.
  void forget_judgement();

 private:
  void start_from(FittedMixture mixture, double share_of_prior, const Model& model);
};

}  // namespace evident
