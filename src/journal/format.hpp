// The bytes of a journal. Numbers have the small end first.
//
//   file:   "EVIDJRNL" | version u32 | length of text u32 | fingerprint u64 | text | CRC-32 of all before
//   text:   the facts, one "name = value" a line
//   chunk:  "evCk" | CRC-32 of number and length | number u64 | length u64 | payload | CRC-32
// The last CRC-32 is that of number, length and payload.
//
// The sums of chunks start from the file's own sum, so that no other journal's chunk passes for one of this. A chunk's
// head has a sum of its own: a damaged payload can be stepped over, and a wrong length is never believed.
#pragma once

#include <boost/container/flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "journal/journal.hpp"

namespace evident {

inline constexpr std::size_t kChunkHeadBytes = 24, kChunkTailBytes = 4;

struct ChunkPlace {
  std::uint64_t payload = 0;  ///< where it begins
  std::uint64_t length = 0;
};

/// By number. In one piece: thousands of small pieces, made between the large ones of jobs that come and go, would keep
/// the memory of a long run from being used again.
using ChunkPlaces = boost::container::flat_map<std::uint64_t, ChunkPlace>;

struct JournalScan {
  std::uint32_t seed = 0;  ///< what the sums of chunks start from
  std::uint64_t fingerprint = 0;
  std::vector<std::pair<std::string, std::string>> facts;
  ChunkPlaces chunks;
  std::uint64_t good_end = 0;  ///< after the last whole chunk
  std::uint64_t file_size = 0;
  std::size_t dropped = 0;
};

/// Reads up to out.size() bytes at `offset`; fewer only at the end of the file. Throws RunError.
std::size_t read_at(int file, std::uint64_t offset, std::span<std::byte> out, const std::string& name);

std::vector<std::byte> encode_journal_head(const JournalIdentity& identity);
/// The seed of a head made by encode_journal_head.
std::uint32_t journal_seed(std::span<const std::byte> head);
std::vector<std::byte> encode_chunk(std::uint32_t seed, std::uint64_t number, std::span<const std::byte> payload);
/// The sum that stands after the payload.
std::uint32_t chunk_sum(std::uint32_t seed, std::uint64_t number, std::span<const std::byte> payload);

/// Checks the head against `identity`, unless it is null, and finds the chunks. Throws InputError.
JournalScan scan_journal(int file, const std::string& name, const JournalIdentity* identity);

}  // namespace evident
