#include "imaging/pet/fit/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/maps/outputs.hpp"
#include "journal/same_work.hpp"
#include "report/files.hpp"

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

fs::path report_name(const PetPlan& plan) { return plan.request.prefix + "_report.html"; }

/// The first file of the results that is there already; empty when none is.
fs::path first_result(const PetPlan& plan) {
  std::vector<fs::path> names = output_names(plan);
  names.push_back(report_name(plan));
  std::error_code ignored;
  for (const fs::path& name : names)
    if (fs::exists(plan.request.folder / name, ignored)) return plan.request.folder / name;
  return {};
}

/// The hidden folder of an unfinished run.
class WorkFolder {
 public:
  WorkFolder(const PetPlan& plan, const PetRunOptions& options) : path_(work_folder(plan)) {
    const std::string folder = plan.request.folder.string();
    const PetRunState state = pet_run_state(plan);
    if (state == PetRunState::unfinished && !options.resume && !options.force)
      throw InputError(fmt::format("{}: an unfinished run is here; add {} to go on with it, or {} to start again",
                                   folder, option("resume"), option("force")));
    if (state == PetRunState::none && options.resume)
      throw InputError(fmt::format("{}: there is no unfinished run to resume; leave {} out", folder, option("resume")));
    if (state == PetRunState::finished && options.resume)
      throw InputError(fmt::format("{}: the run is finished already; there is nothing to resume", folder));
    // A run that is resumed may have been stopped while its files were given their places.
    if (const fs::path there = first_result(plan); !there.empty() && !options.force && !options.resume)
      throw InputError(fmt::format("{} exists already; add {} to replace it", there.string(), option("force")));
    if (!options.resume) remove();
    std::error_code failed;
    fs::create_directories(path_, failed);
    if (failed)
      throw InputError(fmt::format("{}: cannot be made ({}); choose another folder", path_.string(), failed.message()));
  }

  fs::path journal() const { return path_ / "journal"; }
  const fs::path& path() const { return path_; }

  /// Gives the finished files their places. Each appears whole; the journal goes last.
  void publish(const std::vector<fs::path>& names, const fs::path& folder) const {
    for (const fs::path& name : names) {
      std::error_code failed;
      fs::rename(path_ / name, folder / name, failed);
      if (failed) throw RunError(fmt::format("{}: cannot be written: {}", (folder / name).string(), failed.message()));
    }
    remove();
  }

 private:
  void remove() const {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path path_;
};

}  // namespace

PetRunState pet_run_state(const PetPlan& plan) {
  std::error_code ignored;
  if (fs::exists(work_folder(plan) / "journal", ignored)) return PetRunState::unfinished;
  return first_result(plan).empty() ? PetRunState::none : PetRunState::finished;
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
  if (!options.team.leads()) {
    fit_many(job, nullptr, executor, {}, stop);
    return out;
  }
  const WorkFolder work(plan, options);
  {
    const JournalIdentity identity = plan.identity();
    Journal journal =
        options.resume ? Journal::resume(work.journal(), identity) : Journal::create(work.journal(), identity);
    out.results = fit_many(
        job, &journal, executor,
        [&](const FitProgress& p) {
          out.end = p;
          if (progress) progress(p);
        },
        stop);
  }
  out.mean_fit = fitter.fit(kMeanCurve, plan.mean_curve, true, stop);
  out.files = write_outputs(plan, out.results.table, work.path());
  const fs::path report = report_name(plan);
  report::write_file(work.path() / report, pet_report(plan, fitter.setup(), out.results, out.mean_fit));
  out.files.push_back(report);
  describe_derivatives(plan.request.derivatives.empty() ? plan.request.folder : plan.request.derivatives, work.path());
  work.publish(out.files, plan.request.folder);
  for (fs::path& file : out.files) file = plan.request.folder / file;
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
