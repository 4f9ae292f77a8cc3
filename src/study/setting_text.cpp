// Options and their values as texts.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/overloaded.hpp"
#include "evident/base/error.hpp"
#include "study/sampler_options.hpp"

namespace evident::study {
namespace {

/// The number of the whole text.
template <class T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || stop != text.data() + text.size()) return {};
  return value;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// Without the quotes, or brackets, around it.
std::string_view within(std::string_view text, char open, char close) {
  return text.size() >= 2 && text.front() == open && text.back() == close ? trimmed(text.substr(1, text.size() - 2))
                                                                          : text;
}

SettingValue number_in(std::string_view text) {
  if (const auto i = number_of<std::int64_t>(text)) return *i;
  if (const auto i = number_of<std::uint64_t>(text)) return *i;
  if (const auto x = number_of<double>(text)) return *x;
  return std::string(text);
}

SettingValue list_in(std::string_view text) {
  std::vector<double> out;
  for (std::string_view rest = within(text, '[', ']');;) {
    const std::size_t comma = rest.find(',');
    const auto x = number_of<double>(trimmed(rest.substr(0, comma)));
    if (!x) return std::string(text);
    out.push_back(*x);
    if (comma == rest.npos) return out;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

std::string values_text(const SamplerOption& option) {
  return std::visit(Overloaded{[](const WholeNumber& n) {
                                 const bool other = n.least_of_rjmcmc != n.least;
                                 return fmt::format(
                                     "whole number between {} and {}{}", n.least, n.most,
                                     other ? fmt::format(", for rjmcmc at least {}", n.least_of_rjmcmc) : "");
                               },
                               [](const Number& x) { return x.range.of("number"); },
                               [](const Numbers& x) { return fmt::format("list of numbers {}", x.range.text()); },
                               [](const YesNo&) { return std::string("true or false"); },
                               [](const Word& w) { return fmt::format("\"{}\"", fmt::join(w.words(), "\", \"")); },
                               [](const Duration&) { return std::string("time in quotes"); }},
                    option.takes);
}

Setting setting_of_text(const SamplerOption& option, std::string_view given) {
  const std::string_view text = trimmed(given);
  const auto value = [&]() -> SettingValue {
    const Takes& takes = option.takes;
    if (std::holds_alternative<WholeNumber>(takes) || std::holds_alternative<Number>(takes)) return number_in(text);
    if (std::holds_alternative<Numbers>(takes)) return list_in(text);
    if (std::holds_alternative<YesNo>(takes) && (text == "true" || text == "false")) return text == "true";
    return std::string(within(text, '"', '"'));
  };
  return {std::string(option.name), value()};
}

double read_duration(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  const double seconds = value * factor;
  constexpr double kYear = 365 * 24 * 3600;  // in seconds; clocks cannot count without end
  if (status != std::errc{} || !(seconds > 0) || seconds > kYear)
    throw InputError(
        fmt::format("must be a time above 0 and at most 8760h, a year, such as 90s, 10m or 2h, was '{}'", text));
  return seconds;
}

}  // namespace evident::study
