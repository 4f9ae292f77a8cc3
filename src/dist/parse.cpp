// parse_distribution: "family(argument, name=argument, ...)".
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "base/suggest.hpp"
#include "dist/families.hpp"
#include "evident/base/error.hpp"
#include "evident/dist/distribution.hpp"

namespace evident {
namespace {

struct WrittenArgument {
  std::string name;  ///< empty when given by position
  Argument value;
  std::size_t place;
};

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// "mean and sd", "mean, sd, lower and upper".
std::string listed(std::span<const std::string_view> names) {
  std::string out;
  for (std::size_t k = 0; k < names.size(); ++k) {
    out += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + std::string(names[k]);
  }
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Distribution parse() {
    skip_space();
    const std::size_t start = at_;
    const std::string name = read_word(/*hyphens=*/true);
    if (name.empty()) fail(start, "expected the name of a distribution, as in normal(0, 1)");
    expect('(', "expected '(' after '" + name + "'");
    const std::vector<WrittenArgument> written = read_arguments();
    skip_space();
    if (at_ < text_.size()) fail(at_, "nothing may follow the closing ')'");
    const Family& chosen = choose_family(name, written, start);
    std::vector<Argument> arguments = in_order(chosen, written);
    try {
      return {chosen, std::move(arguments)};
    } catch (const InputError& error) {
      throw InputError("in '" + std::string(text_) + "': " + error.message());
    }
  }

 private:
  [[noreturn]] void fail(std::size_t place, const std::string& message) const {
    throw InputError("in '" + std::string(text_) + "' at character " + std::to_string(place + 1) + ": " + message);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  void expect(char c, const std::string& message) {
    skip_space();
    if (peek() != c) fail(at_, message);
    ++at_;
  }

  /// Letters, digits and underscores; for family names also hyphens, for parameter names also dots and "[3]".
  std::string read_word(bool hyphens) {
    const std::size_t start = at_;
    if (!starts_word(peek())) return {};
    while (starts_word(peek()) || is_digit(peek()) || peek() == (hyphens ? '-' : '.')) ++at_;
    if (!hyphens && peek() == '[') {
      ++at_;
      while (is_digit(peek())) ++at_;
      if (peek() != ']') fail(at_, "expected ']', as in weight[1]");
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::vector<WrittenArgument> read_arguments() {
    std::vector<WrittenArgument> out;
    skip_space();
    if (peek() == ')') {
      ++at_;
      return out;
    }
    for (;;) {
      out.push_back(read_argument());
      skip_space();
      if (peek() == ')') break;
      expect(',', "expected ',' or ')'");
    }
    ++at_;
    return out;
  }

  WrittenArgument read_argument() {
    skip_space();
    const std::size_t start = at_;
    if (starts_word(peek())) {
      std::string word = read_word(/*hyphens=*/false);
      skip_space();
      if (peek() == '=') {
        ++at_;
        skip_space();
        return {std::move(word), read_value(), start};
      }
      at_ = start;
    }
    return {{}, read_value(), start};
  }

  Argument read_value() {
    const std::size_t start = at_;
    if (!starts_word(peek())) return read_number();
    std::string word = read_word(/*hyphens=*/false);
    if (word == "inf") return HUGE_VAL;
    if (word == "nan" || word == "NaN") fail(start, "an argument cannot be NaN");
    return word;
  }

  Argument read_number() {
    const std::size_t start = at_;
    const bool is_negative = peek() == '-';
    if (is_negative || peek() == '+') ++at_;
    double value = 0;
    if (text_.substr(at_, 3) == "inf") {
      value = HUGE_VAL;
      at_ += 3;
    } else {
      if (!is_digit(peek()) && peek() != '.') fail(start, "expected a number or the name of a parameter");
      const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (status == std::errc::result_out_of_range) fail(start, "the number is too large or too small");
      if (status != std::errc{}) fail(start, "expected a number or the name of a parameter");
      at_ = static_cast<std::size_t>(end - text_.data());
    }
    if (starts_word(peek()) || is_digit(peek()) || peek() == '.') fail(start, "expected a number");
    return is_negative ? -value : value;
  }

  /// Only gamma needs a look at the arguments.
  const Family& choose_family(std::string name, const std::vector<WrittenArgument>& written, std::size_t place) const {
    std::ranges::replace(name, '_', '-');
    try {
      if (name != "gamma") return family(name);
    } catch (const InputError& error) {
      fail(place, error.message());
    }
    const auto rate = std::ranges::find(written, "rate", &WrittenArgument::name);
    const auto scale = std::ranges::find(written, "scale", &WrittenArgument::name);
    if (rate != written.end() && scale != written.end())
      fail(std::max(rate->place, scale->place), "gamma takes a rate or a scale, not both: the scale is 1 / rate");
    for (const WrittenArgument& argument : written) {
      if (argument.name == "rate") return dist::gamma_rate_family();
      if (argument.name == "scale") return dist::gamma_scale_family();
    }
    for (std::size_t k = 1; k < written.size(); ++k) {
      if (written[k].name.empty()) {
        fail(written[k].place, "say whether this is a rate or a scale: write rate=... or scale=...");
      }
    }
    for (const WrittenArgument& argument : written) {
      constexpr std::array<std::string_view, 3> known = {"shape", "rate", "scale"};
      if (!argument.name.empty() && argument.name != "shape") {
        fail(argument.place, "gamma has no argument '" + argument.name + "'" + did_you_mean(argument.name, known));
      }
    }
    fail(place, "gamma takes a shape and either rate=... or scale=...");
  }

  /// The arguments in the family's order.
  std::vector<Argument> in_order(const Family& chosen, const std::vector<WrittenArgument>& written) const {
    const std::string family_name(chosen.name());
    const auto names = chosen.arguments();
    const std::string takes = family_name + " takes " + listed(names);
    std::vector<std::optional<Argument>> found(names.size());
    for (std::size_t k = 0; k < written.size(); ++k) {
      const WrittenArgument& argument = written[k];
      std::size_t slot = k;
      if (argument.name.empty()) {
        if (k > 0 && !written[k - 1].name.empty())
          fail(argument.place, "an unnamed argument may not follow a named one");
        if (k >= names.size()) fail(argument.place, "one argument too many: " + takes);
      } else {
        slot = static_cast<std::size_t>(std::ranges::find(names, argument.name) - names.begin());
        if (slot == names.size()) {
          const std::string hint = did_you_mean(argument.name, names);
          fail(argument.place,
               family_name + " has no argument '" + argument.name + "'" + (hint.empty() ? "; " + takes : hint));
        }
      }
      if (found[slot]) fail(argument.place, "argument '" + std::string(names[slot]) + "' is given twice");
      found[slot] = argument.value;
    }
    std::vector<Argument> out;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (!found[k]) fail(text_.size() - 1, "argument '" + std::string(names[k]) + "' is missing: " + takes);
      out.push_back(*found[k]);
    }
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Distribution parse_distribution(std::string_view text) { return Parser(text).parse(); }

}  // namespace evident
