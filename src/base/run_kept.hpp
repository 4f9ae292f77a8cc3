// Jobs whose results are kept: found from an earlier run, or done by the threads of this process, by one rank each, or
// by all ranks together. Every rank gets every result:
//
//   const auto run = [&](std::size_t j, const Executor& threads, Team&) { return fit(models[j], threads); };
//   const auto slot = [&](std::size_t j) { return checkpoint.part(models[j].name); };
//   const auto results = run_kept<Fit>({.count = models.size(), .slot = slot, .run = run}, team, executor, stop);
//
// Many results need not be in memory at once. With `take` rank 0 alone gets them, one after the other as they come:
//
//   const auto take = [&](std::size_t j, const Chunk& chunk, bool found) { table.add(j, chunk); };
//   run_kept<Chunk>({.count = chunks, .slot = slot, .run = run, .take = take}, team, executor, stop);
//
// Results cross ranks and runs by pack_value and unpack_value (base/pack_fields.hpp), unless the jobs say otherwise.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/pack_fields.hpp"
#include "base/rank_0.hpp"
#include "base/team.hpp"
#include "base/work_queue.hpp"
#include "evident/base/context.hpp"

namespace evident {

template <class Result>
struct KeptJobs {
  std::size_t count = 0;
  /// All with a store, or none. With `take`, those of rank 0 count.
  std::function<CheckpointSlot(std::size_t job)> slot;
  /// With these threads; with other ranks only where `ranks_share_a_job`. Nothing: the job was left out.
  std::function<std::optional<Result>(std::size_t job, const Executor& threads, Team& team)> run;
  /// The result was found, or another rank made it. Any thread. Not with `take`.
  std::function<void(std::size_t job, const Result& result)> came_from_elsewhere = {};
  /// Can several ranks work on one job, each calling `run` with the team? They do when there are fewer jobs than ranks.
  /// Not with `take`.
  bool ranks_share_a_job = false;
  /// On rank 0, one call at a time; first for all that were found.
  std::function<void(std::size_t job, const Result& result, bool found)> take = {};
  /// On rank 0, with `take`: all that were found are taken, and the others begin.
  std::function<void()> begun = {};
  /// Never to no bytes: these stand for a job that was left out.
  std::function<std::vector<std::byte>(const Result& result)> pack = pack_value<Result>;
  std::function<Result(std::span<const std::byte> bytes)> unpack = unpack_value<Result>;
};

template <class Result>
class KeptRun {
 public:
  using Bytes = CheckpointStore::Bytes;
  using Results = std::vector<std::optional<Result>>;
  KeptRun(const KeptJobs<Result>& jobs, Team& team, const Executor& executor, const std::stop_token& stop)
      : jobs_(jobs),
        team_(team),
        executor_(executor),
        stop_(stop),
        alone_(1, stop),
        results_(jobs.take ? 0 : jobs.count) {}

  Results run() {
    if (!jobs_.take)
      find_kept();
    else if (team_.leads())
      take_kept();
    if (open_.empty() && !jobs_.take) return std::move(results_);
    if (team_.single())
      executor_.for_each(open_.size(), [&](std::size_t i) {
        check_stop(stop_);
        run_here(open_[i], inside());
      });
    else if (jobs_.ranks_share_a_job && open_.size() < team_.size())
      for (const std::size_t job : open_) run_here(job, executor_);
    else
      run_dealt();
    return std::move(results_);
  }

 private:
  void find_kept() {
    std::vector<Bytes> found(jobs_.count);
    bool any_store = false;
    for (std::size_t job = 0; job < jobs_.count; ++job) {
      const CheckpointSlot slot = jobs_.slot(job);
      any_store = any_store || slot;
      if (team_.leads()) found[job] = slot.find().value_or(Bytes());
    }
    if (any_store) found = from_rank_0(std::move(found), team_);
    for (std::size_t job = 0; job < jobs_.count; ++job) {
      if (found[job].empty()) {
        open_.push_back(job);
        continue;
      }
      results_[job] = jobs_.unpack(found[job]);
      report(job);
    }
  }

  void take_kept() {
    for (std::size_t job = 0; job < jobs_.count; ++job)
      if (const auto found = jobs_.slot(job).find())
        jobs_.take(job, jobs_.unpack(*found), true);
      else
        open_.push_back(job);
    if (jobs_.begun) jobs_.begun();
  }

  void report(std::size_t job) const {
    if (jobs_.came_from_elsewhere) jobs_.came_from_elsewhere(job, *results_[job]);
  }

  /// Whole jobs are the best unit of work; where they are fewer than the threads, each gets all of them.
  const Executor& inside() const { return open_.size() >= executor_.threads() ? alone_ : executor_; }

  void run_here(std::size_t job, const Executor& threads) {
    std::optional<Result> result = jobs_.run(job, threads, team_);
    if (!result) return;
    if (const CheckpointSlot slot = jobs_.slot(job)) slot.keep(jobs_.pack(*result));
    arrive(job, std::move(*result));
  }

  void arrive(std::size_t job, Result result) {
    if (!jobs_.take) {
      results_[job] = std::move(result);
      return;
    }
    const std::lock_guard lock(mutex_);
    jobs_.take(job, result, false);
  }

  void run_dealt() {
    const bool many = jobs_.take || open_.size() >= team_.threads_of_all(executor_.threads());
    std::vector<std::atomic<bool>> made_here(jobs_.count);
    const auto work = [&](std::uint64_t job) {
      if (job >= jobs_.count) Unpacker::refuse();
      made_here[job] = true;
      const std::optional<Result> result = jobs_.run(job, many ? alone_ : executor_, team_of_one());
      return result ? jobs_.pack(*result) : Bytes();
    };
    const auto take = [&](std::uint64_t job, std::span<const std::byte> bytes) {
      if (bytes.empty()) return;
      jobs_.slot(job).keep(bytes);
      arrive(job, jobs_.unpack(bytes));
      if (!made_here[job]) report(job);
    };
    run_queue({.pieces = open_, .work = work, .take = take}, team_, many ? executor_ : alone_, stop_);
    if (!jobs_.take) share();
  }

  void share() {
    std::vector<Bytes> made(open_.size());
    for (std::size_t i = 0; i < open_.size() && team_.leads(); ++i)
      if (results_[open_[i]]) made[i] = jobs_.pack(*results_[open_[i]]);
    made = from_rank_0(std::move(made), team_);
    for (std::size_t i = 0; i < open_.size() && !team_.leads(); ++i)
      if (!made[i].empty()) results_[open_[i]] = jobs_.unpack(made[i]);
  }

  const KeptJobs<Result>& jobs_;
  Team& team_;
  const Executor& executor_;
  const std::stop_token& stop_;
  const Executor alone_;
  Results results_;
  std::vector<std::uint64_t> open_;  ///< jobs that are left to do
  std::mutex mutex_;                 ///< of `take`
};

/// Throws what a job threw, RunError when stopped, TeamFailure when another rank failed. With `take` nothing is
/// returned.
template <class Result>
std::vector<std::optional<Result>> run_kept(const KeptJobs<Result>& jobs, Team& team, const Executor& executor,
                                            const std::stop_token& stop = {}) {
  return KeptRun<Result>(jobs, team, executor, stop).run();
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
