#include "imaging/pet/fit/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/option.hpp"
#include "base/rank_0.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/maps/outputs.hpp"
#include "journal/same_work.hpp"
#include "report/files.hpp"
#include "report/output_files.hpp"

namespace evident::imaging {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeptCurves = 150;
constexpr std::uint64_t kMeanCurve = ~std::uint64_t{0} >> 1U;  // an index that no voxel has

/// Of all threads of this process: what a core hour is, whatever else the machine does.
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

fs::path work_folder(const PetPlan& plan) { return plan.request.folder / ("." + plan.request.prefix + ".evident"); }

std::string report_name(const PetPlan& plan) { return plan.request.prefix + "_report.html"; }

report::OutputFiles output_files(const PetPlan& plan) {
  return report::OutputFiles(plan.request.folder, plan.request.prefix + "_manifest.json");
}

std::vector<std::string> result_names(const PetPlan& plan) {
  std::vector<std::string> out;
  for (const fs::path& name : output_names(plan)) out.push_back(name.string());
  out.push_back(report_name(plan));
  return out;
}

/// Are the results those of this plan, and all there? Throws InputError when they are of another, or it is not known.
bool is_finished(const PetPlan& plan) {
  if (pet_run_state(plan) != PetRunState::finished) return false;
  const report::OutputFiles files = output_files(plan);
  const std::vector<std::string> names = result_names(plan);
  files.check(names);
  const std::optional<report::Manifest> manifest = files.manifest();
  if (!manifest || manifest->facts().run != plan.identity().fingerprint())
    throw InputError(
        fmt::format("{}: the results of another run are here; give what it was made with, or {} to replace "
                    "them",
                    plan.request.folder.string(), option("force")));
  std::error_code ignored;
  return std::ranges::all_of(names, [&](const std::string& n) { return fs::exists(plan.request.folder / n, ignored); });
}

/// The hidden folder of an unfinished run.
class WorkFolder {
 public:
  WorkFolder(const PetPlan& plan, const PetRunOptions& options)
      : path_(work_folder(plan)), files_(output_files(plan)), names_(result_names(plan)) {
    const std::string folder = plan.request.folder.string();
    const bool unfinished = pet_run_state(plan) == PetRunState::unfinished;
    if (unfinished && !options.resume && !options.force)
      throw InputError(fmt::format("{}: an unfinished run is here; add {} to go on with it, or {} to start again",
                                   folder, option("resume"), option("force")));
    // A run that is resumed may have been stopped while its files were given their places.
    if (const fs::path there = files_.first_there(names_); !there.empty() && !options.force && !options.resume)
      throw InputError(fmt::format("{} exists already; add {} to replace it", there.string(), option("force")));
    files_.check(names_);
    if (!options.resume) {
      Journal::remove(journal());
      remove();
    }
    std::error_code failed;
    fs::create_directories(path_, failed);
    if (failed)
      throw InputError(fmt::format("{}: cannot be made ({}); choose another folder", path_.string(), failed.message()));
    goes_on_ = options.resume && unfinished;
  }

  Journal open_journal(const JournalIdentity& identity) const {
    return goes_on_ ? Journal::resume(journal(), identity) : Journal::create(journal(), identity);
  }
  const fs::path& path() const { return path_; }

  /// Gives the finished files their places. Each appears whole; the journal goes last.
  void publish(const report::RunFacts& facts) const {
    files_.publish(path_, names_, facts);
    Journal::remove(journal());
    remove();
  }

 private:
  fs::path journal() const { return path_ / "journal"; }
  /// What a run makes here but the journal, and the folder when nothing else is in it.
  void remove() const {
    std::error_code ignored;
    for (const std::string& name : names_) fs::remove(path_ / name, ignored);
    for (const char* name : {"dataset_description.json", ".bidsignore"}) fs::remove(path_ / name, ignored);
    std::vector<fs::path> torn;
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(".") && name.ends_with(".part")) torn.push_back(entry.path());
    }
    for (const fs::path& file : torn) fs::remove(file, ignored);
    fs::remove(path_, ignored);
  }
  fs::path path_;
  report::OutputFiles files_;
  std::vector<std::string> names_;
  bool goes_on_ = false;
};

}  // namespace

PetRunState pet_run_state(const PetPlan& plan) {
  std::error_code ignored;
  if (fs::exists(work_folder(plan) / "journal", ignored)) return PetRunState::unfinished;
  return output_files(plan).first_there(result_names(plan)).empty() ? PetRunState::none : PetRunState::finished;
}

PetOutcome run_pet(const PetPlan& plan, const PetRunOptions& options,
                   const std::function<void(const FitProgress&)>& progress, const std::stop_token& stop) {
  const CurveFitter fitter(plan.setup());  // before anything is written: it refuses what it cannot do
  const FitColumns columns = plan.columns();
  const Executor executor(options.threads, stop);
  PetOutcome out{.results = {FitTable{columns}, {}}, .mean_fit = {}, .end = {}, .files = {}, .report = {}};
  const FitMany job{.fitter = fitter,
                    .curves = plan.curves,
                    .columns = columns,
                    .chunk = plan.chunk(),
                    .keep_curves = std::min(kKeptCurves, plan.curves.size()),
                    .team = options.team};
  if (!options.team.single()) require_same_work(plan.identity(), options.team);
  out.finished_before = from_rank_0(options.team.leads() && options.resume && is_finished(plan), options.team);
  if (out.finished_before) return out;
  if (!options.team.leads()) {
    fit_many(job, nullptr, executor, {}, stop);
    return out;
  }
  const WorkFolder work(plan, options);
  const JournalIdentity identity = plan.identity();
  {
    Journal journal = work.open_journal(identity);
    out.pieces_done_again = journal.dropped();
    out.results = fit_many(
        job, &journal, executor,
        [&](const FitProgress& p) {
          out.end = p;
          if (progress) progress(p);
        },
        stop);
  }
  out.mean_fit = fitter.fit(kMeanCurve, plan.mean_curve, true, stop);
  write_outputs(plan, out.results.table, work.path());
  report::write_file(work.path() / report_name(plan), pet_report(plan, fitter.setup(), out.results, out.mean_fit));
  describe_derivatives(plan.request.derivatives.empty() ? plan.request.folder : plan.request.derivatives, work.path());
  work.publish({.run = identity.fingerprint(), .pieces_done_again = out.pieces_done_again});
  for (const std::string& name : result_names(plan)) out.files.push_back(plan.request.folder / name);
  out.report = out.files.back();
  return out;
}

double forecast_seconds(const PetPlan& plan, std::size_t curves, unsigned threads, const std::stop_token& stop) {
  const CurveFitter fitter(plan.setup());
  const FitColumns columns = plan.columns();
  const std::size_t all = plan.curves.size(), some = std::min(curves, all);
  Curves pilot{.frames = plan.curves.frames, .index = {}, .values = {}};
  for (std::size_t i = 0; i < some; ++i) {
    const std::size_t at = i * all / some;
    const std::vector<double> curve = plan.curves.curve(at);
    pilot.index.push_back(plan.curves.index[at]);
    pilot.values.insert(pilot.values.end(), curve.begin(), curve.end());
  }
  const Executor executor(threads, stop);
  const double start = cpu_seconds();
  fit_many({.fitter = fitter, .curves = pilot, .columns = columns, .chunk = plan.is_image() ? 4U : 1U}, nullptr,
           executor, {}, stop);
  return (cpu_seconds() - start) * static_cast<double>(all) / static_cast<double>(some);
}

}  // namespace evident::imaging
