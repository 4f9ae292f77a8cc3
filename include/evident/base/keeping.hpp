// What a long computation keeps of itself, so that it goes on where it was when it was stopped.
//
//   Keeping keeping{&keeper, "model one"};                 // without a keeper nothing is kept, and nothing costs
//   const Keeping run = keeping.part("run 3");             // "model one/run 3"
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

#include "evident/base/team.hpp"

namespace evident {

/// Called from several threads at once, with different keys.
class Keeper {
 public:
  using Bytes = std::vector<std::byte>;
  virtual ~Keeper() = default;
  /// What was kept under a key, by this run or the one that was stopped.
  virtual std::optional<Bytes> find(const std::string& key) = 0;
  /// Throws RunError when it cannot be kept.
  virtual void keep(const std::string& key, std::span<const std::byte> bytes) = 0;
  /// The last note under a key, unless the work was finished.
  virtual std::optional<Bytes> find_note(const std::string& key) = 0;
  /// Is it time for another note?
  virtual bool wants_note(const std::string& key) = 0;
  /// Work is not lost because a note cannot be written: only its time would be.
  virtual void note(const std::string& key, std::span<const std::byte> bytes) = 0;
  /// Seconds that the run had taken when it was stopped.
  virtual double seconds_before() const { return 0; }
};

/// A keeper, and what to keep things under.
struct Keeping {
  Keeper* keeper = nullptr;
  std::string key = {};

  explicit operator bool() const { return keeper != nullptr; }
  Keeping part(const std::string& name) const {
    return keeper == nullptr ? Keeping{} : Keeping{keeper, key.empty() ? name : key + "/" + name};
  }
  std::optional<Keeper::Bytes> find() const { return keeper == nullptr ? std::nullopt : keeper->find(key); }
  void keep(std::span<const std::byte> bytes) const {
    if (keeper != nullptr) keeper->keep(key, bytes);
  }
};

/// What rank 0 has kept under several keys, on every rank; empty where there is nothing. All of them must have a keeper
/// or none.
std::vector<Keeper::Bytes> find_all(const std::vector<Keeping>& wanted, Team& team);

}  // namespace evident
