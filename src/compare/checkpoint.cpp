#include "evident/compare/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <system_error>

#include "base/option.hpp"
#include "base/pack.hpp"
#include "base/team.hpp"
#include "compare/identity.hpp"
#include "evident/base/error.hpp"
#include "journal/journal.hpp"
#include "journal/output_file.hpp"
#include "tables/file_text.hpp"
#include "tables/input_file.hpp"
#include "tables/placed_error.hpp"

namespace evident {
namespace {

namespace fs = std::filesystem;

std::uint64_t number_of(const std::string& key) {
  Fingerprint sum;
  sum.add(key);
  return sum.value();
}

constexpr std::size_t kNoteName = 21;  // 16 digits and ".note"

bool has_name_of_note(const std::string& name) {
  return name.size() == kNoteName && name.ends_with(".note") &&
         name.find_first_not_of("0123456789abcdef") == kNoteName - 5;
}

/// Nothing when there is no such file, or it cannot be read: then what it would have held is done again.
std::optional<std::string> note_text(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_symlink(file, ignored)) return std::nullopt;  // links are never ours
  try {
    return file_bytes(file.string(), InputFile::kAnySize);
  } catch (const PlacedError&) {
    return std::nullopt;
  }
}

/// Has it the form and the sum of what sealed() makes?
bool is_sealed(const fs::path& file) {
  const auto text = note_text(file);
  if (!text) return false;
  try {
    Unpacker in(std::as_bytes(std::span(*text)));
    return in.get<double>() >= 0;
  } catch (const RunError&) {
    return false;
  }
}

/// Throws InputError for a pipe, a device or a folder that has the name of a note: a run could neither read nor write
/// it.
void require_readable_notes(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (has_name_of_note(entry.path().filename().string())) const InputFile note(entry.path().string());
}

}  // namespace

bool Checkpoint::is_begun(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "journal", ignored);
}

Checkpoint::Checkpoint(CheckpointOptions options, const std::vector<Candidate>& candidates,
                       const CompareOptions& compared, Team& team)
    : Checkpoint(
          std::move(options), [=] { return comparison_identity(candidates, compared); }, team) {}

Checkpoint::Checkpoint(CheckpointOptions options, const FamilyCandidate& candidate, const CompareOptions& compared,
                       Team& team)
    : Checkpoint(
          std::move(options), [=] { return comparison_identity(candidate, compared); }, team) {}

Checkpoint::Checkpoint(CheckpointOptions options, JournalIdentity identity, Team& team)
    : Checkpoint(
          std::move(options), [identity = std::move(identity)] { return identity; }, team) {}

Checkpoint::Checkpoint(CheckpointOptions options, std::function<JournalIdentity()> identity, Team& team)
    : options_(std::move(options)), identity_(std::move(identity)), leads_(team.leads()) {
  if (!leads_) return;
  require_readable_notes(options_.folder);
  const bool begun = is_begun(options_.folder);
  if (begun && !options_.resume && !options_.replace)
    throw InputError(
        fmt::format("{}: a run that was stopped is kept here; add {} to go on with it, or {} to begin again",
                    options_.folder.string(), option("resume"), option("replace")));
  if (begun && options_.resume) {
    journal_ = std::make_unique<Journal>(Journal::resume(journal_file(), identity_()));
    fingerprint_ = journal_->fingerprint();
    for (const std::uint64_t number : journal_->chunks()) {
      try {
        const Bytes payload = journal_->payload(number);
        Unpacker in(payload);
        seconds_before_ = std::max(seconds_before_, in.get<double>());
        ++found_;
      } catch (const RunError&) {
        ++done_again_;
      }
    }
    done_again_ += journal_->dropped();
  } else if (begun) {
    Journal::remove(journal_file());  // throws, and leaves it, when it is somebody else's
    remove_files();
  }
  if (options_.after <= 0)
    begin();
  else
    require_place();
}

Checkpoint::~Checkpoint() = default;

double Checkpoint::seconds() const {
  return seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
}

/// With its key and the time, so that nothing else is taken for it.
CheckpointStore::Bytes Checkpoint::sealed(const std::string& key, std::span<const std::byte> bytes) const {
  Packer out;
  out.put(seconds());
  out.put(fingerprint_);
  out.put(key);
  out.put_bytes(bytes);
  return out.finish();
}

std::optional<std::pair<double, CheckpointStore::Bytes>> Checkpoint::opened(const std::string& key,
                                                                            std::span<const std::byte> sealed) const {
  try {
    Unpacker in(sealed);
    const auto seconds = in.get<double>();
    if (in.get<std::uint64_t>() != fingerprint_ || in.get_text() != key) return std::nullopt;
    const std::span<const std::byte> bytes = in.get_bytes();
    in.end();
    return std::pair{seconds, Bytes(bytes.begin(), bytes.end())};
  } catch (const RunError&) {
    return std::nullopt;
  }
}

/// What could not be made later is found before any work.
void Checkpoint::require_place() const {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(options_.folder, ignored)) && !fs::is_directory(options_.folder, ignored))
    throw InputError(fmt::format("checkpoint {}: cannot be made (something else is there); choose another folder ({})",
                                 options_.folder.string(), option("checkpoint")));
}

/// Makes the journal when it is time, and says whether there is one.
bool Checkpoint::begin() {
  if (journal_) return true;
  if (seconds() - seconds_before_ < options_.after) return false;
  std::error_code failed;
  fs::create_directories(options_.folder, failed);
  if (failed || !fs::is_directory(options_.folder, failed))
    throw InputError(fmt::format("checkpoint {}: cannot be made ({}); choose another folder ({})",
                                 options_.folder.string(), failed ? failed.message() : "something else is there",
                                 option("checkpoint")));
  journal_ = std::make_unique<Journal>(Journal::create(journal_file(), identity_()));
  fingerprint_ = journal_->fingerprint();
  return true;
}

std::optional<CheckpointStore::Bytes> Checkpoint::find(const std::string& key) {
  if (!leads_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (!journal_ || !journal_->has(number_of(key))) return std::nullopt;
  try {
    if (auto found = opened(key, journal_->payload(number_of(key)))) return std::move(found->second);
  } catch (const RunError&) {  // damaged: it is done again
  }
  return std::nullopt;
}

void Checkpoint::keep(const std::string& key, std::span<const std::byte> bytes) {
  if (!leads_) return;
  const std::lock_guard lock(mutex_);
  pending_.emplace_back(key, Bytes(bytes.begin(), bytes.end()));
  if (!begin()) return;
  for (const auto& [name, payload] : pending_) {
    journal_->append(number_of(name), sealed(name, payload));
    std::error_code ignored;
    fs::remove(note_file(name), ignored);
  }
  pending_.clear();
}

fs::path Checkpoint::note_file(const std::string& key) const {
  return options_.folder / fmt::format("{:016x}.note", number_of(key));
}

std::optional<CheckpointStore::Bytes> Checkpoint::find_note(const std::string& key) {
  if (!leads_ || !options_.resume) return std::nullopt;
  const auto sealed = note_text(note_file(key));
  if (!sealed) return std::nullopt;
  auto found = opened(key, std::as_bytes(std::span(*sealed)));
  if (!found) return std::nullopt;
  return std::move(found->second);
}

bool Checkpoint::wants_note(const std::string& key) {
  constexpr double kShare = 50;  // of the time, that writing takes at most
  if (!leads_) return false;
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = notes_.try_emplace(key, Noted{Clock::now(), 0});
  const double since = std::chrono::duration<double>(Clock::now() - at->second.when).count();
  return since >= std::max(options_.note_every, kShare * at->second.cost);
}

void Checkpoint::note(const std::string& key, std::span<const std::byte> bytes) {
  if (!leads_) return;
  const auto begun = Clock::now();
  try {
    Bytes text;
    {
      const std::lock_guard lock(mutex_);
      if (!begin()) return;
      text = sealed(key, bytes);
    }
    OutputFile file(note_file(key));
    file.write(text);
    file.commit();
  } catch (const std::exception&) {  // no room, say: then a stopped run has more to do again
  }
  const std::lock_guard lock(mutex_);
  notes_[key] = {Clock::now(), std::chrono::duration<double>(Clock::now() - begun).count()};
}

bool Checkpoint::is_written() const {
  const std::lock_guard lock(mutex_);
  return journal_ != nullptr;
}

void Checkpoint::sync() {
  const std::lock_guard lock(mutex_);
  if (journal_) journal_->sync();
}

void Checkpoint::finish() {
  const std::lock_guard lock(mutex_);
  if (!leads_) return;
  if (!journal_) return;
  journal_.reset();
  std::error_code ignored;
  fs::remove(journal_file(), ignored);
  remove_files();
}

/// Notes and what is torn of them, and the folder when it is empty then: it may hold more.
void Checkpoint::remove_files() {
  std::error_code ignored;
  std::vector<fs::path> own;
  for (const fs::directory_entry& entry : fs::directory_iterator(options_.folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool torn = name.starts_with(".") && name.ends_with(".part") &&
                      (name.starts_with(".journal.") || has_name_of_note(name.substr(1, kNoteName)));
    if (torn || (has_name_of_note(name) && is_sealed(entry.path()))) own.push_back(entry.path());
  }
  for (const fs::path& file : own) fs::remove(file, ignored);
  fs::remove(options_.folder, ignored);  // not when something else is in it
}

}  // namespace evident
