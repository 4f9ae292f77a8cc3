#include "journal/format.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/byte_order.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

constexpr std::string_view kMagic = "EVIDJRNL", kChunkMark = "evCk";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeadBytes = 24;
constexpr std::uint32_t kMostText = std::uint32_t{1} << 20;

constexpr std::array<std::uint32_t, 256> sums_of_bytes() {
  std::array<std::uint32_t, 256> sums{};
  for (std::uint32_t i = 0; i < sums.size(); ++i) {
    sums[i] = i;
    for (int bit = 0; bit < 8; ++bit) sums[i] = (sums[i] >> 1) ^ ((sums[i] & 1) != 0 ? 0xEDB88320u : 0u);
  }
  return sums;
}

// CRC-32 as gzip has it, one byte at a time: 300 MB a second. zlib is several times as fast, but a journal's runs take
// much longer than its sums, and this way compare() needs no zlib.
std::uint32_t add_sum(std::uint32_t sum, std::span<const std::byte> bytes) {
  static constexpr auto kSums = sums_of_bytes();
  sum = ~sum;
  for (const std::byte byte : bytes) sum = kSums[(sum ^ std::to_integer<std::uint32_t>(byte)) & 0xFF] ^ (sum >> 8);
  return ~sum;
}

std::span<const std::byte> bytes_of_text(std::string_view text) { return std::as_bytes(std::span(text)); }

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts parse_facts(std::string_view text) {
  Facts facts;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t split = line.find(" = ");
    if (split == std::string_view::npos) continue;
    facts.emplace_back(line.substr(0, split), line.substr(split + 3));
  }
  return facts;
}

const std::string* find(const Facts& facts, const std::string& name) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == name; });
  return found == facts.end() ? nullptr : &found->second;
}

// "made with particles = 1000, this run has 500", for each fact that differs.
std::string difference(const Facts& then, const Facts& now) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  for (const auto& [name, value] : then) {
    const std::string* own = find(now, name);
    if (!own) {
      add(fmt::format("it was made with {} = {}, this run has no {}", name, value, name));
    } else if (*own != value) {
      add(fmt::format("it was made with {} = {}, this run has {}", name, value, *own));
    }
  }
  for (const auto& [name, value] : now) {
    if (!find(then, name)) add(fmt::format("it was made without {}, this run has {} = {}", name, name, value));
  }
  return text.empty() ? "it was made from other data, though all that has a name agrees" : text;
}

}  // namespace

std::size_t read_at(int file, std::uint64_t offset, std::span<std::byte> out, const std::string& name) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::pread(file, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw RunError(fmt::format("journal {}: cannot be read: {}", name, std::strerror(errno)));
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

std::vector<std::byte> encode_journal_head(const JournalIdentity& identity) {
  std::string text;
  for (const auto& [name, value] : identity.facts()) text += name + " = " + value + "\n";
  if (text.size() > kMostText) {
    throw InputError(
        fmt::format("journal: the facts of the run take {} bytes; {} is the most", text.size(), kMostText));
  }
  std::vector<std::byte> head(kHeadBytes + text.size() + 4);
  std::memcpy(head.data(), kMagic.data(), kMagic.size());
  store_little(head.data() + 8, kVersion);
  store_little(head.data() + 12, static_cast<std::uint32_t>(text.size()));
  store_little(head.data() + 16, identity.fingerprint());
  std::memcpy(head.data() + kHeadBytes, text.data(), text.size());
  store_little(head.data() + head.size() - 4, journal_seed(head));
  return head;
}

std::uint32_t journal_seed(std::span<const std::byte> head) { return add_sum(0, head.first(head.size() - 4)); }

std::uint32_t chunk_sum(std::uint32_t seed, std::uint64_t number, std::span<const std::byte> payload) {
  std::array<std::byte, 16> head{};
  store_little(head.data(), number);
  store_little(head.data() + 8, static_cast<std::uint64_t>(payload.size()));
  return add_sum(add_sum(seed, head), payload);
}

std::vector<std::byte> encode_chunk(std::uint32_t seed, std::uint64_t number, std::span<const std::byte> payload) {
  std::vector<std::byte> chunk(kChunkHeadBytes + payload.size() + kChunkTailBytes);
  std::memcpy(chunk.data(), kChunkMark.data(), kChunkMark.size());
  store_little(chunk.data() + 8, number);
  store_little(chunk.data() + 16, static_cast<std::uint64_t>(payload.size()));
  store_little(chunk.data() + 4, add_sum(seed, std::span(chunk).subspan(8, 16)));
  if (!payload.empty()) std::memcpy(chunk.data() + kChunkHeadBytes, payload.data(), payload.size());
  store_little(chunk.data() + chunk.size() - 4, chunk_sum(seed, number, payload));
  return chunk;
}

namespace {

// Steps through the chunks of a file.
class Scanner {
 public:
  Scanner(int file, const std::string& name) : file_(file), name_(name) {
    const off_t size = ::lseek(file, 0, SEEK_END);
    if (size < 0) throw InputError(fmt::format("journal {}: {}", name, std::strerror(errno)));
    scan_.file_size = static_cast<std::uint64_t>(size);
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(scan_.file_size, std::uint64_t{1} << 20)));
  }

  JournalScan run(const JournalIdentity* identity) {
    std::uint64_t position = check_head(identity);
    scan_.good_end = position;
    std::size_t nameless = 0,
                found_nameless = 0;  // damaged places without a readable number; those before a good chunk
    while (position < scan_.file_size) {
      const auto head = chunk_head(position);
      if (!head) {
        position = next_head(position + 1);
        ++nameless;
        continue;
      }
      const std::uint64_t end = position + kChunkHeadBytes + head->length + kChunkTailBytes;
      if (end > scan_.file_size) break;  // torn
      if (payload_is_sound(position, *head)) {
        scan_.chunks[head->number] = {.payload = position + kChunkHeadBytes, .length = head->length};
        scan_.good_end = end;
        found_nameless = nameless;
      } else {
        damaged_.push_back(head->number);
      }
      position = end;
    }
    std::sort(damaged_.begin(), damaged_.end());
    damaged_.erase(std::unique(damaged_.begin(), damaged_.end()), damaged_.end());
    scan_.dropped = found_nameless +
                    static_cast<std::size_t>(std::count_if(damaged_.begin(), damaged_.end(),
                                                           [&](std::uint64_t n) { return !scan_.chunks.contains(n); }));
    return std::move(scan_);
  }

 private:
  struct Head {
    std::uint64_t number = 0, length = 0;
  };

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("journal {}: {}; give another name, or remove it to begin anew", name_, why));
  }

  std::uint64_t check_head(const JournalIdentity* identity) {
    std::vector<std::byte> head(kHeadBytes);
    const std::size_t have = read_at(file_, 0, head, name_);
    if (have < kMagic.size() || std::memcmp(head.data(), kMagic.data(), kMagic.size()) != 0) {
      throw InputError(fmt::format("journal {}: is not a journal of evident; give another name", name_));
    }
    if (have < kHeadBytes) refuse("it ends within its head and holds nothing");
    if (const auto version = load_little<std::uint32_t>(head.data() + 8); version != kVersion) {
      refuse(fmt::format("it has format {}, and this evident reads format {} only", version, kVersion));
    }
    const auto length = load_little<std::uint32_t>(head.data() + 12);
    if (length > kMostText) refuse("its head is damaged");
    head.resize(kHeadBytes + length + 4);
    if (read_at(file_, 0, head, name_) < head.size()) refuse("it ends within its head and holds nothing");
    scan_.seed = journal_seed(head);
    if (load_little<std::uint32_t>(head.data() + head.size() - 4) != scan_.seed) refuse("its head is damaged");
    scan_.fingerprint = load_little<std::uint64_t>(head.data() + 16);
    scan_.facts = parse_facts({reinterpret_cast<const char*>(head.data()) + kHeadBytes, length});
    if (identity != nullptr && scan_.fingerprint != identity->fingerprint()) {
      throw InputError(
          fmt::format("journal {}: belongs to another run: {}; give what it was made with, or remove it to "
                      "begin anew",
                      name_, difference(scan_.facts, identity->facts())));
    }
    return head.size();
  }

  std::optional<Head> chunk_head(std::uint64_t position) const {
    std::array<std::byte, kChunkHeadBytes> bytes{};
    if (read_at(file_, position, bytes, name_) < bytes.size()) return std::nullopt;
    if (std::memcmp(bytes.data(), kChunkMark.data(), kChunkMark.size()) != 0) return std::nullopt;
    if (load_little<std::uint32_t>(bytes.data() + 4) != add_sum(scan_.seed, std::span(bytes).subspan(8))) {
      return std::nullopt;
    }
    const Head head{.number = load_little<std::uint64_t>(bytes.data() + 8),
                    .length = load_little<std::uint64_t>(bytes.data() + 16)};
    if (head.length > Journal::kMaxPayload) return std::nullopt;
    return head;
  }

  bool payload_is_sound(std::uint64_t position, const Head& head) {
    // The sum goes over number and length, which the head holds in this order and form, and the payload.
    std::uint32_t sum = scan_.seed;
    std::uint64_t at = position + 8, left = 16 + head.length;
    while (left > 0) {
      const auto part =
          std::span(buffer_).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer_.size())));
      if (read_at(file_, at, part, name_) < part.size()) return false;
      sum = add_sum(sum, part);
      at += part.size();
      left -= part.size();
    }
    std::array<std::byte, kChunkTailBytes> tail{};
    return read_at(file_, at, tail, name_) == tail.size() && load_little<std::uint32_t>(tail.data()) == sum;
  }

  // The next place from `position` on where a chunk begins, or the end of the file.
  std::uint64_t next_head(std::uint64_t position) {
    const auto mark = bytes_of_text(kChunkMark);
    while (position < scan_.file_size) {
      const auto window = std::span(buffer_).first(read_at(file_, position, buffer_, name_));
      for (auto at = window.begin();; ++at) {
        at = std::search(at, window.end(), mark.begin(), mark.end());
        if (at == window.end()) break;
        const std::uint64_t place = position + static_cast<std::uint64_t>(at - window.begin());
        if (chunk_head(place)) return place;
      }
      if (window.size() < buffer_.size()) break;
      position += window.size() - (mark.size() - 1);
    }
    return scan_.file_size;
  }

  int file_;
  const std::string& name_;
  JournalScan scan_;
  std::vector<std::byte> buffer_;
  std::vector<std::uint64_t> damaged_;
};

}  // namespace

JournalScan scan_journal(int file, const std::string& name, const JournalIdentity* identity) {
  return Scanner(file, name).run(identity);
}

}  // namespace evident
