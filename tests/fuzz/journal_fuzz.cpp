// Journals. The first byte says what the rest is: a whole file, the text of a head and payloads with the right sums, or
// damage to a journal. Damage is never taken for a result: a chunk that is read is one that was written.
#include <cstring>
#include <map>

#include "base/byte_order.hpp"
#include "evident/base/error.hpp"
#include "fuzz.hpp"
#include "journal/format.hpp"
#include "journal/journal.hpp"

namespace {

using namespace evident;
using Chunks = std::map<std::uint64_t, std::vector<std::byte>>;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Chunks read(const std::string& bytes) {
  static fuzz::MemoryFile file;
  file.fill(bytes);
  Chunks out;
  try {
    const Journal journal = Journal::read(file.path());
    for (const std::uint64_t number : journal.chunks()) out[number] = journal.payload(number);
  } catch (const InputError&) {
  }
  return out;
}

/// Pieces of the input as chunks: all of them are read again.
void whole_journal(std::string_view input) {
  JournalIdentity identity;
  identity.fact("input", input.substr(0, input.size() / 4));
  const std::vector<std::byte> head = encode_journal_head(identity);
  std::string file = text_of(head);
  Chunks written;
  for (std::uint64_t number = 0; number < 3; ++number) {
    const auto payload = std::as_bytes(std::span(input.substr(0, input.size() / 3)));
    input.remove_prefix(payload.size());
    file += text_of(encode_chunk(journal_seed(head), number, payload));
    written[number].assign(payload.begin(), payload.end());
  }
  fuzz::require(read(file) == written, "what is written is read again");
}

/// Up to four neighbouring bytes of a journal are changed, or its end is cut off: sums of 32 bits find all of it.
void damaged_journal(std::span<const std::uint8_t> input) {
  if (input.size() < 6) return;
  JournalIdentity identity;
  identity.fact("particles", "1000");
  const std::vector<std::byte> head = encode_journal_head(identity);
  Chunks written;
  std::string file = text_of(head);
  const auto rest = input.subspan(6);
  for (std::uint64_t number = 0; number < 3; ++number) {
    std::vector<std::byte>& payload = written[number];
    for (std::size_t i = number; i < rest.size(); i += 3) payload.push_back(std::byte{rest[i]});
    file += text_of(encode_chunk(journal_seed(head), number, payload));
  }
  const std::size_t place = (input[0] + 256U * input[1]) % file.size();
  bool changed = false;
  for (std::size_t i = 0; i < 4 && place + i < file.size(); ++i) {
    file[place + i] = static_cast<char>(file[place + i] ^ static_cast<char>(input[2 + i]));
    changed = changed || input[2 + i] != 0;
  }
  if (!changed) file.resize(place);
  const Chunks found = read(file);
  for (const auto& [number, payload] : found)
    fuzz::require(written.contains(number) && written[number] == payload, "damage is not taken for a result");
  fuzz::require(found.size() < written.size(), "damage is seen");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest{bytes + 1, size - 1};
  switch (bytes[0] % 3) {
    case 0:
      read(std::string(fuzz::text_of(rest)));
      break;
    case 1:
      whole_journal(fuzz::text_of(rest));
      break;
    default:
      damaged_journal(rest);
  }
  return 0;
}
