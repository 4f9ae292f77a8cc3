#include "journal/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <system_error>

#include "base/byte_order.hpp"
#include "evident/base/error.hpp"
#include "journal/format.hpp"
#include "journal/output_file.hpp"

namespace evident {

void Fingerprint::add(std::span<const std::byte> data) {
  const auto take = [&](std::byte b) {
    constexpr std::uint64_t kPrime = 1099511628211ULL;
    state_ = (state_ ^ std::to_integer<std::uint64_t>(b)) * kPrime;
  };
  std::array<std::byte, 8> length{};
  store_little(length.data(), static_cast<std::uint64_t>(data.size()));
  std::for_each(length.begin(), length.end(), take);
  std::for_each(data.begin(), data.end(), take);
}

void Fingerprint::add(std::string_view text) { add(std::as_bytes(std::span(text))); }

void JournalIdentity::fact(std::string_view name, std::string_view value) {
  fingerprint_.add(name);
  fingerprint_.add(value);
  // A fact is kept as one line, "name = value".
  std::string line_name(name), line_value(value);
  std::replace_if(
      line_name.begin(), line_name.end(), [](char c) { return c == '\n' || c == '='; }, ' ');
  std::replace(line_value.begin(), line_value.end(), '\n', ' ');
  facts_.emplace_back(std::move(line_name), std::move(line_value));
}

void JournalIdentity::mix(std::uint64_t sum) {
  std::array<std::byte, 8> bytes{};
  store_little(bytes.data(), sum);
  fingerprint_.add(bytes);
}

namespace {

void write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw std::system_error(n < 0 ? errno : ENOSPC, std::generic_category());
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
}

// Two runs that append to one file would write over each other. File systems without locks are taken as they are.
void lock_file(int file, const std::string& name, int kind) {
  if (::flock(file, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw InputError(fmt::format("journal {}: is in use by another run; wait for it, or give another name", name));
  }
}

// Gives a whole file its name; false, with errno, when it cannot or the name is taken.
bool rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (::link(from.c_str(), to.c_str()) != 0) return false;
  ::unlink(from.c_str());
  return true;
}

void sync_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  ::fsync(handle);
  ::close(handle);
}

}  // namespace

struct Journal::State {
  std::string name;
  int file = -1;
  std::uint32_t seed = 0;
  std::vector<std::pair<std::string, std::string>> facts;
  std::uint64_t fingerprint = 0;
  mutable std::mutex mutex;  // guards what follows
  std::uint64_t end = 0;
  ChunkPlaces chunks;
  bool unsynced = false;
  std::chrono::steady_clock::time_point last_sync = std::chrono::steady_clock::now();
  std::chrono::milliseconds interval = std::chrono::seconds(5);
  std::size_t dropped = 0;
  std::uint64_t cut = 0;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (file < 0) return;
    if (unsynced) ::fdatasync(file);
    ::close(file);
  }

  [[noreturn]] void fail(int error, std::size_t kept) const {
    throw FatalError(
        fmt::format("journal {}: cannot be written: {}; the {} chunks in it are kept: make room and resume "
                    "the run",
                    name, std::strerror(error), kept));
  }

  void sync_locked() {
    if (!unsynced) return;
    if (::fdatasync(file) != 0) fail(errno, chunks.size());
    unsynced = false;
    last_sync = std::chrono::steady_clock::now();
  }
};

Journal::Journal(std::unique_ptr<State> state) : state_(std::move(state)) {}
Journal::~Journal() = default;
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;

Journal Journal::create(const std::filesystem::path& file, const JournalIdentity& identity) {
  auto state = std::make_unique<State>();
  state->name = file.string();
  const auto fail = [&](int error) {
    throw InputError(fmt::format("journal {}: cannot be made: {}", state->name, std::strerror(error)));
  };
  const auto head = encode_journal_head(identity);
  // Made under another name, so that a journal has its whole head whenever the run is killed.
  remove_files_left_behind(file.parent_path());
  std::string temporary;
  NameLock while_hidden;
  state->file = open_beside(file, temporary, while_hidden);
  if (state->file < 0) fail(errno);
  struct Remover {
    const std::string& name;
    ~Remover() { ::unlink(name.c_str()); }
  } remover{temporary};
  try {
    write_at(state->file, 0, head);
  } catch (const std::system_error& error) {
    fail(error.code().value());
  }
  lock_file(state->file, state->name, LOCK_EX);
  if (::fsync(state->file) != 0) fail(errno);
  if (!rename_new(temporary, state->name)) {
    if (errno == EEXIST) {
      throw InputError(
          fmt::format("journal {}: is there already; resume that run, or remove it to begin anew", state->name));
    }
    fail(errno);
  }
  sync_folder(file);
  state->seed = journal_seed(head);
  state->facts = identity.facts();
  state->fingerprint = identity.fingerprint();
  state->end = head.size();
  return Journal(std::move(state));
}

Journal Journal::open(const std::filesystem::path& file, const JournalIdentity* identity) {
  auto state = std::make_unique<State>();
  state->name = file.string();
  state->file = ::open(file.c_str(), (identity != nullptr ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
  if (state->file < 0) {
    throw InputError(fmt::format("journal {}: cannot be opened: {}", state->name, std::strerror(errno)));
  }
  if (!std::filesystem::is_regular_file(file)) throw InputError(fmt::format("journal {}: is no file", state->name));
  lock_file(state->file, state->name, identity != nullptr ? LOCK_EX : LOCK_SH);
  JournalScan scan = scan_journal(state->file, state->name, identity);
  state->seed = scan.seed;
  state->end = scan.good_end;
  state->facts = std::move(scan.facts);
  state->fingerprint = scan.fingerprint;
  state->chunks = std::move(scan.chunks);
  state->dropped = scan.dropped;
  state->cut = scan.file_size - scan.good_end;
  return Journal(std::move(state));
}

Journal Journal::read(const std::filesystem::path& file) { return open(file, nullptr); }

void Journal::remove(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, failed))) return;
  const Journal ours = read(file);  // throws, unless it is one
  std::filesystem::remove(file, failed);
  if (failed) throw InputError(fmt::format("journal {}: cannot be removed: {}", file.string(), failed.message()));
}

Journal Journal::resume(const std::filesystem::path& file, const JournalIdentity& identity) {
  Journal journal = open(file, &identity);
  const State& s = *journal.state_;
  if (s.cut > 0 && ::ftruncate(s.file, static_cast<off_t>(s.end)) != 0) {
    throw RunError(fmt::format("journal {}: its torn end cannot be cut off: {}", s.name, std::strerror(errno)));
  }
  return journal;
}

void Journal::append(std::uint64_t number, std::span<const std::byte> payload) {
  State& s = *state_;
  if (payload.size() > kMaxPayload) {
    throw RunError(fmt::format("journal {}: a chunk of {} bytes; {} is the most", s.name, payload.size(), kMaxPayload));
  }
  const auto chunk = encode_chunk(s.seed, number, payload);
  const std::lock_guard guard(s.mutex);
  try {
    write_at(s.file, s.end, chunk);
  } catch (const std::system_error& error) {
    // Should this fail as well, the piece is a torn end like that of a killed run, and the next append covers it.
    [[maybe_unused]] const int ignored = ::ftruncate(s.file, static_cast<off_t>(s.end));
    s.fail(error.code().value(), s.chunks.size());
  }
  s.chunks[number] = {.payload = s.end + kChunkHeadBytes, .length = payload.size()};
  s.end += chunk.size();
  s.unsynced = true;
  if (std::chrono::steady_clock::now() - s.last_sync >= s.interval) s.sync_locked();
}

void Journal::sync() {
  const std::lock_guard guard(state_->mutex);
  state_->sync_locked();
}

void Journal::set_sync_interval(std::chrono::milliseconds interval) {
  const std::lock_guard guard(state_->mutex);
  state_->interval = interval;
}

bool Journal::has(std::uint64_t number) const {
  const std::lock_guard guard(state_->mutex);
  return state_->chunks.contains(number);
}

std::vector<std::uint64_t> Journal::chunks() const {
  const std::lock_guard guard(state_->mutex);
  std::vector<std::uint64_t> numbers;
  numbers.reserve(state_->chunks.size());
  for (const auto& [number, place] : state_->chunks) numbers.push_back(number);
  return numbers;
}

std::vector<std::byte> Journal::payload(std::uint64_t number) const {
  const State& s = *state_;
  ChunkPlace place;
  {
    const std::lock_guard guard(s.mutex);
    const auto found = s.chunks.find(number);
    if (found == s.chunks.end()) throw RunError(fmt::format("journal {}: has no chunk {}", s.name, number));
    place = found->second;
  }
  std::vector<std::byte> bytes(place.length + kChunkTailBytes);
  const bool whole = read_at(s.file, place.payload, bytes, s.name) == bytes.size();
  const auto sum = load_little<std::uint32_t>(bytes.data() + place.length);
  bytes.resize(place.length);
  if (!whole || sum != chunk_sum(s.seed, number, bytes)) {
    throw RunError(fmt::format(
        "journal {}: chunk {} was damaged while the run went on; resume it to do the chunk again", s.name, number));
  }
  return bytes;
}

const std::vector<std::pair<std::string, std::string>>& Journal::facts() const { return state_->facts; }
std::uint64_t Journal::fingerprint() const { return state_->fingerprint; }
std::size_t Journal::dropped() const { return state_->dropped; }
std::uint64_t Journal::cut_bytes() const { return state_->cut; }

}  // namespace evident
