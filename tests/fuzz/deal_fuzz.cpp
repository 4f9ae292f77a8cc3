// Letters that hand out work: a rank that works gets them from a rank 0 that may say anything. The answer is work on
// pieces, or a RunError. Each letter is a length and bytes, whose sum is made right; at the end rank 0 says that
// nothing is left.
#include <cstring>
#include <deque>

#include "base/pack.hpp"
#include "base/run_kept.hpp"
#include "evident/base/error.hpp"
#include "fuzz.hpp"

namespace {

using namespace evident;
using Bytes = std::vector<std::byte>;

class Letters final : public Team {
 public:
  explicit Letters(std::deque<Bytes> letters) : Team(1, 2), letters_(std::move(letters)) {}
  void fail(const std::string&, int) override {}

 protected:
  void do_all_gather(std::span<double>, std::span<const std::size_t>) override {}
  /// The length of the next letter, as a number, and then the letter.
  void do_broadcast(std::span<std::byte> bytes) override {
    if (letters_.empty()) throw RunError("rank 0 is gone");
    if (!told_) {
      const double length = static_cast<double>(letters_.front().size());
      std::memcpy(bytes.data(), &length, sizeof length);
    } else {
      std::memcpy(bytes.data(), letters_.front().data(), bytes.size());
    }
    told_ = !told_;
  }
  void do_exchange(const std::vector<std::vector<double>>&, std::vector<std::vector<double>>&) override {}
  void do_post(std::size_t to, Bytes) override { fuzz::require(to == 0, "work is sent to rank 0"); }
  std::optional<Letter> do_fetch() override {
    if (letters_.empty()) throw RunError("rank 0 is gone");
    Letter letter{0, std::move(letters_.front())};
    letters_.pop_front();
    return letter;
  }

 private:
  std::deque<Bytes> letters_;
  bool told_ = false;
};

std::deque<Bytes> letters_in(std::span<const std::uint8_t> input) {
  std::deque<Bytes> letters;
  while (!input.empty()) {
    const bool raw = (input[0] & 128) != 0;
    const std::size_t size = std::min<std::size_t>(input[0] & 127U, input.size() - 1);
    const auto bytes = std::as_bytes(input.subspan(1, size));
    Bytes letter(bytes.begin(), bytes.end());
    const std::uint64_t sum = sum_of_bytes(bytes);
    const auto tail = std::as_bytes(std::span(&sum, 1));
    if (!raw) letter.insert(letter.end(), tail.begin(), tail.end());
    letters.push_back(std::move(letter));
    input = input.subspan(1 + size);
  }
  return letters;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Letters team(letters_in({bytes, size}));
  static const Executor executor(1);
  try {
    const auto results = run_kept<std::string>(
        {.count = 3,
         .slot = [](std::size_t) { return CheckpointSlot{}; },
         .run = [](std::size_t job, const Executor&, Team&) { return std::string(job + 1, 'x'); }},
        team, executor);
    fuzz::require(results.size() == 3, "each job has a place");
  } catch (const RunError&) {
  }
  return 0;
}
