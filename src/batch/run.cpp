#include "batch/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <unordered_map>

#include "base/option.hpp"
#include "base/run_kept.hpp"
#include "base/version.hpp"
#include "base/work_queue.hpp"
#include "batch/run_item.hpp"
#include "evident/base/error.hpp"
#include "journal/journal_store.hpp"
#include "journal/same_work.hpp"
#include "report/output_files.hpp"
#include "report/output_folder.hpp"

namespace evident::batch {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string hex(std::uint64_t sum) { return fmt::format("{:016x}", sum); }

fs::path reports_folder(const Plan& plan) { return plan.folder / "reports"; }

/// A mistake in the study is found before any work; only where one data set after the other says the same of the study
/// is it not the fault of a data set.
void check_study(const Plan& plan) {
  constexpr std::size_t kTried = 3;
  if (plan.list.study.empty()) return;
  std::string first;
  std::exception_ptr error;
  for (std::size_t i = 0; i < std::min(kTried, plan.list.items.size()); ++i) {
    study::Overrides overrides = plan.overrides;
    overrides.data = plan.list.data_of(plan.list.items[i]);
    try {
      study::read_study(plan.list.study, overrides);
      return;
    } catch (const InputError& e) {
      const std::string what = e.what();
      const bool of_study = what.starts_with(plan.list.study + ":") || !e.options().empty();
      if (!of_study || (i > 0 && what != first)) return;
      first = what;
      error = std::current_exception();
    } catch (const std::bad_alloc&) {
      return;  // of this data set: it will be told with it
    }
  }
  std::rethrow_exception(error);
}

/// Every rank reads list, study and data for itself; on another machine they may be others. Of many data sets the first
/// are looked at before the work, and each again with its result.
void require_same(JournalIdentity identity, const Plan& plan, Team& team) {
  constexpr std::size_t kLookedAt = 100;
  if (team.single()) return;
  for (std::size_t i = 0; i < std::min(kLookedAt, plan.list.items.size()); ++i) {
    const Item& item = plan.list.items[i];
    identity.fact(fmt::format("sum of the data of {}", item.name),
                  hex(file_sum(item.data.empty() ? item.study : item.data)));
  }
  require_same_work(identity, team);
}

/// Of a result that may come from another rank.
void require_same_inputs(const ItemResult& result) {
  for (const auto& [file, sum] : result.inputs)
    if (file_sum(file) != sum)
      throw RunError(
          fmt::format("{}: what a rank read of {} is not what rank 0 sees there; start all ranks where they "
                      "see the same files",
                      result.name, file));
}

/// The reports that the run will write: throws InputError when there is one that holds a file of somebody else.
void check_reports(const Plan& plan) {
  if (!plan.reports) return;
  std::error_code ignored;
  for (const std::uint64_t i : plan.shard.items(plan.list.items.size()))
    if (const fs::path folder = reports_folder(plan) / report_folder_name(plan.list, i); fs::exists(folder, ignored))
      report::check_replaceable(folder, folder.string());
}

/// Those of an earlier run, whatever it was made of. What somebody else has put there stays.
void remove_reports(const Plan& plan) {
  std::error_code failed;
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(reports_folder(plan), failed))
    if (entry.is_directory(failed) && !entry.is_symlink(failed)) folders.push_back(entry.path());
  for (const fs::path& folder : folders)
    if (report::not_ours(folder).empty()) report::remove_ours(folder);
  fs::remove(reports_folder(plan), failed);  // when nothing is left in it
}

void make_folder(const fs::path& folder, const std::string& shown) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || !fs::is_directory(folder, failed))
    throw InputError(fmt::format("output folder {}: cannot be made ({}); choose another one ({})", shown,
                                 failed ? failed.message() : "something else is there", option("out")));
}

/// Makes room in the folder, or says what is in the way.
void prepare_folder(const Plan& plan, const RunOptions& options) {
  const std::string shown = plan.folder.string();
  std::error_code failed;
  const auto there = [&](const fs::path& path) { return fs::exists(path, failed); };
  if (plan.shard.is_whole && there(plan.folder / kShardFolder))
    throw InputError(
        fmt::format("{0}: holds shards; 'evident gather {0}' puts them together, or choose another folder ({1})", shown,
                    option("out")));
  if (!plan.shard.is_whole && there(plan.folder / "journal"))
    throw InputError(fmt::format("{}: holds a batch without shards; choose another folder ({})", shown, option("out")));
  const report::OutputFiles tables(plan.folder);
  if (plan.shard.is_whole && (options.force || options.resume)) tables.check(Tables::names());
  if (options.force) {
    check_reports(plan);
    Journal::remove(plan.journal());
    if (plan.shard.is_whole) remove_reports(plan);
  } else if (!options.resume) {
    if (is_begun(plan))
      throw InputError(fmt::format("{}: {} is here already; add {} to do what is left of it, or {} to start again",
                                   shown, plan.shard.is_whole ? "a batch" : "shard " + plan.shard.text(),
                                   option("resume"), option("force")));
    const fs::path first = tables.first_there(Tables::names());
    if (plan.shard.is_whole && !first.empty())
      throw InputError(fmt::format("{}: holds {} already; add {} to replace it, or choose another folder ({})", shown,
                                   first.filename().string(), option("force"), option("out")));
    check_reports(plan);
  }
  make_folder(plan.journal().parent_path(), shown);
  if (plan.reports) make_folder(reports_folder(plan), reports_folder(plan).string());
}

/// What the journal holds and is still good: a data set that failed or has changed is done again.
class GoodResults final : public JournalStore {
 public:
  GoodResults(Journal& journal, const Plan& plan) : JournalStore(journal), plan_(plan) {}

  std::optional<Bytes> find(const std::string& key) override {
    try {
      std::optional<Bytes> kept = JournalStore::find(key);
      if (kept && is_good(number_of(key), unpack(*kept))) return kept;
    } catch (const RunError&) {  // damaged: it is done again
    }
    return std::nullopt;
  }

  std::size_t changed() const { return changed_; }

 private:
  bool is_good(std::uint64_t i, const ItemResult& result) {
    if (result.failed() || result.name != plan_.list.items[i].name) return false;
    std::error_code ignored;
    if (plan_.reports && !fs::exists(reports_folder(plan_) / report_folder_name(plan_.list, i), ignored)) return false;
    for (const auto& [file, sum] : result.inputs) {
      const auto [at, is_new] = sums_.emplace(file, 0);
      if (is_new) at->second = file_sum(file);
      if (at->second == sum) continue;
      ++changed_;
      return false;
    }
    return true;
  }

  const Plan& plan_;
  std::unordered_map<std::string, std::uint64_t> sums_;  ///< of files, each read once
  std::size_t changed_ = 0;
};

/// The threads of one data set: more than one only where there are fewer data sets than threads.
unsigned threads_of_item(const Plan& plan, const RunOptions& options, unsigned own) {
  const std::size_t items = std::max<std::size_t>(plan.shard.size(plan.list.items.size()), 1);
  const std::size_t each = options.team.threads_of_all(own) / items;
  return std::clamp(static_cast<unsigned>(std::min<std::size_t>(each, own)), 1U, own);
}

/// `journal`: that of rank 0.
void run_items(const Plan& plan, const RunOptions& options, Journal* journal,
               const std::function<void(const Progress&)>& progress, const std::stop_token& stop) {
  const Executor executor(options.threads, stop);
  const std::vector<std::uint64_t> items = plan.shard.items(plan.list.items.size());
  const ItemOptions item_options{.overrides = plan.overrides,
                                 .threads = threads_of_item(plan, options, executor.threads()),
                                 .reports = plan.reports ? reports_folder(plan) : fs::path(),
                                 .html = plan.html,
                                 .spelling = plan.spelling};
  std::optional<GoodResults> kept;
  if (journal != nullptr) kept.emplace(*journal, plan);
  const auto start = Clock::now();
  Progress so_far{.total = items.size()};
  const auto report = [&] {
    so_far.changed = kept->changed();
    so_far.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (progress) progress(so_far);
  };
  const auto run = [&](std::size_t j, const Executor&, Team&) {
    ItemResult result = run_item(plan.list, items[j], item_options, stop);
    if (options.strict && result.failed()) throw RunError(fmt::format("{}: {}", result.name, result.message));
    return result;
  };
  const auto take = [&](std::size_t, const ItemResult& result, bool found) {
    ++so_far.done;
    so_far.resumed += found;
    so_far.failed += result.failed();
    if (found) return;
    if (!options.team.single()) require_same_inputs(result);
    report();
  };
  run_kept<ItemResult>({.count = items.size(),
                        .slot = [&](std::size_t j) { return kept ? kept->slot(items[j]) : CheckpointSlot{}; },
                        .run = run,
                        .take = take,
                        .begun = report,
                        .pack = pack,
                        .unpack = unpack},
                       options.team, executor, stop);
}

Summary summarise(const Plan& plan, const Journal& journal) {
  if (plan.shard.is_whole) {
    const report::Staging work(plan.folder);
    Tables tables(work.path(), {.version = std::string(version()), .study = plan.title});
    for (std::size_t i = 0; i < plan.list.items.size(); ++i) tables.add(unpack(journal.payload(i)));
    return tables.publish(plan.folder, {.run = journal.fingerprint(), .pieces_done_again = journal.dropped()});
  }
  Summary summary;
  for (const std::uint64_t i : plan.shard.items(plan.list.items.size())) summary.add(unpack(journal.payload(i)));
  summary.results = plan.journal();
  summary.pieces_done_again = journal.dropped();
  return summary;
}

}  // namespace

JournalIdentity Plan::identity() const {
  JournalIdentity out;
  out.fact("evident", version());
  out.fact("study", title);
  if (!list.study.empty()) out.fact("sum of the study", hex(file_sum(list.study)));
  out.fact("data sets", std::to_string(list.items.size()));
  out.fact("sum of the list", hex(list.sum()));
  for (const auto& [name, value] : settings) out.fact(name, value);
  out.fact("batch", hex(out.fingerprint()));
  out.fact("shard", shard.text());
  return out;
}

fs::path Plan::journal() const {
  if (shard.is_whole) return folder / "journal";
  return folder / kShardFolder / fmt::format("{}-of-{}.journal", shard.number, shard.count);
}

bool is_begun(const Plan& plan) {
  std::error_code ignored;
  return fs::exists(plan.journal(), ignored);
}

Summary run_batch(const Plan& plan, const RunOptions& options, const std::function<void(const Progress&)>& progress,
                  const std::stop_token& stop) {
  const JournalIdentity identity = plan.identity();
  require_same(identity, plan, options.team);
  if (!options.team.leads()) {
    run_items(plan, options, nullptr, {}, stop);
    return {};
  }
  check_study(plan);
  prepare_folder(plan, options);
  Journal journal = options.resume && is_begun(plan) ? Journal::resume(plan.journal(), identity)
                                                     : Journal::create(plan.journal(), identity);
  if (!journal.has(kCommandChunk)) journal.append(kCommandChunk, std::as_bytes(std::span(plan.command)));
  run_items(plan, options, &journal, progress, stop);
  journal.sync();
  return summarise(plan, journal);
}

}  // namespace evident::batch
