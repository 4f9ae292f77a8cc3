#include "external/protocol.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident::external {
namespace {

constexpr std::size_t kLongestLine = 4096, kShown = 60;
constexpr std::string_view kSpace = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

void check_name(std::string_view what, const std::string& name) {
  if (name.empty() || name.find_first_of(kSpace) != std::string::npos || name.find('\0') != std::string::npos)
    throw InputError(
        fmt::format("the {} '{}' cannot be told to a program: its name is empty or has a space; change the name{}",
                    what, name, what == "column" ? ", or list the columns that are needed in columns = [...]" : ""));
}

/// What Python, R and most others write; R's missing value is no number.
std::optional<double> number_of(std::string_view text) {
  if (text == "NA") return kNaN;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double x = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, x);
  if (stop != end || text.empty()) return {};
  if (status == std::errc::result_out_of_range) return std::strtod(std::string(text).c_str(), nullptr);
  if (status != std::errc()) return {};
  return x;
}

}  // namespace

std::string opening_text(const std::vector<std::string>& parameters, const std::vector<TextOption>& options,
                         const std::vector<DataColumn>& columns) {
  std::string out = fmt::format("evident {}\n", kProtocolVersion);
  for (const TextOption& o : options) {
    check_name("option", o.name);
    if (o.text.find_first_of("\r\n") != std::string::npos)
      throw InputError(fmt::format("the option '{}' has a line break, which a program cannot be told", o.name));
    out += fmt::format("option {} {}\n", o.name, o.text);
  }
  for (const std::string& name : parameters) {
    check_name("parameter", name);
    out += fmt::format("parameter {}\n", name);
  }
  for (const DataColumn& c : columns) {
    check_name("column", c.name);
    out += fmt::format("column {}", c.name);
    for (const double v : c.values) fmt::format_to(std::back_inserter(out), " {}", v);
    out += '\n';
  }
  return out + "begin\n";
}

std::string batch_text(std::uint64_t batch, ConstBlock theta) {
  std::string out = fmt::format("batch {} {}\n", batch, theta.size());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    for (std::size_t j = 0; j < theta.rows(); ++j)
      fmt::format_to(std::back_inserter(out), "{}{}", j == 0 ? "" : " ", theta(j, i));
    out += '\n';
  }
  return out;
}

AnswerReader::AnswerReader(std::uint64_t batch, std::span<double> out)
    : out_(out), last_(fmt::format("done {}", batch)) {}

bool AnswerReader::take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (whole_) throw Failure("it wrote more than it was asked for");
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    const std::size_t room = kLongestLine - partial_.size();
    partial_.append(piece.substr(0, room));
    const bool too_long = partial_.size() >= kLongestLine;
    if (too_long && !partial_.starts_with("error "))
      throw Failure(fmt::format("it wrote a line of {} characters or more", kLongestLine));
    if (end == std::string_view::npos && !too_long) return false;
    line(trimmed(partial_));
    partial_.clear();
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  }
  return whole_;
}

void AnswerReader::line(std::string_view text) {
  if (text.starts_with("error") && (text.size() == 5 || kSpace.find(text[5]) != std::string_view::npos)) {
    const std::string_view why = trimmed(text.substr(5));
    throw Refusal(why.empty() ? "it gave no reason" : std::string(why));
  }
  if (lines_ == out_.size()) {
    if (text != last_) unexpected(text, fmt::format("'{}'", last_));
    whole_ = true;
    return;
  }
  const std::optional<double> x = number_of(text);
  if (!x) unexpected(text, "a number");
  out_[lines_++] = *x == kInf ? kNaN : *x;
}

void AnswerReader::unexpected(std::string_view text, const std::string& wanted) const {
  const std::string shown = text.size() <= kShown ? std::string(text) : std::string(text.substr(0, kShown)) + "...";
  throw Failure(fmt::format(
      "line {} of its answer was '{}', where {} was expected; only answers may be written to standard output",
      lines_ + 1, shown, wanted));
}

}  // namespace evident::external
