// What a program of the user's answers: numbers, a refusal or a failure, and the same however the bytes are cut into
// pieces.
#include <cmath>
#include <cstring>

#include "external/protocol.hpp"
#include "fuzz.hpp"

namespace {

using namespace evident::external;

struct Outcome {
  bool whole = false;
  std::string problem;
  std::vector<double> numbers;
};

Outcome read(std::string_view bytes, std::size_t numbers, std::size_t piece) {
  Outcome out{.whole = false, .problem = {}, .numbers = std::vector<double>(numbers)};
  AnswerReader reader = numbers == 0 ? AnswerReader() : AnswerReader(7, out.numbers);
  try {
    while (!bytes.empty()) {
      out.whole = reader.take(bytes.substr(0, piece));
      bytes.remove_prefix(std::min(piece, bytes.size()));
    }
  } catch (const Failure& e) {
    out.problem = e.what();
  } catch (const Refusal& e) {
    out.problem = e.what();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of({bytes + 1, size - 1});
  const std::size_t numbers = bytes[0] & 3;
  const Outcome all = read(text, numbers, text.size() + 1), some = read(text, numbers, 1 + (bytes[0] >> 2));
  fuzz::require(all.problem == some.problem && (all.whole == some.whole || !all.problem.empty()),
                "the pieces do not matter");
  fuzz::require(numbers == 0 || std::memcmp(all.numbers.data(), some.numbers.data(), numbers * sizeof(double)) == 0,
                "the pieces do not matter for the numbers");
  for (const double x : all.numbers) fuzz::require(!(x == INFINITY), "no log likelihood is +infinity");
  return 0;
}
