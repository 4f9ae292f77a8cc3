// The lines of the protocol: exact numbers, and answers of every kind, cut into pieces of every size.
#include "external/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <sstream>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/base/random.hpp"

namespace evident::external {
namespace {

using testing::HasSubstr;

/// What became of an answer of `count` numbers for batch 5: the numbers, or the message.
struct Outcome {
  std::vector<double> numbers;
  std::string message;
  bool whole = false, refused = false;
};

Outcome read(std::string_view answer, std::size_t count, std::size_t piece = 1000) {
  Outcome out{.numbers = std::vector<double>(count, -1), .message = ""};
  AnswerReader reader(5, out.numbers);
  try {
    for (std::size_t at = 0; at < answer.size(); at += piece) out.whole = reader.take(answer.substr(at, piece));
  } catch (const Failure& e) {
    out.message = e.what();
    out.whole = false;
  } catch (const Refusal& e) {
    out.message = e.what();
    out.refused = true;
  }
  return out;
}

TEST(Protocol, NumbersComeThroughExactly) {
  BlockStorage theta(1, 3000);
  Stream random = Streams({.seed = 3}).at({});
  for (std::size_t i = 0; i < theta.size(); ++i) {
    double x = 0;
    do {  // any bits at all
      const std::uint64_t bits = random.bits();
      std::memcpy(&x, &bits, sizeof x);
    } while (std::isnan(x) || x == kInf);
    theta(0, i) = x;
  }
  theta(0, 0) = -kInf;
  theta(0, 1) = 5e-324;
  theta(0, 2) = -0.0;
  const std::string sent = batch_text(5, theta);
  EXPECT_TRUE(sent.starts_with("batch 5 3000\n-inf\n5e-324\n-0\n"));
  const Outcome back = read(sent.substr(sent.find('\n') + 1) + "done 5\n", 3000, 7);
  ASSERT_TRUE(back.whole) << back.message;
  EXPECT_EQ(std::memcmp(back.numbers.data(), theta.row(0).data(), 3000 * sizeof(double)), 0);
}

TEST(Protocol, OpeningTellsEverything) {
  EXPECT_EQ(opening_text({"a", "b[1]"}, {{"noise", "0.5"}, {"say", "two words"}}, {{"y", {0.1, -2, 1e300}}, {"z", {}}}),
            "evident 1\noption noise 0.5\noption say two words\nparameter a\nparameter b[1]\ncolumn y 0.1 -2 1e+300\n"
            "column z\nbegin\n");
  EXPECT_THROW(opening_text({"a b"}, {}, {}), InputError);
  EXPECT_THROW(opening_text({"a"}, {{"o", "x\nbegin"}}, {}), InputError);
  EXPECT_THROW(opening_text({"a"}, {}, {{"my column", {1}}}), InputError);
}

TEST(Protocol, TwoSignsAreNoNumber) {
  EXPECT_THAT(read("+-2.5\ndone 5\n", 1).message, HasSubstr("'+-2.5'"));
  EXPECT_THAT(read("++2.5\ndone 5\n", 1).message, HasSubstr("'++2.5'"));
}

TEST(Protocol, WordsOfOtherLanguages) {
  const Outcome out = read("  -Inf \r\nNaN\nNA\n+2.5\ninf\nnan\n-1e400\n1E2\ndone 5 \n", 8);
  ASSERT_TRUE(out.whole) << out.message;
  EXPECT_EQ(out.numbers[0], -kInf);
  EXPECT_TRUE(std::isnan(out.numbers[1]) && std::isnan(out.numbers[2]) && std::isnan(out.numbers[4]));
  EXPECT_EQ(out.numbers[3], 2.5);
  EXPECT_EQ(out.numbers[6], -kInf);
  EXPECT_EQ(out.numbers[7], 100);
}

TEST(Protocol, WrongAnswers) {
  EXPECT_THAT(read("1\nhello\n", 2).message,
              HasSubstr("line 2 of its answer was 'hello', where a number was expected"));
  EXPECT_THAT(read("1\n\n2\n", 2).message, HasSubstr("was ''"));
  EXPECT_THAT(read("1\ndone 5\n", 2).message, HasSubstr("a number was expected"));
  EXPECT_THAT(read("1\n2\n3\ndone 5\n", 2).message, HasSubstr("'3', where 'done 5' was expected"));
  EXPECT_THAT(read("1\ndone 4\n", 1).message, HasSubstr("'done 4', where 'done 5'"));
  EXPECT_THAT(read("1\ndone 5\n6\n", 1).message, HasSubstr("more than it was asked for"));
  EXPECT_THAT(read("1 2\ndone 5\n", 1).message, HasSubstr("'1 2', where a number"));
  EXPECT_THAT(read("0x10\n", 1).message, HasSubstr("'0x10'"));
  EXPECT_THAT(read(std::string(100000, '7'), 1).message, HasSubstr("a line of 4096 characters"));
  EXPECT_FALSE(read("1\n2\ndone 5", 2).whole);
  const Outcome refused = read("1\nerror the matrix is singular\n", 2);
  EXPECT_TRUE(refused.refused);
  EXPECT_EQ(refused.message, "the matrix is singular");
  EXPECT_TRUE(read("error\n", 2).refused);
  EXPECT_LE(read("error " + std::string(100000, 'x'), 2).message.size(), 4096u);
  EXPECT_FALSE(read("errors\n", 2).refused);
}

/// Random bytes, and whole answers with random damage: the reader ends in one of its few ways, and how the bytes are
/// cut makes no difference.
TEST(Protocol, SurvivesAnything) {
  Stream random = Streams({.seed = 11}).at({});
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random.bits() % n); };
  constexpr std::string_view alphabet = "0123456789.-+einfaNdoer \n\r\0x5";
  std::size_t whole = 0, failed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = "-1.5\n2e-3\n-inf\ndone 5\n";
    if (round % 3 == 0) text.clear();
    for (std::size_t k = round % 3 == 0 ? below(60) : below(3); k > 0; --k) {
      const char c = below(4) == 0 ? static_cast<char>(below(256)) : alphabet[below(alphabet.size())];
      const std::size_t at = below(text.size() + 1);
      if (at < text.size() && below(2) == 0) {
        text[at] = c;
      } else {
        text.insert(at, 1, c);
      }
    }
    const Outcome once = read(text, 3), pieces = read(text, 3, 1 + below(5));
    EXPECT_EQ(once.whole, pieces.whole) << text;
    EXPECT_EQ(once.message, pieces.message) << text;
    if (once.message.empty()) {
      EXPECT_EQ(std::memcmp(once.numbers.data(), pieces.numbers.data(), 3 * sizeof(double)), 0) << text;
    }
    ++(once.whole && once.message.empty() ? whole : failed);
  }
  EXPECT_GT(whole, 1000u);
  EXPECT_GT(failed, 1000u);
}

}  // namespace
}  // namespace evident::external
