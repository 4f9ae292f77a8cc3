// What a run is given to work with, since nothing is global: random numbers, threads, ranks, a place for checkpoints.
//
//   const Executor executor(4);                                  // 4 threads
//   const Context context{Streams({.seed = 7}), executor};
//   executor.for_each(8, [](std::size_t b) { std::cout << b; });  // b = 0 .. 7, in any order, on any thread
//   const CheckpointSlot run = context.checkpoint.part("run 3");
//   if (auto bytes = run.find()) std::cout << "finished before\n";
//
// Results never depend on the number of threads. A piece of work that is finished is kept for good. Of one that is
// under way, notes say from time to time how far it is, and each note replaces the last.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "evident/base/random.hpp"

namespace evident {

class Team;  // ranks that share the work: cluster/launch.hpp makes one
/// The team of this process alone: nothing is sent, and nothing costs anything.
Team& team_of_one();

/// Particles are worked on in blocks of this size, whatever the number of threads.
inline constexpr std::size_t kBlockSize = 64;

class Executor {
 public:
  /// `threads` = 0 means one per core. When `stop` asks, a loop ends after half a second: that long a run has to end a
  /// step in good order, with a note for who goes on with it.
  explicit Executor(unsigned threads = 1, std::stop_token stop = {});
  ~Executor();
  Executor(Executor&&) noexcept;
  Executor& operator=(Executor&&) noexcept;

  unsigned threads() const;
  /// Runs task(0) .. task(count-1). An exception in a task ends the loop and is thrown here. RunError when stopped.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) const;

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

/// Number of blocks that hold n particles.
constexpr std::size_t block_count(std::size_t n) { return (n + kBlockSize - 1) / kBlockSize; }

/// Called from several threads at once, with different keys.
class CheckpointStore {
 public:
  using Bytes = std::vector<std::byte>;
  virtual ~CheckpointStore() = default;
  /// What was kept under a key, by this run or the one that was stopped.
  virtual std::optional<Bytes> find(const std::string& key) = 0;
  /// Throws RunError when it cannot be kept.
  virtual void keep(const std::string& key, std::span<const std::byte> bytes) = 0;
  /// The last note under a key, unless the work was finished.
  virtual std::optional<Bytes> find_note(const std::string& /*key*/) { return std::nullopt; }
  /// Is it time for another note? A store need not take any.
  virtual bool wants_note(const std::string& /*key*/) { return false; }
  /// Work is not lost because a note cannot be written: only its time would be.
  virtual void note(const std::string& /*key*/, std::span<const std::byte> /*bytes*/) {}
  /// Seconds that the run had taken when it was stopped.
  virtual double seconds_before() const { return 0; }
};

/// A store, and what to keep things under.
struct CheckpointSlot {
  CheckpointStore* store = nullptr;
  std::string key = {};

  explicit operator bool() const { return store != nullptr; }
  CheckpointSlot part(const std::string& name) const {
    return store == nullptr ? CheckpointSlot{} : CheckpointSlot{store, key.empty() ? name : key + "/" + name};
  }
  std::optional<CheckpointStore::Bytes> find() const { return store == nullptr ? std::nullopt : store->find(key); }
  void keep(std::span<const std::byte> bytes) const {
    if (store != nullptr) store->keep(key, bytes);
  }
};

struct Context {
  Streams streams;                 ///< the run's random numbers
  const Executor& executor;        ///< the run's threads
  std::stop_token stop = {};       ///< asks the run to end early
  Team& team = team_of_one();      ///< ranks that share the particles of the run, and all run it
  CheckpointSlot checkpoint = {};  ///< where the run notes how far it is; it must be the only one with this key
};

}  // namespace evident
