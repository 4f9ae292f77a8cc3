#include "run_watched.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "evident/base/error.hpp"

namespace evident::python {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = 100ms;   // how often this thread looks for signals
constexpr auto kGrace = 700ms;  // for work to stop by itself
constexpr auto kAtExit = 3s;    // for all work, when the interpreter ends

struct Job {
  std::function<void(const std::stop_token&)> work;
  std::stop_source stop = {};
  std::exception_ptr failure = {};
  std::mutex mutex = {};
  std::condition_variable changed = {};
  bool done = false;
};

/// Jobs that somebody watches, or whose thread lives. Never destroyed: threads may outlive the module.
struct Jobs {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<Job*> watched, working;
  bool closed = false;
};

Jobs& jobs() {
  static auto* const all = new Jobs;
  return *all;
}

/// In one of the two sets, while it lives.
class Listed {
 public:
  Listed(std::set<Job*> Jobs::*set, Job& job) : set_(set), job_(job) {
    const std::lock_guard lock(jobs().mutex);
    if (jobs().closed) throw RunError("the interpreter is about to end: no run is begun any more");
    (jobs().*set_).insert(&job_);
  }
  ~Listed() {
    const std::lock_guard lock(jobs().mutex);
    (jobs().*set_).erase(&job_);
    jobs().changed.notify_all();
  }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 private:
  std::set<Job*> Jobs::*set_;
  Job& job_;
};

/// In a thread of ours glibc gives memory back to the system whenever more than 128 KB are free, and NumPy's temporary
/// arrays take it again in the next call: page faults, which take longer than the arithmetic. Once a large piece has
/// been freed the limit is 64 MB, as in any program that has had a large array.
void keep_freed_memory() {
  static const bool done = [] {
    void* volatile piece = std::malloc(std::size_t{31} << 20);  // volatile: or it would be left out
    std::free(piece);
    return true;
  }();
  static_cast<void>(done);
}

void work_at(Job& job) {
  {
    const nb::gil_scoped_acquire keep_the_thread_state;  // or each call of a function would make one
    {
      const nb::gil_scoped_release unlock;
      try {
        job.work(job.stop.get_token());
      } catch (...) {
        job.failure = std::current_exception();
      }
    }
    job.work = nullptr;  // it may own objects of Python
  }
  const std::lock_guard lock(job.mutex);
  job.done = true;
  job.changed.notify_all();
}

void begin(const std::shared_ptr<Job>& job) {
  auto listed = std::make_shared<const Listed>(&Jobs::working, *job);
  std::thread([job, listed = std::move(listed)]() mutable {
    work_at(*job);
    listed.reset();
  }).detach();
}

bool ends_within(Job& job, std::chrono::milliseconds time) {
  const nb::gil_scoped_release unlock;
  std::unique_lock lock(job.mutex);
  return job.changed.wait_for(lock, time, [&] { return job.done; });
}

}  // namespace

void run_watched(const std::vector<UserCalls*>& calls, const std::function<void()>& progress,
                 std::function<void(const std::stop_token&)> work, WhenInterrupted then) {
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  const Listed watched(&Jobs::watched, *job);
  keep_freed_memory();
  begin(job);
  std::optional<nb::python_error> interrupted;
  Clock::time_point when;
  while (!ends_within(*job, kLook)) {
    if (interrupted && then == WhenInterrupted::leave && Clock::now() - when > kGrace) break;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!interrupted && progress) progress();
    } catch (nb::python_error& error) {
      if (!interrupted) when = Clock::now();
      if (!interrupted) interrupted.emplace(std::move(error));
      job->stop.request_stop();
      for (UserCalls* c : calls) c->interrupt();
    }
    for (const UserCalls* c : calls)
      if (c->failed()) job->stop.request_stop();
  }
  if (interrupted) throw nb::python_error(std::move(*interrupted));
  for (UserCalls* c : calls) c->rethrow();
  if (job->failure) std::rethrow_exception(job->failure);
}

void end_all_work() {
  const nb::gil_scoped_release unlock;
  std::unique_lock lock(jobs().mutex);
  jobs().closed = true;
  for (Job* job : jobs().working) job->stop.request_stop();
  jobs().changed.wait_for(lock, kAtExit, [] { return jobs().watched.empty() && jobs().working.empty(); });
}

}  // namespace evident::python
