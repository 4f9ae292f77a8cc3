#include "formula/parse.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "evident/formula/model.hpp"

namespace evident::formula {
namespace {

// Names with a hyphen; elsewhere a hyphen is a minus.
constexpr std::array<std::string_view, 15> kHyphenated = {
    "half-normal",    "half-student-t",   "half-cauchy",       "student-t",         "log-uniform",
    "inverse-gamma",  "truncated-normal", "negative-binomial", "bernoulli-logit",   "poisson-log",
    "binomial-logit", "gamma-rate",       "gamma-scale",       "categorical-logit", "multivariate-normal"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_word(char c) { return starts_word(c) || is_digit(c) || c == '.'; }

class Parser {
 public:
  explicit Parser(const Source& source) : source_(source), text_(source.text) {
    if (text_.size() > kMaxText)
      fail(0, fmt::format("a formula may have {} characters, this has {}", kMaxText, text_.size()));
  }

  std::vector<Step> run() {
    skip();
    if (at_ == text_.size()) fail(at_, "the formula is empty");
    expression();
    skip();
    if (at_ < text_.size()) unexpected("expected an operator or the end of the formula");
    return std::move(steps_);
  }

 private:
  /// Counts how deep the recursion is.
  struct Level {
    explicit Level(Parser& p) : parser(p) {
      if (++parser.depth_ > kMaxDepth)
        parser.fail(
            parser.at_,
            fmt::format("more than {} levels of brackets, signs and powers; give parts of it a name in [model.let]",
                        kMaxDepth));
    }
    ~Level() { --parser.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Parser& parser;
  };

  [[noreturn]] void fail(std::size_t place, const std::string& what) const { source_.fail(place, what); }

  [[noreturn]] void unexpected(const std::string& expected) const {
    if (at_ >= text_.size()) fail(at_, expected + ", but the formula ends here");
    const char c = text_[at_];
    if (c == '=') fail(at_, expected + "; to compare, write ==");
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126)
      fail(at_, expected + "; this character has no meaning here");
    fail(at_, fmt::format("{}, found '{}'", expected, c));
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool take(std::string_view symbol) {
    skip();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
  }
  bool take_word(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word || in_word(peek(word.size()))) return false;
    at_ += word.size();
    return true;
  }
  void push(StepKind kind, std::size_t place) { steps_.push_back({.kind = kind, .place = place}); }

  void expression() {
    const Level level(*this);
    conjunction();
    for (skip();; skip()) {
      const std::size_t place = at_;
      if (!take_word("or")) return;
      conjunction();
      push(StepKind::logical_or, place);
    }
  }

  void conjunction() {
    negation();
    for (skip();; skip()) {
      const std::size_t place = at_;
      if (!take_word("and")) return;
      negation();
      push(StepKind::logical_and, place);
    }
  }

  void negation() {
    skip();
    const std::size_t place = at_;
    std::size_t times = 0;
    while (take_word("not")) ++times;
    comparison();
    for (; times > 0; --times) push(StepKind::logical_not, place);
  }

  bool take_comparison(StepKind& kind) {
    struct Symbol {
      std::string_view text;
      StepKind kind;
    };
    constexpr std::array<Symbol, 6> symbols = {{{"<=", StepKind::le},
                                                {">=", StepKind::ge},
                                                {"==", StepKind::eq},
                                                {"!=", StepKind::ne},
                                                {"<", StepKind::lt},
                                                {">", StepKind::gt}}};
    for (const Symbol& s : symbols) {
      if (!take(s.text)) continue;
      kind = s.kind;
      return true;
    }
    return false;
  }

  void comparison() {
    sum();
    skip();
    const std::size_t place = at_;
    StepKind kind{};
    if (!take_comparison(kind)) return;
    sum();
    push(kind, place);
    skip();
    const std::size_t next = at_;
    if (take_comparison(kind)) fail(next, "comparisons do not chain; write a < b and b < c");
  }

  void sum() {
    product();
    for (skip();; skip()) {
      const std::size_t place = at_;
      if (take("+")) {
        product();
        push(StepKind::add, place);
      } else if (take("-")) {
        product();
        push(StepKind::sub, place);
      } else {
        return;
      }
    }
  }

  void product() {
    sign();
    for (skip();; skip()) {
      const std::size_t place = at_;
      if (peek() == '*' && peek(1) != '*') {
        ++at_;
        sign();
        push(StepKind::mul, place);
      } else if (take("/")) {
        sign();
        push(StepKind::div, place);
      } else {
        return;
      }
    }
  }

  void sign() {
    skip();
    const std::size_t place = at_;
    bool minus = false, any = false;
    while (peek() == '-' || peek() == '+') {
      minus ^= peek() == '-';
      any = true;
      ++at_;
      skip();
    }
    power();
    if (any && minus) push(StepKind::neg, place);
  }

  void power() {
    postfix();
    skip();
    const std::size_t place = at_;
    if (!take("^") && !take("**")) return;
    const Level level(*this);
    sign();
    push(StepKind::pow, place);
  }

  void postfix() {
    atom();
    for (skip(); peek() == '['; skip()) {
      const std::size_t place = at_++;
      expression();
      if (!take("]")) unexpected("expected ']'");
      push(StepKind::index, place);
    }
  }

  void atom() {
    skip();
    const std::size_t place = at_;
    const char c = peek();
    if (c == '(') {
      ++at_;
      expression();
      if (!take(")")) unexpected("expected ')'");
    } else if (c == '[') {
      ++at_;
      list(place);
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else if (c == '`') {
      const std::size_t end = text_.find('`', at_ + 1);
      if (end == std::string_view::npos) fail(at_, "a ` is opened and never closed");
      name(std::string(text_.substr(at_ + 1, end - at_ - 1)), end + 1, place);
    } else if (starts_word(c)) {
      word();
    } else {
      unexpected("expected a number, a name or '('");
    }
  }

  void list(std::size_t place) {
    std::size_t count = 0;
    do {
      expression();
      ++count;
    } while (take(","));
    if (!take("]")) unexpected("expected ',' or ']'");
    steps_.push_back({.kind = StepKind::list, .place = place, .count = count});
  }

  void number() {
    const std::size_t place = at_;
    double value = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status == std::errc::result_out_of_range) fail(place, "the number is too large or too small");
    if (status != std::errc{}) fail(place, "expected a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (in_word(peek())) fail(at_, "a name or another number follows a number directly; for a product write *");
    steps_.push_back({.kind = StepKind::number, .place = place, .number = value});
  }

  void word() {
    const std::size_t place = at_;
    std::size_t end = at_;
    while (end < text_.size() && in_word(text_[end])) ++end;
    // The longest name with a hyphen that begins here and is called.
    std::size_t hyphenated = end;
    for (const std::string_view known : kHyphenated) {
      if (text_.substr(place, known.size()) != known || place + known.size() <= hyphenated) continue;
      std::size_t after = place + known.size();
      while (after < text_.size() && text_[after] == ' ') ++after;
      if (after < text_.size() && text_[after] == '(') hyphenated = place + known.size();
    }
    std::string text(text_.substr(place, hyphenated - place));
    if (text == "and" || text == "or" || text == "not") unexpected("expected a number, a name or '('");
    name(std::move(text), hyphenated, place);
  }

  void name(std::string text, std::size_t end, std::size_t place) {
    if (text.empty()) fail(place, "a name is empty");
    at_ = end;
    skip();
    if (peek() != '(') {
      steps_.push_back({.kind = StepKind::name, .place = place, .name = std::move(text)});
      return;
    }
    ++at_;
    Step call{.kind = StepKind::call, .place = place, .name = std::move(text)};
    if (!take(")")) {
      do {
        argument(call);
      } while (take(","));
      if (!take(")")) unexpected("expected ',' or ')'");
    }
    call.count = call.argument_names.size();
    steps_.push_back(std::move(call));
  }

  void argument(Step& call) {
    skip();
    call.argument_places.push_back(at_);
    std::size_t end = at_;
    while (end < text_.size() && in_word(text_[end])) ++end;
    std::size_t after = end;
    while (after < text_.size() && text_[after] == ' ') ++after;
    const bool named = starts_word(peek()) && after < text_.size() && text_[after] == '=' &&
                       (after + 1 >= text_.size() || text_[after + 1] != '=');
    if (named) {
      call.argument_names.emplace_back(text_.substr(at_, end - at_));
      at_ = after + 1;
    } else {
      call.argument_names.emplace_back();
    }
    expression();
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
  std::vector<Step> steps_;
};

}  // namespace

std::size_t operand_count(const Step& step) {
  switch (step.kind) {
    case StepKind::number:
    case StepKind::name:
      return 0;
    case StepKind::list:
    case StepKind::call:
      return step.count;
    case StepKind::neg:
    case StepKind::logical_not:
      return 1;
    default:
      return 2;
  }
}

std::vector<Step> parse(const Source& source) { return Parser(source).run(); }

std::vector<std::string> names_in(const Source& source) {
  std::vector<std::string> out;
  for (Step& step : parse(source))
    if (step.kind == StepKind::name) out.push_back(std::move(step.name));
  return out;
}

}  // namespace evident::formula
