// From the text of a formula to steps in postfix order: "a + 2 * b" becomes a, 2, b, *, +.
//
//   for (const Step& step : parse(source)) ...
//
// Whoever runs the steps needs a stack of values and no recursion, however long the formula is. The parser itself goes
// down once per open bracket, sign or power, and refuses more than kMaxDepth of them; texts are at most kMaxText long.
//
//   or, and, not                       lowest
//   < <= > >= == !=                    one comparison, no chains
//   + -
//   * /
//   + - (signs)
//   ^                                  from right to left; -x^2 is -(x^2)
//   f(x, name=y)   v[i]   [a, b]       highest
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evident/formula/model.hpp"

namespace evident::formula {

inline constexpr std::size_t kMaxDepth = 100;
inline constexpr std::size_t kMaxText = 20'000;

enum class StepKind : std::uint8_t {
  number,
  name,
  list,   ///< [a, b, c]: takes `count` values
  index,  ///< v[i]: takes two
  call,   ///< f(a, b): takes `count`
  neg,
  logical_not,
  add,
  sub,
  mul,
  div,
  pow,
  lt,
  le,
  gt,
  ge,
  eq,
  ne,
  logical_and,
  logical_or,
};

struct Step {
  StepKind kind{};
  std::size_t place = 0;  ///< in the text, for messages
  double number = 0;
  std::string name{};
  std::size_t count = 0;
  std::vector<std::string> argument_names{};  ///< of a call; empty where given by position
  std::vector<std::size_t> argument_places{};
};

/// How many values it takes from the stack.
std::size_t operand_count(const Step& step);

/// Throws FormulaError.
std::vector<Step> parse(const Source& source);

}  // namespace evident::formula
