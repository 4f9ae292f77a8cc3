// A journal of a long run: finished chunks are appended as they come, and a run that was stopped goes on where it was.
//
//   JournalIdentity identity;
//   identity.fact("particles", "1000");
//   identity.fact("image", "pet.nii.gz, 64-bit sum " + sum);
//   Journal journal = resume ? Journal::resume(path, identity) : Journal::create(path, identity);
//   for (std::uint64_t chunk = 0; chunk < chunks; ++chunk)
//     if (!journal.has(chunk)) journal.append(chunk, bytes_of_chunk(chunk));
//   ... journal.payload(chunk) ...
//
// Whatever the moment a run is killed at, the file holds every chunk that was appended, and perhaps a torn piece at its
// end, which resume() cuts off. A chunk that was damaged later is found by its checksum, dropped and counted, so that
// it is done again. Data is forced to the disk (fdatasync) at most every few seconds and when the journal is closed: a
// killed program loses nothing, a power cut the chunks of the last seconds. One run uses a journal at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evident {

/// A 64-bit sum over pieces of data (FNV-1a, each piece with its length), to tell inputs apart; no cryptography.
class Fingerprint {
 public:
  void add(std::span<const std::byte> data);
  void add(std::string_view text);
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 14695981039346656037ULL;
};

/// What a run is, as far as its results depend on it.
class JournalIdentity {
 public:
  /// Facts are compared by name when a journal is refused: "made with particles = 1000, this run has 500".
  void fact(std::string_view name, std::string_view value);
  /// Something without a readable form, for instance the values of an image.
  void mix(std::uint64_t sum);

  const std::vector<std::pair<std::string, std::string>>& facts() const { return facts_; }
  std::uint64_t fingerprint() const { return fingerprint_.value(); }

 private:
  std::vector<std::pair<std::string, std::string>> facts_;
  Fingerprint fingerprint_;
};

class Journal {
 public:
  /// Throws InputError when the file is there already or cannot be made.
  static Journal create(const std::filesystem::path& file, const JournalIdentity& identity);
  /// Throws InputError when the file is no journal, was made by another run (and says what differs), or is in use.
  static Journal resume(const std::filesystem::path& file, const JournalIdentity& identity);
  /// To look into, of whatever run; append() is not for it. Throws InputError when it is no journal or in use.
  static Journal read(const std::filesystem::path& file);
  /// Removes one, of whatever run; nothing when there is none. Throws InputError when the file is no journal or in use:
  /// then it stays.
  static void remove(const std::filesystem::path& file);
  ~Journal();
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;

  /// Keeps a finished chunk; any thread, any order. A number that is there already takes the new payload. Throws
  /// FatalError when the disk is full; the journal is then as it was before.
  void append(std::uint64_t number, std::span<const std::byte> payload);
  /// Forces everything to the disk.
  void sync();
  /// The least time between two syncs by append(); 5 seconds unless told.
  void set_sync_interval(std::chrono::milliseconds interval);

  bool has(std::uint64_t number) const;
  std::vector<std::uint64_t> chunks() const;  ///< the numbers of the chunks that are there, increasing
  /// Reads a chunk back from the file and checks it again. Throws RunError when it cannot.
  std::vector<std::byte> payload(std::uint64_t number) const;

  /// What the run of this journal is: "name = value" as facts of its identity, and their sum.
  const std::vector<std::pair<std::string, std::string>>& facts() const;
  std::uint64_t fingerprint() const;

  /// What resume() found: damaged chunks that were left out, and bytes of a torn end that were cut off.
  std::size_t dropped() const;
  std::uint64_t cut_bytes() const;

  /// The largest payload.
  static constexpr std::uint64_t kMaxPayload = std::uint64_t{1} << 30;

 private:
  static Journal open(const std::filesystem::path& file, const JournalIdentity* identity);
  struct State;
  explicit Journal(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace evident
