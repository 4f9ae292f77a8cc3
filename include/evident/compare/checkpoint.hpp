// A comparison that was stopped, by whatever means, continues where it was and ends with the same numbers.
//
//   Checkpoint checkpoint({.folder = "study.checkpoint", .resume = true}, candidates, options);
//   options.checkpoint = &checkpoint;
//   const Comparison c = compare(candidates, options);
//   checkpoint.finish();                              // all is done: the folder goes
//
// Whole runs (pilots, islands, replicates, nested checks, verdicts) are kept in a journal, with checksums. Of a run
// that is under way, a note is written between two steps every few seconds, unless its particles are spread over ranks.
// Of a team, rank 0 has the folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/compare/compare.hpp"

namespace evident {

class Journal;
class JournalIdentity;

struct CheckpointOptions {
  std::filesystem::path folder;
  bool resume = false;    ///< go on with what is there, if anything is
  bool replace = false;   ///< what is there goes; not with resume
  double after = 0;       ///< a run that takes fewer seconds leaves no trace
  double note_every = 2;  ///< seconds; more where writing takes more than a fiftieth of the time
};

class Checkpoint final : public CheckpointStore {
 public:
  /// Throws InputError when a run is kept there already and neither resume nor replace is set, when it is of another
  /// study, or when the folder cannot be made.
  Checkpoint(CheckpointOptions options, const std::vector<Candidate>& candidates, const CompareOptions& compared,
             Team& team = team_of_one());
  Checkpoint(CheckpointOptions options, const FamilyCandidate& candidate, const CompareOptions& compared,
             Team& team = team_of_one());
  /// The same with an identity of the caller's making.
  Checkpoint(CheckpointOptions options, JournalIdentity identity, Team& team = team_of_one());
  /// The identity is asked for when it is needed: it costs evaluations of the likelihoods.
  Checkpoint(CheckpointOptions options, std::function<JournalIdentity()> identity, Team& team = team_of_one());
  ~Checkpoint() override;
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  std::optional<Bytes> find(const std::string& key) override;
  void keep(const std::string& key, std::span<const std::byte> bytes) override;
  std::optional<Bytes> find_note(const std::string& key) override;
  bool wants_note(const std::string& key) override;
  void note(const std::string& key, std::span<const std::byte> bytes) override;
  double seconds_before() const override { return seconds_before_; }

  /// Pieces of work that were there when it was opened.
  std::size_t found() const { return found_; }
  /// Of these, damaged ones: they are done again.
  std::size_t pieces_done_again() const { return done_again_; }
  /// Is there anything to go on with?
  bool is_written() const;
  /// Forces what is there to the disk.
  void sync();
  /// Removes what was written, and the folder when nothing else is in it.
  void finish();

  /// Does the folder hold a run that was stopped?
  static bool is_begun(const std::filesystem::path& folder);

 private:
  using Clock = std::chrono::steady_clock;
  bool begin();
  void require_place() const;
  double seconds() const;
  Bytes sealed(const std::string& key, std::span<const std::byte> bytes) const;
  std::optional<std::pair<double, Bytes>> opened(const std::string& key, std::span<const std::byte> sealed) const;
  std::filesystem::path journal_file() const { return options_.folder / "journal"; }
  std::filesystem::path note_file(const std::string& key) const;
  void remove_files();

  CheckpointOptions options_;
  std::function<JournalIdentity()> identity_;
  bool leads_;
  const Clock::time_point start_ = Clock::now();
  double seconds_before_ = 0;
  std::size_t found_ = 0, done_again_ = 0;
  mutable std::mutex mutex_;  // guards what follows
  std::unique_ptr<Journal> journal_;
  std::uint64_t fingerprint_ = 0;                       ///< of the identity, when there is a journal
  std::vector<std::pair<std::string, Bytes>> pending_;  ///< until the journal is begun
  struct Noted {
    Clock::time_point when;
    double cost = 0;  ///< seconds that the last note took
  };
  std::map<std::string, Noted> notes_;
};

}  // namespace evident
