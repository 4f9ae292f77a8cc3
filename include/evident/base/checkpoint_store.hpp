// What a long computation keeps of itself, so that it goes on where it was when it was stopped.
//
//   CheckpointSlot slot{&store, "model one"};                 // without a store nothing is kept, and nothing costs
//   const CheckpointSlot run = slot.part("run 3");             // "model one/run 3"
//   if (auto bytes = run.find()) return unpack(*bytes);    // that was finished before
//   ...
//   run.keep(pack(result));
//
// A piece of work that is finished is kept for good; of one that goes on, notes say from time to time how far it is,
// and the next note takes the place of the last.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace evident {

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

}  // namespace evident
