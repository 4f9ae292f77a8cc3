#include "base/work_queue.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "base/pack.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// ready: a thread of the sender wants a piece. done: its result. piece: do this one. over: nothing is left.
enum class Kind : std::uint8_t { ready, done, piece, over };

struct Message {
  Kind kind = Kind::ready;
  std::uint64_t occasion = 0, number = 0;
  std::vector<std::byte> result = {};
};

std::vector<std::byte> packed(const Message& m) {
  Packer out;
  out.put(m.kind);
  out.put(m.occasion);
  out.put(m.number);
  out.put_bytes(m.result);
  return out.finish();
}

Message unpacked(std::span<const std::byte> bytes) {
  Unpacker in(bytes);
  Message m{.kind = in.get<Kind>(), .occasion = in.get<std::uint64_t>(), .number = in.get<std::uint64_t>()};
  const std::span<const std::byte> result = in.get_bytes();
  m.result.assign(result.begin(), result.end());
  in.end();
  if (m.kind > Kind::over) Unpacker::refuse();
  return m;
}

/// The first exception of several threads.
class FirstError {
 public:
  void keep() {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    set_ = true;
  }
  bool set() const { return set_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::atomic<bool> set_ = false;
};

/// Which pieces are open, out and done.
class Table {
 public:
  explicit Table(const std::vector<std::uint64_t>& pieces)
      : open_(pieces.begin(), pieces.end()), left_(pieces.size()) {}

  bool finished() const { return left_ == 0; }

  std::optional<std::uint64_t> next(std::size_t rank) {
    if (open_.empty()) return overdue(rank);
    const std::uint64_t number = open_.front();
    open_.pop_front();
    out_[number] = {Clock::now(), {rank}};
    return number;
  }

  /// Whether this is the first result of a piece that was given to that rank.
  bool settle(std::uint64_t number, std::size_t rank) {
    if (done_.contains(number)) return false;
    const auto at = out_.find(number);
    if (at == out_.end() || !at->second.ranks.contains(rank)) Unpacker::refuse();
    longest_ = std::max(longest_, Clock::now() - at->second.since);
    out_.erase(at);
    done_.insert(number);
    return true;
  }
  /// The result was taken.
  void count() { --left_; }

 private:
  struct Out {
    Clock::time_point since;
    std::set<std::size_t> ranks;
  };
  std::optional<std::uint64_t> overdue(std::size_t rank) {
    constexpr int kFarLonger = 3;
    constexpr auto kWorthIt = std::chrono::milliseconds(500);
    const auto limit = std::max<Clock::duration>(kFarLonger * longest_, kWorthIt);
    for (auto& [number, out] : out_) {
      if (done_.empty() || out.ranks.size() > 1 || out.ranks.contains(rank) || Clock::now() - out.since < limit)
        continue;
      out.ranks.insert(rank);
      return number;
    }
    return std::nullopt;
  }

  std::deque<std::uint64_t> open_;
  std::map<std::uint64_t, Out> out_;
  std::set<std::uint64_t> done_;
  std::size_t left_;
  Clock::duration longest_{0};
};

/// Rank 0: its threads work, and one more answers the other ranks.
class Dealer {
 public:
  Dealer(const WorkQueue& job, Team& team, std::uint64_t occasion)
      : job_(job), team_(team), occasion_(occasion), table_(job.pieces) {}

  void run(const Executor& executor, const std::stop_token& stop) {
    std::thread answering([&] { guarded([&] { answer(); }); });
    executor.for_each(executor.threads(), [&](std::size_t) { guarded([&] { work(stop); }); });
    answering.join();
    error_.rethrow();
    for (std::size_t r = 1; r < team_.size(); ++r) team_.post(r, packed({.kind = Kind::over, .occasion = occasion_}));
  }

 private:
  template <class F>
  void guarded(const F& f) {
    try {
      f();
    } catch (...) {
      error_.keep();
    }
    changed_.notify_all();
  }

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!error_.set() && !table_.finished()) {
      check_stop(stop);
      const auto number = table_.next(0);
      if (!number) {
        changed_.wait_for(lock, std::chrono::milliseconds(50));
        continue;
      }
      lock.unlock();
      finish(*number, 0, job_.work(*number));
      lock.lock();
    }
  }

  void finish(std::uint64_t number, std::size_t rank, std::span<const std::byte> result) {
    {
      const std::lock_guard lock(mutex_);
      if (!table_.settle(number, rank)) return;
    }
    job_.take(number, result);
    const std::lock_guard lock(mutex_);
    table_.count();
    changed_.notify_all();
  }

  void answer() {
    std::deque<std::size_t> waiting;
    microseconds nap(50);
    for (;;) {
      std::optional<Letter> letter = team_.fetch();
      if (letter) {
        Message m = unpacked(letter->bytes);
        if (m.occasion == occasion_ && m.kind == Kind::done) finish(m.number, letter->from, m.result);
        if (m.occasion == occasion_ && m.kind == Kind::ready) waiting.push_back(letter->from);
        nap = microseconds(50);
      }
      {
        const std::lock_guard lock(mutex_);
        if (error_.set() || table_.finished()) return;
        serve(waiting);
      }
      if (letter) continue;
      std::this_thread::sleep_for(nap);
      nap = std::min(2 * nap, microseconds(4000));
    }
  }

  void serve(std::deque<std::size_t>& waiting) {
    for (std::size_t i = waiting.size(); i > 0; --i) {
      const std::size_t rank = waiting.front();
      waiting.pop_front();
      if (const auto number = table_.next(rank))
        team_.post(rank, packed({.kind = Kind::piece, .occasion = occasion_, .number = *number}));
      else
        waiting.push_back(rank);
    }
  }

  const WorkQueue& job_;
  Team& team_;
  std::uint64_t occasion_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Table table_;
  FirstError error_;
};

/// The other ranks: each thread asks for a piece, does it and sends the result.
class Player {
 public:
  Player(const WorkQueue& job, Team& team, std::uint64_t occasion) : job_(job), team_(team), occasion_(occasion) {}

  void run(const Executor& executor, const std::stop_token& stop) {
    executor.for_each(executor.threads(), [&](std::size_t) {
      try {
        work(stop);
      } catch (...) {
        error_.keep();
      }
    });
    error_.rethrow();
  }

 private:
  void work(const std::stop_token& stop) {
    while (!error_.set()) {
      check_stop(stop);
      send({.kind = Kind::ready, .occasion = occasion_});
      const auto number = wait(stop);
      if (!number) return;
      send({.kind = Kind::done, .occasion = occasion_, .number = *number, .result = job_.work(*number)});
    }
  }

  void send(const Message& m) { team_.post(0, packed(m)); }

  std::optional<std::uint64_t> wait(const std::stop_token& stop) {
    microseconds nap(20);
    for (;;) {
      check_stop(stop);
      {
        const std::lock_guard lock(mutex_);
        read();
        if (over_ || error_.set()) return std::nullopt;
        if (!pieces_.empty()) {
          const std::uint64_t number = pieces_.front();
          pieces_.pop_front();
          return number;
        }
      }
      std::this_thread::sleep_for(nap);
      nap = std::min(2 * nap, microseconds(1000));
    }
  }

  /// Up to the last letter of this occasion: rank 0 may be quick and have written of the next one already.
  void read() {
    while (!over_) {
      const std::optional<Letter> letter = team_.fetch();
      if (!letter) return;
      const Message m = unpacked(letter->bytes);
      if (m.occasion != occasion_) continue;
      if (m.kind == Kind::piece) pieces_.push_back(m.number);
      if (m.kind == Kind::over) over_ = true;
    }
  }

  const WorkQueue& job_;
  Team& team_;
  std::uint64_t occasion_;
  std::mutex mutex_;
  std::deque<std::uint64_t> pieces_;
  bool over_ = false;
  FirstError error_;
};

}  // namespace

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw FatalError("stopped before the end");
}

void run_queue(const WorkQueue& job, Team& team, const Executor& executor, const std::stop_token& stop) {
  if (team.single()) {
    executor.for_each(job.pieces.size(), [&](std::size_t i) {
      check_stop(stop);
      job.take(job.pieces[i], job.work(job.pieces[i]));
    });
    return;
  }
  const std::uint64_t occasion = team.next_occasion();
  if (team.leads())
    Dealer(job, team, occasion).run(executor, stop);
  else
    Player(job, team, occasion).run(executor, stop);
}

}  // namespace evident
