// Runs a plan: every voxel or region, then the maps, tables and the report, all of them or none.
//
//   PetOutcome outcome = run_pet(plan, {.threads = 4, .resume = true}, progress, stop);
//
// While it runs, a hidden folder beside the results holds the journal and what is written; it goes away at the end. A
// run that was stopped, by whatever means, goes on with `resume` and ends with the same bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/team.hpp"
#include "imaging/fit/fit_many.hpp"
#include "imaging/pet/fit/plan.hpp"

namespace evident::imaging {

struct PetRunOptions {
  unsigned threads = 0;        ///< 0: one per core
  bool resume = false;         ///< go on with a run that was stopped, if there is one; keep one that is finished
  bool force = false;          ///< replace results and journals of earlier runs
  Team& team = team_of_one();  ///< ranks that share the curves; rank 0 alone writes, and alone has an outcome
};

/// What an earlier run left in the folder of a plan.
enum class PetRunState { none, unfinished, finished };
PetRunState pet_run_state(const PetPlan& plan);

struct PetOutcome {
  FitResults results;
  CurveFit mean_fit;  ///< of the mean curve
  FitProgress end;    ///< counts at the end
  std::vector<std::filesystem::path> files;
  std::filesystem::path report;
  bool finished_before = false;       ///< with `resume`: all was there, and nothing else is said here
  std::size_t pieces_done_again = 0;  ///< of a journal that was damaged
};

/// Throws InputError before any work when results or a journal are in the way, or when the journal is another run's.
PetOutcome run_pet(const PetPlan& plan, const PetRunOptions& options,
                   const std::function<void(const FitProgress&)>& progress = {}, const std::stop_token& stop = {});

/// The result in a few lines: how many curves were fitted, which model is best in how many, what to look at.
std::string pet_summary(const PetPlan& plan, const FitTable& table);
/// One line a region: probabilities and V_T, for the terminal.
std::string regions_table(const PetPlan& plan, const FitTable& table);

/// Seconds of one core for all curves, from a pilot of at most `curves` of them.
double forecast_seconds(const PetPlan& plan, std::size_t curves = 200, unsigned threads = 0,
                        const std::stop_token& stop = {});

}  // namespace evident::imaging
