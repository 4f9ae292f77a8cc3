#include "evident/base/context.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "evident/base/error.hpp"
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace evident {

struct Executor::Arena {
  Arena(unsigned n, std::stop_token asked) : threads(n), arena(static_cast<int>(n)), stop(std::move(asked)) {
    // More threads than cores are wanted on purpose; without this TBB complains on standard error and starts fewer.
    if (static_cast<int>(n) > tbb::info::default_concurrency()) {
      limit.emplace(tbb::global_control::max_allowed_parallelism, n);
    }
  }
  void check() {
    if (!stop.stop_requested()) return;
    const auto now = Clock::now().time_since_epoch().count();
    Clock::rep never = 0;
    if (first_seen.compare_exchange_strong(never, now)) return;
    constexpr auto kPatience = std::chrono::milliseconds(500);
    if (Clock::duration(now - first_seen) > kPatience) throw RunError("stopped before the end");
  }

  using Clock = std::chrono::steady_clock;
  unsigned threads;
  std::optional<tbb::global_control> limit;
  tbb::task_arena arena;
  std::stop_token stop;
  std::atomic<Clock::rep> first_seen = 0;  ///< the request to stop
};

namespace {
unsigned resolve(unsigned threads) {
  return threads != 0 ? threads : static_cast<unsigned>(tbb::info::default_concurrency());
}

/// How many of `wanted` threads there can be, this one among them: TBB ends the program where it cannot start one that
/// it was promised. Found out by starting them, once in a program for a number.
unsigned startable(unsigned wanted) {
  static std::mutex mutex;
  static unsigned started = 1, most = std::numeric_limits<unsigned>::max();
  const std::lock_guard lock(mutex);
  if (wanted <= started) return wanted;
  if (most != std::numeric_limits<unsigned>::max()) return std::min(wanted, most);
  std::promise<void> all;
  const std::shared_future<void> wait(all.get_future());
  std::vector<std::thread> threads;
  try {
    threads.reserve(wanted);
    while (threads.size() + 1 < wanted) threads.emplace_back([wait] { wait.wait(); });
  } catch (const std::exception&) {
    most = std::max(started, static_cast<unsigned>(threads.size() + 1));
  }
  all.set_value();
  for (std::thread& t : threads) t.join();
  return started = std::min(wanted, most);
}

// What libtbb guarantees, said again for the thread sanitizer, which cannot look into it: the caller's writes are seen
// by every task, and the tasks' writes by the caller afterwards.
class Handover {
 public:
#ifdef __SANITIZE_THREAD__
  void release() { __tsan_release(this); }
  void acquire() { __tsan_acquire(this); }
#else
  void release() {}
  void acquire() {}
#endif
};
}  // namespace

Executor::Executor(unsigned threads, std::stop_token stop)
    : arena_(std::make_unique<Arena>(startable(resolve(threads)), std::move(stop))) {}
Executor::~Executor() = default;
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;

unsigned Executor::threads() const { return arena_->threads; }

void Executor::for_each(std::size_t count, const std::function<void(std::size_t)>& task) const {
  if (arena_->threads == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      arena_->check();
      task(i);
    }
    return;
  }
  Handover to_tasks, to_caller;
  to_tasks.release();
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          to_tasks.acquire();
          for (std::size_t i = range.begin(); i != range.end(); ++i) {
            arena_->check();
            task(i);
          }
          to_caller.release();
        },
        tbb::simple_partitioner{});
  });
  to_caller.acquire();
}

}  // namespace evident
