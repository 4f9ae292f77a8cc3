// Jobs whose results are kept: found from an earlier run, or done by the threads of this process, by one rank each, or
// by all ranks together. Every rank gets every result.
//
//   const auto slot_of = [&](std::size_t j) { return slot.part(models[j].name); };
//   const auto run = [&](std::size_t j, const Executor& threads, Team&) { return fit(models[j], threads); };
//   const auto fits = run_kept<Fit>({.count = models.size(), .slot = slot_of, .run = run}, team, executor, stop);
//
// Results cross ranks and runs by pack_value and unpack_value (base/pack_fields.hpp), so Result has a list of fields.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/pack_fields.hpp"
#include "base/team.hpp"
#include "base/work_queue.hpp"
#include "evident/base/context.hpp"

namespace evident {

template <class Result>
struct KeptJobs {
  std::size_t count = 0;
  std::function<CheckpointSlot(std::size_t job)> slot;
  /// With these threads; with other ranks only where `ranks_share_a_job`. Nothing: the job was left out.
  std::function<std::optional<Result>(std::size_t job, const Executor& threads, Team& team)> run;
  /// The result was found, or another rank made it. Any thread.
  std::function<void(std::size_t job, const Result& result)> came_from_elsewhere = {};
  /// Can several ranks work on one job, each calling `run` with the team? They do when there are fewer jobs than ranks.
  bool ranks_share_a_job = false;
};

template <class Result>
class KeptRun {
 public:
  using Results = std::vector<std::optional<Result>>;
  KeptRun(const KeptJobs<Result>& jobs, Team& team, const Executor& executor)
      : jobs_(jobs), team_(team), executor_(executor), results_(jobs.count) {}

  Results run(const std::stop_token& stop) {
    find_kept();
    if (open_.empty()) return std::move(results_);
    if (team_.single())
      executor_.for_each(open_.size(), [&](std::size_t i) { run_here(open_[i], inside()); });
    else if (jobs_.ranks_share_a_job && open_.size() < team_.size())
      for (const std::size_t job : open_) run_here(job, executor_);
    else
      run_dealt(stop);
    return std::move(results_);
  }

 private:
  void find_kept() {
    std::vector<CheckpointSlot> wanted;
    for (std::size_t job = 0; job < jobs_.count; ++job) wanted.push_back(jobs_.slot(job));
    const std::vector<CheckpointStore::Bytes> found = find_all(wanted, team_);
    for (std::size_t job = 0; job < jobs_.count; ++job) {
      if (found[job].empty()) {
        open_.push_back(job);
        continue;
      }
      results_[job] = unpack_value<Result>(found[job]);
      report(job);
    }
  }

  void report(std::size_t job) const {
    if (jobs_.came_from_elsewhere) jobs_.came_from_elsewhere(job, *results_[job]);
  }

  /// Whole jobs are the best unit of work; where they are fewer than the threads, each gets all of them.
  const Executor& inside() const { return open_.size() >= executor_.threads() ? alone_ : executor_; }

  void run_here(std::size_t job, const Executor& threads) {
    results_[job] = jobs_.run(job, threads, team_);
    if (const CheckpointSlot kept = jobs_.slot(job); kept && results_[job]) kept.keep(pack_value(*results_[job]));
  }

  void run_dealt(const std::stop_token& stop) {
    const bool many = open_.size() >= team_.threads_of_all(executor_.threads());
    std::vector<std::atomic<bool>> made_here(open_.size());
    const auto work = [&](std::size_t i) {
      made_here[i] = true;
      const std::optional<Result> result = jobs_.run(open_[i], many ? alone_ : executor_, team_of_one());
      return result ? pack_value(*result) : std::vector<std::byte>();
    };
    const auto arrived = [&](std::size_t i, std::span<const std::byte> bytes) {
      if (bytes.empty()) return;
      jobs_.slot(open_[i]).keep(bytes);
      results_[open_[i]] = unpack_value<Result>(bytes);
      if (!made_here[i]) report(open_[i]);
    };
    const auto all = run_on_all_ranks({.count = open_.size(), .work = work, .arrived = arrived}, team_,
                                      many ? executor_ : alone_, stop);
    if (team_.leads()) return;
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (!all[i].empty()) results_[open_[i]] = unpack_value<Result>(all[i]);
  }

  const KeptJobs<Result>& jobs_;
  Team& team_;
  const Executor& executor_;
  const Executor alone_{1};
  Results results_;
  std::vector<std::size_t> open_;  ///< jobs that are left to do
};

/// Throws what a job threw, RunError when stopped, TeamFailure when another rank failed.
template <class Result>
std::vector<std::optional<Result>> run_kept(const KeptJobs<Result>& jobs, Team& team, const Executor& executor,
                                            const std::stop_token& stop = {}) {
  return KeptRun<Result>(jobs, team, executor).run(stop);
}

/// One job, in this process.
template <class Result, class Make>
Result make_or_find(const CheckpointSlot& slot, const Make& make) {
  if (const auto kept = slot.find()) return unpack_value<Result>(*kept);
  Result made = make();
  if (slot) slot.keep(pack_value(made));
  return made;
}

}  // namespace evident
