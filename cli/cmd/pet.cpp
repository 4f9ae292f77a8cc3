// evident pet: compartment models compared in every voxel of a PET scan, or in every region of a table.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <optional>

#include "arguments.hpp"
#include "base/option.hpp"
#include "cmd/pet/options.hpp"
#include "cmd/pet/progress.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/fit/run.hpp"
#include "imaging/pet/io/bids.hpp"
#include "interrupt.hpp"
#include "last_words.hpp"
#include "output.hpp"
#include "report/text.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;
using namespace imaging;

class Pet final : public Command {
 public:
  std::string name() const override { return "pet"; }
  std::string description() const override { return "Compare compartment models in every voxel of a PET scan"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident pet /data/study /data/derivatives participant --participant-label 01\n"
           "  evident pet --image sub-01_pet.nii.gz --blood blood.tsv --mask brain.nii.gz --out out\n"
           "  evident pet --image sub-01_pet.nii.gz --blood blood.tsv --out out --dry-run\n"
           "  evident pet --tacs regions.tac --input-function plasma.tsv --out out\n"
           "\n"
           "Inside, activities are in kBq/mL and times in seconds from injection; the units\n"
           "of the files are converted. --dry-run tells what was understood and how long\n"
           "the run will take. A run that was stopped goes on with --resume and gives the\n"
           "same maps.\n"
           "Exit status: 0 success, 1 the run failed, 2 bad usage or input, 130 or 143 stopped by a signal.";
  }

  void declare(CLI::App& app) override { options_.declare(app); }

  bool spreads() const override { return true; }

  void run() override {
    std::vector<std::string> found;
    command_ = options_.command();
    const std::vector<PetRequest> requests = cli::requests(command_, found);
    const PetRunOptions run_options{.threads = command_.threads != 0 ? command_.threads : membership().threads(),
                                    .resume = command_.resume,
                                    .force = command_.force,
                                    .team = membership().team()};
    warn(found);
    if (!command_.quiet && !membership().description().empty()) cli::tell(membership().description() + "\n");
    std::vector<std::shared_ptr<PetPlan>> plans;  // all, so that every mistake is found before anything is computed
    for (const PetRequest& request : requests) {
      plans.push_back(std::make_shared<PetPlan>(make_plan(request)));
      if (requests.size() > 1) plans.back()->forget_voxels();
    }
    for (std::shared_ptr<PetPlan>& plan : plans) {
      if (plans.size() > 1) tell(fmt::format("{}\n", report::printable(plan->request.image.string())));
      warn(plan->warnings);
      if (command_.dry_run)
        describe(*plan, run_options);
      else
        compute(plan, run_options);
      plan.reset();
    }
  }

 private:
  static void warn(const std::vector<std::string>& warnings) {
    for (const std::string& w : warnings) tell(fmt::format("warning: {}\n", report::printable(w)));
  }

  void describe(PetPlan& plan, const PetRunOptions& run_options) const {
    if (!run_options.team.leads()) return;
    plan.read_voxels();
    std::string out = fmt::format("{}\n", plan.request.prefix);
    for (const std::string& line : plan.understood()) out += fmt::format("  {}\n", report::printable(line));
    constexpr std::size_t kPilot = 200;
    const double seconds = forecast_seconds(plan, kPilot, run_options.threads, interrupt().token());
    const std::size_t threads = run_options.team.threads_of_all(Executor(run_options.threads).threads());
    out += fmt::format("  forecast: {} on {} {} ({:.2g} core hours), from a pilot of {} curves\n",
                       report::duration(seconds / static_cast<double>(threads)), threads,
                       threads == 1 ? "thread" : "threads", seconds / 3600, std::min(kPilot, plan.curves.size()));
    print(out);
  }

  void compute(const std::shared_ptr<PetPlan>& shared, const PetRunOptions& run_options) const {
    shared->read_voxels();
    const PetPlan& plan = *shared;
    const LastWords last_words(membership(), interrupt(),
                               [shared](const std::string& why) { return way_on(*shared, why); });
    std::optional<PetProgress> progress;
    if (!command_.quiet && run_options.team.leads()) progress.emplace(plan.is_image() ? "voxels" : "regions");
    std::optional<PetOutcome> outcome;
    try {
      outcome = run_pet(
          plan, run_options,
          [&](const FitProgress& p) {
            if (progress) progress->show(p);
          },
          interrupt().token());
    } catch (const RunError& e) {
      if (progress) progress->close();
      if (!run_options.team.leads()) throw;  // rank 0 says what is kept
      try {
        run_options.team.rethrow_failure();
      } catch (const TeamFailure& failure) {  // that is why this rank stopped
        throw TeamFailure(way_on(plan, failure.message()), failure.status());
      }
      throw RunError(way_on(plan, e.message()));
    }
    if (progress) progress->close();
    if (!run_options.team.leads()) return;
    if (outcome->finished_before)
      return print(fmt::format("The run is finished already; its results are in {}\n",
                               report::printable(plan.request.folder.string())));
    if (outcome->pieces_done_again > 0) notice(done_again(outcome->pieces_done_again));
    if (!command_.quiet && !run_options.team.single()) cli::tell(membership().traffic() + "\n");
    std::string out = pet_summary(plan, outcome->results.table);
    if (!plan.is_image()) out += "\n" + regions_table(plan, outcome->results.table);
    out += fmt::format("\n{} in {}\nReport: {}\n", plan.is_image() ? "Maps are" : "Tables are",
                       report::printable(plan.request.folder.string()), report::printable(outcome->report.string()));
    print(out);
  }

  /// A run that ended early is not lost: what is done is kept, and the way on is told.
  static std::string way_on(const PetPlan& plan, const std::string& why) {
    const std::string folder = plan.request.folder.string();
    switch (pet_run_state(plan)) {
      case PetRunState::none:
        return why + "; nothing was written";
      case PetRunState::finished:
        return fmt::format("{}; the results in {} are complete", why, folder);
      case PetRunState::unfinished:
        break;
    }
    return fmt::format("{}; what is done is kept in {}: repeat the command with {} to go on", why, folder,
                       option("resume"));
  }

  PetCommandOptions options_;
  PetCommand command_;
};

}  // namespace

std::unique_ptr<Command> pet_command() { return std::make_unique<Pet>(); }

}  // namespace evident::cli
