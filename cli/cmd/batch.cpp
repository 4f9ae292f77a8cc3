// evident batch: one study over many data sets.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "batch/run.hpp"
#include "choices.hpp"
#include "command.hpp"
#include "command_line.hpp"
#include "evident/base/error.hpp"
#include "interrupt.hpp"
#include "last_words.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "report/text.hpp"
#include "sampler_options.hpp"
#include "study/read_options.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;

std::string progress_text(const batch::Progress& p) {
  std::string line =
      fmt::format("{} of {} data sets ({} %)", p.done, p.total, p.total > 0 ? 100 * p.done / p.total : 100);
  if (p.resumed > 0) line += fmt::format(", {} from before", p.resumed);
  if (p.changed > 0) line += fmt::format(", {} again because files changed", p.changed);
  const auto fresh = static_cast<double>(p.done - p.resumed);
  if (fresh > 0 && p.seconds > 0) {
    const double rate = fresh / p.seconds;
    line += fmt::format(", {:.3g}/s", rate);
    if (p.done < p.total)
      line += fmt::format(", {} left", report::duration(static_cast<double>(p.total - p.done) / rate));
  }
  if (p.failed > 0) line += fmt::format("; {} failed", p.failed);
  return line;
}

/// Each data set takes and frees the same large blocks. The C library of GNU would after a while keep them in its heap,
/// which grows in pieces by a megabyte a data set; given a number, it goes on giving them back.
void keep_memory_small() {
#ifdef M_MMAP_THRESHOLD
  constexpr int kLarge = 128 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

class Batch final : public Command {
 public:
  std::string name() const override { return "batch"; }
  std::string description() const override { return "Run one study over many data sets"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident batch study.toml --data 'subjects/*.csv'\n"
           "  evident batch study.toml --groups subject\n"
           "  evident batch study.toml --list subjects.tsv --out results --resume\n"
           "  evident batch studies.txt\n"
           "  evident batch study.toml --data 'subjects/*.csv' --shard auto\n"
           "\n"
           "A list holds one data file or study (*.toml) a line, or is a table with columns data, study\n"
           "and name. The results are results.csv, results.json and parameters.csv in a folder; each data\n"
           "set has random numbers of its own, by its name. What is done is kept: --resume does what is\n"
           "left, what failed, and what has changed. --shard i/n does every n-th data set, for array jobs\n"
           "of a cluster, and 'evident gather' puts the shards together.\n"
           "Exit status: 0 success, 1 a data set failed, 2 bad usage or input, 130 or 143 stopped by a signal.";
  }

  void declare(CLI::App& app) override {
    app_ = &app;
    app.add_option("study", study_, "the study, a TOML file; or a list of studies")->required()->type_name("STUDY");
    app.add_option("--data", data_, "data files, or a pattern in quotes; each is a data set")->type_name("FILE...");
    app.add_option("--list", list_, "a list of data files or studies")->type_name("FILE");
    app.add_option("--groups", groups_, "the rows of each group of this column are a data set")->type_name("COLUMN");
    app.add_option("--out", out_, "folder for the results (default: STUDY.batch)")->type_name("DIR");
    offer(app.add_option("--shard", shard_, "do data sets i, i+n, ...; auto: as the array job says; auto/n"), {"auto"})
        ->type_name("i/n");
    app.add_flag("--resume", resume_, "go on with what is in the folder, if anything is");
    app.add_flag("--force", force_, "replace what is in the folder");
    app.add_flag("--reports", reports_, "a folder for each data set, as 'evident compare' writes");
    app.add_flag("--no-report", no_report_, "no report.html in these");
    app.add_flag("--strict", strict_, "stop at the first data set that fails");
    app.add_flag("--dry-run", dry_run_, "tell what would be done");
    app.add_flag("--quiet", quiet_, "no progress on standard error");
    sampler_.declare(app);
  }

  bool spreads() const override { return true; }

  void run() override {
    keep_memory_small();
    const auto shared = std::make_shared<const batch::Plan>(make_plan());
    const batch::Plan& plan = *shared;
    if (dry_run_) return describe(plan);
    if (resume_ && force_) throw InputError("--resume and --force exclude each other; give one of them");
    if (!quiet_ && !membership().description().empty()) tell(membership().description() + "\n");
    const LastWords last_words(membership(), interrupt(),
                               [shared](const std::string& why) { return way_on(*shared, why); });
    const batch::Summary summary = compute(plan);
    if (!membership().team().leads()) return;
    if (!quiet_ && !membership().team().single()) tell(membership().traffic() + "\n");
    if (summary.pieces_done_again > 0) notice(done_again(summary.pieces_done_again));
    print(batch::to_text(summary, report::detect_style(STDOUT_FILENO)) + where(plan));
    if (const std::string failed = batch::failure_text(summary); !failed.empty())
      throw RunError(failed + "; mend them and repeat the command with --resume: only they are done again");
  }

 private:
  batch::ItemList make_list(const study::CodeAccess& code) const {
    if (static_cast<int>(!data_.empty()) + static_cast<int>(list_.has_value()) + static_cast<int>(groups_.has_value()) >
        1)
      throw InputError("--data, --list and --groups exclude each other; give one of them");
    const bool is_study = study_.ends_with(".toml");
    if (!is_study && (!data_.empty() || list_ || groups_))
      throw InputError(fmt::format("{}: the study must be a TOML file, *.toml", study_));
    if (!is_study) return batch::items_of_list(study_);
    if (!data_.empty()) return batch::items_of_files(study_, data_);
    if (list_) return batch::items_of_list(*list_, study_);
    if (groups_) return batch::items_of_groups(study_, *groups_, code);
    throw InputError(
        "which data sets? Give --data 'FILES', --groups COLUMN or --list FILE; for one data set: evident compare");
  }

  batch::Plan make_plan() const {
    if (out_ && out_->empty()) throw InputError("--out must not be empty");
    const study::Overrides overrides = sampler_.overrides(interrupt().token(), quiet_);
    batch::Plan plan{.list = make_list(overrides.code), .folder = {}};
    const fs::path study(study_);
    plan.folder = out_ ? fs::path(*out_) : study.parent_path() / (study.stem().string() + ".batch");
    plan.title = study.filename().string();
    plan.overrides = overrides;
    plan.settings = sampler_.given();
    if (shard_) plan.shard = batch::parse_shard(*shard_);
    plan.reports = reports_;
    plan.html = !no_report_;
    plan.command = command_line(*app_, "evident batch",
                                {"--shard", "--resume", "--force", "--threads", "--quiet"});  // shards differ in them
    plan.spelling = flag;
    return plan;
  }

  void describe(const batch::Plan& plan) const {
    if (!membership().team().leads()) return;
    constexpr std::size_t kTold = 10;
    const std::vector<std::uint64_t> own = plan.shard.items(plan.list.items.size());
    std::string out = fmt::format("{} data sets", plan.list.items.size());
    if (!plan.shard.is_whole) out += fmt::format(", {} of them in shard {}", own.size(), plan.shard.text());
    out += "\n";
    for (std::size_t i = 0; i < std::min(kTold, own.size()); ++i) {
      const batch::Item& item = plan.list.items[own[i]];
      const std::string& file = item.data.empty() ? item.study : item.data;
      out += fmt::format("  {}{}\n", report::printable(item.name), item.group ? "" : "  " + report::printable(file));
    }
    if (own.size() > kTold) out += fmt::format("  ... and {} more\n", own.size() - kTold);
    print(out + fmt::format("Results would be in {}\n", report::printable(plan.folder.string())));
  }

  batch::Summary compute(const batch::Plan& plan) const {
    std::optional<ProgressLine> line;
    if (!quiet_ && membership().team().leads()) line.emplace();
    const auto show = [&](const batch::Progress& p) {
      if (line) line->show([&] { return progress_text(p); }, p.done == p.total);
    };
    const unsigned asked = study::options_of(plan.overrides.settings).threads;
    const batch::RunOptions options{.threads = asked != 0 ? asked : membership().threads(),
                                    .resume = resume_,
                                    .force = force_,
                                    .strict = strict_,
                                    .team = membership().team()};
    try {
      batch::Summary out = batch::run_batch(plan, options, show, interrupt().token());
      if (line) line->close();
      return out;
    } catch (const RunError& e) {
      if (line) line->close();
      if (!membership().team().leads()) throw;  // rank 0 says what is kept
      try {
        membership().team().rethrow_failure();
      } catch (const TeamFailure& failure) {  // that is why this rank stopped
        throw TeamFailure(way_on(plan, failure.message()), failure.status());
      }
      throw RunError(way_on(plan, e.message()));
    }
  }

  static std::string where(const batch::Plan& plan) {
    if (plan.shard.is_whole) return fmt::format("\nResults are in {}\n", report::printable(plan.folder.string()));
    return fmt::format("\nShard {} is done; when all are: evident gather {}\n", plan.shard.text(),
                       report::printable(quoted(plan.folder.string())));
  }

  /// A run that ended early is not lost: what is done is kept, and the way on is told.
  static std::string way_on(const batch::Plan& plan, const std::string& why) {
    if (!batch::is_begun(plan)) return why + "; nothing was written";
    return fmt::format("{}; what is done is kept in {}: repeat the command with --resume to go on", why,
                       plan.folder.string());
  }

  CLI::App* app_ = nullptr;
  std::string study_;
  std::vector<std::string> data_;
  std::optional<std::string> list_, groups_, out_, shard_;
  SamplerOptions sampler_;
  bool resume_ = false, force_ = false, reports_ = false, no_report_ = false, strict_ = false, dry_run_ = false,
       quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> batch_command() { return std::make_unique<Batch>(); }

}  // namespace evident::cli
