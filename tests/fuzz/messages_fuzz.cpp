// Messages between processes and results in journals of batches. The sum at the end is made right, so that what stands
// behind it is reached: the answer is a value or a RunError, and a value that was read is the same when it is packed
// and read again.
#include <functional>

#include "base/pack.hpp"
#include "batch/item_result.hpp"
#include "cluster/member.hpp"
#include "compare/result_fields.hpp"
#include "evident/base/error.hpp"
#include "fuzz.hpp"

namespace {

using namespace evident;
using Bytes = std::vector<std::byte>;

Bytes with_sum(std::span<const std::byte> bytes) {
  const std::uint64_t sum = sum_of_bytes(bytes);
  Bytes out(bytes.begin(), bytes.end());
  const auto tail = std::as_bytes(std::span(&sum, 1));
  out.insert(out.end(), tail.begin(), tail.end());
  return out;
}

Bytes again(unsigned kind, const Bytes& bytes) {
  switch (kind % 6) {
    case 0:
      return pack_value(unpack_value<runs::Finished>(bytes));
    case 1:
      return pack_value(unpack_value<runs::FinishedFamily>(bytes));
    case 2: {
      const auto judged = unpack_value<JudgedModel>(bytes);
      fuzz::require(!name(judged.judgement.verdict).empty(), "a verdict has a name");
      for (const Reason& r : judged.judgement.reasons) fuzz::require(!name(r.code).empty(), "an alarm has a name");
      return pack_value(judged);
    }
    case 3:
      return cluster::packed(cluster::unpacked(bytes));
    case 4:
      return pack_value(unpack_value<PlanOfPilot>(bytes));
    default:
      return batch::pack(batch::unpack(bytes));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::byte> message = std::as_bytes(std::span(bytes + 1, size - 1));
  const bool raw = (bytes[0] & 128) != 0;
  Bytes once;
  try {
    once = again(bytes[0] & 127, raw ? Bytes(message.begin(), message.end()) : with_sum(message));
  } catch (const RunError&) {
    return 0;
  }
  fuzz::require(again(bytes[0] & 127, once) == once, "a message that was read can be sent and read again");
  return 0;
}
