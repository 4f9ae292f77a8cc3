// A team whose ranks are threads of one process: what runs on it is what runs under MPI, messages apart.
//
//   test::run_team(3, [](Team& team) { ... });            // three ranks; throws what the first of them threw
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/team.hpp"

namespace evident::test {

/// What the ranks share.
class Meeting {
 public:
  explicit Meeting(std::size_t ranks) : boxes(ranks), letters(ranks), doubles(ranks), ranks_(ranks) {}

  /// Returns when all ranks have come, or throws when one has failed.
  void barrier() {
    std::unique_lock lock(mutex);
    const std::size_t turn = turn_;
    if (++here_ == ranks_) {
      here_ = 0;
      ++turn_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return turn_ != turn || failed_; });
    if (turn_ == turn) throw TeamFailure(what_, status_);
  }
  void fail(const std::string& what, int status) {
    const std::lock_guard lock(mutex);
    if (failed_) return;
    failed_ = true;
    what_ = what;
    status_ = status;
    changed_.notify_all();
  }
  /// Returns when a rank has fetched all its letters.
  void wait_until_read(std::size_t rank) {
    std::unique_lock lock(mutex);
    fetched.wait(lock, [&] { return letters[rank].empty(); });
  }
  void throw_if_failed() {
    const std::lock_guard lock(mutex);
    if (failed_) throw TeamFailure(what_, status_);
  }

  std::mutex mutex;
  std::condition_variable fetched;
  std::vector<std::vector<std::byte>> boxes;
  std::vector<std::deque<Letter>> letters;
  std::vector<std::vector<std::vector<double>>> doubles;

 private:
  std::size_t ranks_, here_ = 0, turn_ = 0;
  std::condition_variable changed_;
  bool failed_ = false;
  std::string what_;
  int status_ = 1;
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(Meeting& meeting, std::size_t rank, std::size_t size) : Team(rank, size), meeting_(meeting) {}
  void fail(const std::string& what, int status) override { meeting_.fail(what, status); }
  void rethrow_failure() override { meeting_.throw_if_failed(); }
  std::size_t threads_of_all(unsigned own) const override { return own * size(); }
  void wait_until_read() { meeting_.wait_until_read(rank()); }

 protected:
  void do_all_gather(std::span<double> all, std::span<const std::size_t> first) override {
    meeting_.doubles[rank()] = {{all.begin() + static_cast<std::ptrdiff_t>(first[rank()]),
                                 all.begin() + static_cast<std::ptrdiff_t>(first[rank() + 1])}};
    meeting_.barrier();
    for (std::size_t r = 0; r < size(); ++r) {
      const std::vector<double>& from = meeting_.doubles[r].front();
      if (from.size() != first[r + 1] - first[r]) throw RunError("ranks disagree about the shares");
      std::copy(from.begin(), from.end(), all.begin() + static_cast<std::ptrdiff_t>(first[r]));
    }
    meeting_.barrier();
  }
  void do_broadcast(std::span<std::byte> bytes) override {
    if (leads()) meeting_.boxes[0].assign(bytes.begin(), bytes.end());
    meeting_.barrier();
    if (meeting_.boxes[0].size() != bytes.size()) throw RunError("ranks disagree about the length");
    std::copy(meeting_.boxes[0].begin(), meeting_.boxes[0].end(), bytes.begin());
    meeting_.barrier();
  }
  void do_exchange(const std::vector<std::vector<double>>& send, std::vector<std::vector<double>>& receive) override {
    meeting_.doubles[rank()] = send;
    meeting_.barrier();
    for (std::size_t r = 0; r < size(); ++r) {
      if (r == rank()) continue;
      const std::vector<double>& from = meeting_.doubles[r][rank()];
      if (from.size() != receive[r].size()) throw RunError("ranks disagree about what is sent");
      receive[r] = from;
    }
    meeting_.barrier();
  }
  void do_post(std::size_t to, std::vector<std::byte> bytes) override {
    meeting_.throw_if_failed();
    const std::lock_guard lock(meeting_.mutex);
    meeting_.letters[to].push_back({rank(), std::move(bytes)});
  }
  std::optional<Letter> do_fetch() override {
    meeting_.throw_if_failed();
    const std::lock_guard lock(meeting_.mutex);
    std::deque<Letter>& mine = meeting_.letters[rank()];
    if (mine.empty()) return std::nullopt;
    Letter letter = std::move(mine.front());
    mine.pop_front();
    meeting_.fetched.notify_all();
    return letter;
  }

 private:
  Meeting& meeting_;
};

/// A rank that throws fails the team, as the program does it.
inline void run_team(std::size_t ranks, const std::function<void(Team&)>& f) {
  Meeting meeting(ranks);
  std::vector<std::exception_ptr> errors(ranks);
  std::exception_ptr first;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      ThreadTeam team(meeting, r, ranks);
      try {
        f(team);
      } catch (const std::exception& e) {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
        team.fail(e.what(), 1);
      }
    });
  for (std::thread& t : threads) t.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace evident::test
