// A comparison of one model in small: every part of it, with as many particles as the time allows, counted and timed.
//
//   const SmallComparison small = compare_in_small(*model, options, known, context);
//   small.sizes.back().pilot.moves().evaluations;
//
// It begins as the comparison would, at the modes where there are several. The same seed gives the same numbers as long
// as the time allows the same particles.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compare/model_check.hpp"
#include "compare/small_runs.hpp"

namespace evident {

/// What the rest of a check has found out.
struct CheckedSoFar {
  LikelihoodTime time = {};
  const Scouted* modes = nullptr;  ///< null: nobody looked for them
  Work scouting = {};              ///< to look for them
};

/// Runs with so many particles.
struct MeasuredRuns {
  Course pilot = {};
  std::optional<Work> island = {};  ///< of one, with its bridge, after the first particles; nothing: there was no time

  std::size_t particles() const { return pilot.particles; }
};

struct SmallComparison {
  std::string why_not = {};              ///< when nothing can be told
  double finer = 1;                      ///< steps of the wanted schedule for one of the small one
  std::vector<MeasuredRuns> sizes = {};  ///< one or two, the larger one last
  std::optional<Work> checks = {};       ///< after the runs
  std::size_t drawn_beside = 0;          ///< draws of the prior among the evaluations of the checks
  std::optional<Work> probe = {};        ///< the small nested run
  std::size_t particles_of_probe = 0;
  bool asks_referee = false, in_doubt = false;  ///< what judges made of the runs, if there was time for all of it
};

SmallComparison compare_in_small(const Model& model, const ModelCheckOptions& options, const CheckedSoFar& known,
                                 const Context& context);

}  // namespace evident
