// evident compare: runs a study and writes what came out.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/option.hpp"
#include "base/rank_0.hpp"
#include "base/team.hpp"
#include "command.hpp"
#include "compare/method.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/checkpoint.hpp"
#include "evident/report/document.hpp"
#include "evident/results/study_files.hpp"
#include "evident/study/study.hpp"
#include "interrupt.hpp"
#include "journal/same_work.hpp"
#include "last_words.hpp"
#include "output.hpp"
#include "report/files.hpp"
#include "report/netcdf.hpp"
#include "report/output_folder.hpp"
#include "report/progress.hpp"
#include "sampler_options.hpp"
#include "study/identity.hpp"
#include "study/known_models.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;

class Compare final : public Command {
 public:
  std::string name() const override { return "compare"; }
  std::string description() const override { return "Compare the models of a study and write the results"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident compare study.toml\n"
           "  evident compare study.toml --precision 0.1\n"
           "  evident compare study.toml --decide 0.95 --time 10m\n"
           "  evident compare study.toml --particles 4000 --cess 0.9999 --replicates 10\n"
           "  evident compare study.toml --method population-mcmc\n"
           "  evident compare study.toml --model two --model three --out two-or-three --force\n"
           "  evident compare study.toml --netcdf draws.nc\n"
           "  evident compare study.toml --json --quiet | jq '.models[] | {name, probability}'\n"
           "  evident compare study.toml --resume\n"
           "\n"
           "The results are written to a folder: report.html to look at, result.json, and for each model its\n"
           "weighted posterior draws, the trace of its run, prior draws and what it predicts. With --json there\n"
           "is a folder only when --out names it. A run that takes longer than half a minute keeps what is\n"
           "done in a folder beside it, DIR.checkpoint; with --resume it goes on from there after it was\n"
           "stopped, and gives the same numbers.\n"
           "'evident models --sampler' lists what [sampler] in a study takes, 'evident methods' the methods.\n"
           "Exit status: 0 success, 1 the run failed or was stopped, 2 bad usage or input.";
  }

  void declare(CLI::App& app) override {
    app.add_option("study", study_, "the study, a TOML file")->required()->type_name("STUDY.toml");
    app.add_option("--data", data_, "data in place of the file that the study names")->type_name("FILE");
    sampler_.declare(app);
    app.add_option("--out", out_, "folder for the results (default: STUDY.evident; none with --json)")
        ->type_name("DIR");
    app.add_flag("--force", force_, "replace the results of an earlier run");
    app.add_option("--checkpoint", checkpoint_, "keep what is done in this folder, from the start")->type_name("DIR");
    app.add_flag("--resume", resume_, "go on with a run that was stopped, if there is one; keep what is done");
    app.add_option("--netcdf", netcdf_, "also write the draws for ArviZ: FILE.nc, or FILE.MODEL.nc for several models")
        ->type_name("FILE.nc");
    app.add_flag("--no-report", no_report_, "no report.html among the results");
    app.add_flag("--json", json_, "print the result as one JSON document");
    app.add_flag("--quiet", quiet_, "no progress on standard error");
  }

  bool spreads() const override { return true; }

  void run() override {
    if (netcdf_) report::check_netcdf(*netcdf_, {}, true);
    study::Study study = study::read_study(study_, overrides());
    interrupt().check();
    if (!membership().team().single()) require_same_work(study::study_identity(study), membership().team());
    std::optional<JournalIdentity> identity;
    if (membership().team().leads() && leaves_files()) identity = study::study_identity(study, LikelihoodAtDraws::no);
    if (from_rank_0(identity && resume_ && is_finished(*identity), membership().team()))
      return show_finished(study, identity);
    if (netcdf_ && membership().team().leads()) check_netcdf(study);
    if (study.options.threads == 0) study.options.threads = membership().threads();
    study.options.team = &membership().team();
    // Who asks for the document alone gets it alone, as often as wanted; a folder is then made only when named.
    std::optional<report::OutputFolder> folder;
    if (membership().team().leads() && (!json_ || out_)) folder.emplace(out_path(), force_);
    const auto checkpoint = make_checkpoint(study);
    study.options.checkpoint = checkpoint.get();
    const auto finished = std::make_shared<std::atomic<bool>>(false);
    const LastWords last_words(
        membership(), interrupt(),
        [finished, out = out_path(), kept = checkpoint ? checkpoint_path() : fs::path()](const std::string& why) {
          if (*finished) return fmt::format("{}; the results in {} are complete", why, out.string());
          return way_on(kept, why);
        });
    if (!quiet_ && !membership().description().empty()) tell(membership().description() + "\n");

    const Comparison result = compute(study, checkpoint.get());
    if (!membership().team().leads()) return;
    if (!quiet_ && !membership().team().single()) tell(membership().traffic() + "\n");
    const report::RunFacts facts{.run = identity ? identity->fingerprint() : 0,
                                 .pieces_done_again = checkpoint ? checkpoint->pieces_done_again() : 0};
    hand_over(study, result, folder ? &*folder : nullptr, facts, *finished);
    if (checkpoint) checkpoint->finish();
  }

 private:
  /// Writes and prints what came out.
  void hand_over(const study::Study& study, const Comparison& result, report::OutputFolder* folder,
                 const report::RunFacts& facts, std::atomic<bool>& finished) const {
    const std::vector<Candidate> known = study::known_models(study, result);
    report::Document document(result, results::run_info(study, result));
    if (folder != nullptr) {
      document.add_models(known, study.options);
      write(document, *folder, facts);
      finished = true;
    }
    std::vector<fs::path> draws;
    if (netcdf_) draws = report::write_netcdf(*netcdf_, document, known, study.options);
    if (json_) return print(document.json());
    print(report::to_table(result, report::detect_style(STDOUT_FILENO)) +
          fmt::format("Results are in {}\n", report::printable(out_path().string())) + where_the_report_is());
    for (const fs::path& file : draws) print(fmt::format("Draws for ArviZ: {}\n", report::printable(file.string())));
  }

  fs::path checkpoint_path() const {
    if (checkpoint_ && checkpoint_->empty()) throw InputError("--checkpoint must not be empty");
    return checkpoint_ ? fs::path(*checkpoint_) : fs::path(out_path().string() + ".checkpoint");
  }

  /// Who asks for a document alone, and for nothing to be kept, gets no file.
  bool leaves_files() const { return !json_ || out_ || checkpoint_ || resume_; }

  /// Are the results of this very run there?
  bool is_finished(const JournalIdentity& identity) const {
    const auto manifest = report::Manifest::read(out_path() / report::Manifest::kName);
    return manifest && manifest->facts().run == identity.fingerprint() && manifest->matches(out_path(), "result.json");
  }

  void show_finished(const study::Study& study, const std::optional<JournalIdentity>& identity) const {
    if (!identity) return;  // another rank
    remove_finished(study);
    const report::Document document = report::Document::read(out_path());
    if (netcdf_ && !fs::exists(report::netcdf_files(*netcdf_, model_names(study)).front()))
      report::write_netcdf(*netcdf_, document, study.family ? std::vector<Candidate>() : study.candidates(),
                           study.options);
    if (json_) return print(document.json());
    print(fmt::format("The run is finished already; its results are in {}\n", report::printable(out_path().string())) +
          where_the_report_is());
  }

  /// The checkpoint of a run that was stopped when all was written; that of another run stays.
  void remove_finished(const study::Study& study) const {
    if (!Checkpoint::is_begun(checkpoint_path())) return;
    try {
      Checkpoint({.folder = checkpoint_path(), .resume = true}, study::study_identity(study)).finish();
    } catch (const InputError&) {
    }
  }

  std::shared_ptr<Checkpoint> make_checkpoint(const study::Study& study) const {
    constexpr double kShortRun = 30;  // seconds: it is quickly done again
    const bool asked = checkpoint_ || resume_;
    if (!leaves_files()) return nullptr;
    const CheckpointOptions options{
        .folder = checkpoint_path(), .resume = resume_, .replace = force_ && !resume_, .after = asked ? 0 : kShortRun};
    auto checkpoint = std::make_shared<Checkpoint>(
        options, [&study] { return study::study_identity(study); }, membership().team());
    if (checkpoint->pieces_done_again() > 0) notice(done_again(checkpoint->pieces_done_again()));
    if (!quiet_ && checkpoint->found() > 0)
      tell(fmt::format("going on with {}: {} finished pieces of work are there\n",
                       report::printable(options.folder.string()), checkpoint->found()));
    return checkpoint;
  }

  /// Without a folder nothing is kept.
  static std::string way_on(const fs::path& folder, const std::string& why) {
    if (folder.empty() || !Checkpoint::is_begun(folder)) return why + "; nothing was written";
    return fmt::format("{}; what is done is kept in {}: repeat the command with --resume to go on", why,
                       folder.string());
  }

  /// Throws what went wrong, with what is kept of it.
  [[noreturn]] void fail(const std::string& why) const {
    throw RunError(Checkpoint::is_begun(checkpoint_path()) ? way_on(checkpoint_path(), why) : why);
  }

  void write(const report::Document& document, report::OutputFolder& folder, const report::RunFacts& facts) const {
    try {
      report::write_files(document, folder.path(), !no_report_);
      interrupt().check();
      folder.publish(facts);
    } catch (const RunError& e) {  // a full disk, say
      fail(e.message());
    }
  }

  /// Before the run, so that no work is lost.
  void check_netcdf(const study::Study& study) const { report::check_netcdf(*netcdf_, model_names(study), force_); }

  static std::vector<std::string> model_names(const study::Study& study) {
    std::vector<std::string> names;
    for (const study::StudyModel& m : study.models) names.push_back(m.candidate.name);
    if (study.family && names.empty())
      for (const auto& [k, name] : study.family->listed) names.push_back(name);
    return names;
  }

  std::string where_the_report_is() const {
    const fs::path file = out_path() / "report.html";
    return fs::exists(file) ? fmt::format("Open the report: {}\n", report::printable(file.string())) : "";
  }

  study::Overrides overrides() const {
    study::Overrides out = sampler_.overrides(interrupt().token(), quiet_);
    if (data_) out.data = study::DataChoice{.file = *data_};
    return out;
  }

  fs::path out_path() const {
    if (out_) {
      if (out_->empty()) throw InputError("--out must not be empty");
      return *out_;
    }
    const fs::path study(study_);
    return study.parent_path() / (study.stem().string() + ".evident");
  }

  Comparison compute(const study::Study& study, Checkpoint* checkpoint) const {
    std::unique_ptr<report::Progress> progress;
    if (!quiet_ && membership().team().leads())
      progress = std::make_unique<report::Progress>(progress_options(study), tell);
    try {
      Comparison result = study::run(study, progress.get(), interrupt().token());
      interrupt().check();
      return result;
    } catch (const InputError& e) {
      if (checkpoint == nullptr || !checkpoint->is_written()) throw;
      throw InputError(way_on(checkpoint_path(), e.message()));
    } catch (const std::exception& e) {
      if (checkpoint != nullptr) checkpoint->sync();
      rethrow_failure_of_others();
      if (checkpoint == nullptr || !membership().team().leads()) throw;
      fail(message_of(e));
    }
  }

  /// Another rank's failure, or signal, is why this one stopped; rank 0 knows what is kept.
  void rethrow_failure_of_others() const {
    try {
      membership().team().rethrow_failure();
    } catch (const TeamFailure& e) {
      if (!membership().team().leads() || !Checkpoint::is_begun(checkpoint_path())) throw;
      throw TeamFailure(way_on(checkpoint_path(), e.message()), e.status());
    }
  }

  static report::ProgressOptions progress_options(const study::Study& study) {
    report::ProgressOptions options;
    const auto add = [&](std::string_view name, const Schedule& schedule) {
      options.names.emplace_back(name);
      options.schedules.push_back(schedule);
    };
    if (study.family) {  // one run serves all models
      add(info(study.options.method).name, study.options.smc->schedule);
    } else {
      for (const study::StudyModel& m : study.models) add(m.candidate.name, m.candidate.smc->schedule);
    }
    options.replicates = study.options.runs();
    options.style = [] { return report::detect_style(STDERR_FILENO); };
    return options;
  }

  std::string study_;
  SamplerOptions sampler_;
  std::optional<std::string> data_, out_, netcdf_, checkpoint_;
  bool resume_ = false, no_report_ = false, force_ = false, json_ = false, quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> compare_command() { return std::make_unique<Compare>(); }

}  // namespace evident::cli
