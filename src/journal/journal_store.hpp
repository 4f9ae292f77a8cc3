// A journal as the store of numbered jobs (base/run_kept.hpp): each result is the chunk of its number.
//
//   JournalStore store(journal);
//   run_kept<Fit>({.count = fits, .slot = [&](std::size_t j) { return store.slot(j); }, ...}, team, executor, stop);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "evident/base/context.hpp"
#include "journal/journal.hpp"

namespace evident {

class JournalStore : public CheckpointStore {
 public:
  explicit JournalStore(Journal& journal) : journal_(journal) {}
  CheckpointSlot slot(std::uint64_t number) { return {this, std::to_string(number)}; }

  std::optional<Bytes> find(const std::string& key) override {
    if (!journal_.has(number_of(key))) return std::nullopt;
    return journal_.payload(number_of(key));
  }
  void keep(const std::string& key, std::span<const std::byte> bytes) override {
    journal_.append(number_of(key), bytes);
  }

 protected:
  static std::uint64_t number_of(const std::string& key) { return std::stoull(key); }

 private:
  Journal& journal_;
};

}  // namespace evident
