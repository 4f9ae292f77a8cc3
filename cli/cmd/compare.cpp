// evident compare: runs a study and writes what came out.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include "arguments.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "evident/report/files.hpp"
#include "evident/report/output_folder.hpp"
#include "evident/report/progress.hpp"
#include "evident/report/table.hpp"
#include "evident/study/sampler_keys.hpp"
#include "evident/study/study.hpp"
#include "interrupt.hpp"
#include "output.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;

void to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

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
           "  evident compare study.toml --json --quiet | jq '.models[] | {name, probability}'\n"
           "\n"
           "The results are written to a folder: result.json, and for each model its weighted posterior\n"
           "draws and the trace of its run. With --json there is a folder only when --out names it.\n"
           "'evident models --sampler' lists what [sampler] in a study takes, 'evident methods' the methods.\n"
           "Exit status: 0 success, 1 the run failed or was stopped, 2 bad usage or input.";
  }

  void declare(CLI::App& app) override {
    app.add_option("study", study_, "the study, a TOML file")->required()->type_name("STUDY.toml");
    app.add_option("--method", method_, "how models are compared (default: that of the study, else direct)")
        ->type_name("METHOD");
    app.add_option("--particles", particles_, "particles of each run")->type_name("N");
    app.add_option("--cess", cess_, "conditional effective sample size to keep at each step, in (0, 1)")
        ->type_name("X");
    app.add_option("--seed", seed_, "seed of the random numbers")->type_name("S");
    app.add_option("--threads", threads_, "threads; 0 = one per core; results do not depend on it")->type_name("K");
    app.add_option("--replicates", replicates_, "independent adaptive runs of each model, in place of islands")
        ->type_name("R");
    app.add_option("--islands", islands_, "frozen runs after a pilot (default 8): errors, and a verdict")
        ->type_name("R");
    app.add_flag("--no-pilot", no_pilot_, "one adaptive run of each model, as in the paper");
    app.add_option("--precision", precision_, "more islands until each standard error that matters is below this")
        ->type_name("X");
    app.add_option("--decide", decide_, "more islands until the best model's probability is surely above or below this")
        ->type_name("P");
    app.add_option("--time", time_, "the best answer within this time, such as 90s, 10m or 2h")->type_name("T");
    app.add_option("--model", models_, "run only this model; may be given several times")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    app.add_option("--out", out_, "folder for the results (default: STUDY.evident; none with --json)")
        ->type_name("DIR");
    app.add_flag("--force", force_, "replace the results of an earlier run");
    app.add_flag("--json", json_, "print the result as one JSON document");
    app.add_flag("--quiet", quiet_, "no progress on standard error");
  }

  void run() override {
    const study::Study study = study::read_study(study_, overrides());
    Interrupt interrupt;
    // Who asks for the document alone gets it alone, as often as wanted; a folder is then made only when named.
    std::optional<report::OutputFolder> folder;
    if (!json_ || out_) {
      folder.emplace(out_path(), force_);
      interrupt.set_last_words([path = folder->path()] {
        std::error_code ignored;
        fs::remove_all(path, ignored);
      });
    }

    const Comparison result = compute(study, interrupt);
    report::RunInfo info{.study = fs::path(study.file).filename().string(), .kinds = {}};
    for (const study::StudyModel& m : study.models) info.kinds.push_back(m.kind);
    if (study.family) info.kinds.assign(result.models.size(), study.family_kind);
    if (folder) report::write_files(result, info, folder->path());
    interrupt.check();
    if (folder) folder->publish();

    if (json_) {
      print(report::to_json(result, info));
    } else {
      print(report::to_table(result, report::detect_style(STDOUT_FILENO)) +
            fmt::format("Results are in {}\n", report::printable(out_path().string())));
    }
  }

 private:
  study::Overrides overrides() const {
    study::Overrides out;
    if (method_) out.method = method(*method_);
    if (particles_) out.particles = whole_number("--particles", *particles_, 2, study::kMaxParticles);
    if (cess_) out.cess = real_number("--cess", *cess_, 0, 1, true);
    if (seed_) out.seed = whole_number("--seed", *seed_, 0, std::numeric_limits<std::uint64_t>::max());
    if (threads_) out.threads = static_cast<unsigned>(whole_number("--threads", *threads_, 0, study::kMaxThreads));
    if (replicates_) out.replicates = whole_number("--replicates", *replicates_, 1, study::kMaxReplicates);
    if (islands_ && no_pilot_) throw InputError("--islands and --no-pilot exclude each other; give one of them");
    if (islands_) out.islands = whole_number("--islands", *islands_, 0, study::kMaxReplicates);
    if (no_pilot_) out.islands = 0;
    if (precision_) out.goal.precision = real_number("--precision", *precision_, 1e-4, 10, false);
    if (decide_) out.goal.decide = real_number("--decide", *decide_, 0, 1, true);
    if (time_) out.goal.seconds = duration(*time_);
    out.models = models_;
    return out;
  }

  static Method method(const std::string& name) {
    try {
      return find_method(name);
    } catch (const InputError& e) {
      throw InputError(fmt::format("--method: {}", e.what()));
    }
  }

  static double duration(const std::string& text) {
    try {
      return study::read_duration(text);
    } catch (const InputError& e) {
      throw InputError(fmt::format("--time {}", e.what()));
    }
  }

  fs::path out_path() const {
    if (out_) {
      if (out_->empty()) throw InputError("--out must not be empty");
      return *out_;
    }
    const fs::path study(study_);
    return study.parent_path() / (study.stem().string() + ".evident");
  }

  Comparison compute(const study::Study& study, const Interrupt& interrupt) const {
    std::unique_ptr<report::Progress> progress;
    if (!quiet_) progress = std::make_unique<report::Progress>(progress_options(study), to_stderr);
    try {
      Comparison result = study::run(study, progress.get(), interrupt.token());
      interrupt.check();
      return result;
    } catch (const std::exception&) {
      interrupt.check();  // a stop looks like a failed run; say what it was
      throw;
    }
  }

  static report::ProgressOptions progress_options(const study::Study& study) {
    report::ProgressOptions options;
    const auto add = [&](std::string_view name, const Schedule& schedule) {
      options.names.emplace_back(name);
      options.schedules.push_back(schedule);
    };
    if (study.family) {  // one run serves all models
      add(info(study.options.method).name, study.options.smc.schedule);
    } else {
      for (const study::StudyModel& m : study.models) add(m.candidate.name, m.candidate.smc->schedule);
    }
    options.replicates = study.options.runs();
    options.style = [] { return report::detect_style(STDERR_FILENO); };
    return options;
  }

  std::string study_;
  std::optional<std::string> method_, particles_, cess_, seed_, threads_, replicates_, islands_, precision_, decide_,
      time_, out_;
  std::vector<std::string> models_;
  bool no_pilot_ = false, force_ = false, json_ = false, quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> compare_command() { return std::make_unique<Compare>(); }

}  // namespace evident::cli
