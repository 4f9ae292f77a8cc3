// What can be read, and what is said about what cannot.
#include "formula/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evident::formula {
namespace {

using testing::HasSubstr;

std::string postfix(const std::string& text) {
  std::string out;
  constexpr const char* symbols[] = {"",  "",  "",  "[]", "",  "neg", "not", "+",  "-",   "*",
                                     "/", "^", "<", "<=", ">", ">=",  "==",  "!=", "and", "or"};
  for (const Step& s : parse({.file = "f", .text = text})) {
    if (!out.empty()) out += ' ';
    if (s.kind == StepKind::number) {
      out += std::to_string(static_cast<int>(s.number));
    } else if (s.kind == StepKind::name) {
      out += s.name;
    } else if (s.kind == StepKind::call || s.kind == StepKind::list) {
      out += s.name + "/" + std::to_string(s.count);
    } else {
      out += symbols[static_cast<std::size_t>(s.kind)];
    }
  }
  return out;
}

std::string problem(const std::string& text) {
  try {
    parse({.file = "s.toml", .line = 7, .column = 9, .text = text});
  } catch (const FormulaError& e) {
    return e.what();
  }
  return "no problem";
}

TEST(Parse, OperatorsBindAsInBooks) {
  EXPECT_EQ(postfix("a + b * c"), "a b c * +");
  EXPECT_EQ(postfix("a - b - c"), "a b - c -");
  EXPECT_EQ(postfix("-x^2"), "x 2 ^ neg");
  EXPECT_EQ(postfix("2^-x"), "2 x neg ^");
  EXPECT_EQ(postfix("a^b^c"), "a b c ^ ^");
  EXPECT_EQ(postfix("-a*b"), "a neg b *");
  EXPECT_EQ(postfix("a < b and not c == d or e"), "a b < c d == not and e or");
  EXPECT_EQ(postfix("v[i + 1] * f(x, y)"), "v i 1 + [] x y f/2 *");
  EXPECT_EQ(postfix("[a, b, 3][2]"), "a b 3 /3 2 []");
  EXPECT_EQ(postfix("x ** 2"), "x 2 ^");
  EXPECT_EQ(postfix("half-normal(1)"), "1 half-normal/1");
  EXPECT_EQ(postfix("half-normal"), "half normal -");
  EXPECT_EQ(postfix("`odd name` + 1"), "odd name 1 +");
  EXPECT_EQ(postfix("1e3 + .5"), "1000 0 +");
  EXPECT_EQ(postfix("gamma(shape=2, rate = x == y)"), "2 x y == gamma/2");
}

TEST(Parse, MessagesPointAtThePlace) {
  EXPECT_EQ(problem("a + * b"), "s.toml:7:13: expected a number, a name or '(', found '*'\n  a + * b\n      ^");
  EXPECT_THAT(problem("f(a"), HasSubstr("s.toml:7:12: expected ',' or ')', but the formula ends here"));
  EXPECT_THAT(problem("2 x"), HasSubstr("expected an operator"));
  EXPECT_THAT(problem("2x"), HasSubstr("write *"));
  EXPECT_THAT(problem("a < b < c"), HasSubstr("do not chain"));
  EXPECT_THAT(problem("a = b"), HasSubstr("=="));
  EXPECT_THAT(problem(""), HasSubstr("empty"));
  EXPECT_THAT(problem("(a]"), HasSubstr("expected ')'"));
  EXPECT_THAT(problem("1e999"), HasSubstr("too large"));
  EXPECT_THAT(problem("a and"), HasSubstr("ends here"));
  EXPECT_THAT(problem("a\n + b +\n * c"), HasSubstr("s.toml:9:2: "));
  EXPECT_THAT(problem("a + \xC3\xA9"), HasSubstr("no meaning"));
  EXPECT_THAT(problem("`a"), HasSubstr("never closed"));
}

TEST(Parse, LimitsHoldForHostileTexts) {
  const auto repeated = [](std::size_t count, char c, const char* end) {
    std::string out(count, c);
    return out.append(end);
  };
  EXPECT_THAT(problem(repeated(5000, '(', "a")), HasSubstr("levels"));
  EXPECT_THAT(problem(std::string(5000, '[')), HasSubstr("levels"));
  std::string powers = "a";
  for (int i = 0; i < 3000; ++i) powers += "^a";
  EXPECT_THAT(problem(powers), HasSubstr("levels"));
  EXPECT_THAT(problem(std::string(30'000, 'a')), HasSubstr("characters"));
  EXPECT_EQ(problem(repeated(15'000, '-', "a")), "no problem");
  std::string sum = "a";
  while (sum.size() < 19'000) sum += "+a";
  EXPECT_EQ(problem(sum), "no problem");
  EXPECT_EQ(problem(repeated(90, '(', "a") + std::string(90, ')')), "no problem");
}

}  // namespace
}  // namespace evident::formula
