#include "imaging/pet/io/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <utility>

#include "evident/base/error.hpp"
#include "imaging/pet/io/words.hpp"

namespace evident::imaging {
namespace {

using Factor = std::pair<std::string_view, double>;

// Bq per unit, in thousands.
constexpr std::array<Factor, 8> kActivities = {
    {{"bq", 1e-3}, {"kbq", 1}, {"mbq", 1e3}, {"gbq", 1e6}, {"nci", 0.037}, {"uci", 37}, {"mci", 37e3}, {"ci", 37e6}}};
// Units per mL.
constexpr std::array<Factor, 10> kVolumes = {{{"ml", 1},
                                              {"cc", 1},
                                              {"ccm", 1},
                                              {"cm3", 1},
                                              {"cm^3", 1},
                                              {"cm\xC2\xB3", 1},
                                              {"dl", 1e-2},
                                              {"l", 1e-3},
                                              {"dm3", 1e-3},
                                              {"liter", 1e-3}}};
constexpr std::array<Factor, 15> kTimes = {{{"s", 1},
                                            {"sec", 1},
                                            {"secs", 1},
                                            {"second", 1},
                                            {"seconds", 1},
                                            {"ms", 1e-3},
                                            {"msec", 1e-3},
                                            {"min", 60},
                                            {"mins", 60},
                                            {"minute", 60},
                                            {"minutes", 60},
                                            {"h", 3600},
                                            {"hr", 3600},
                                            {"hour", 3600},
                                            {"hours", 3600}}};

constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
// Half-lives in seconds, evaluated values rounded where the next digit changes nothing in a scan.
constexpr std::array<Factor, 30> kHalfLives = {{
    {"c11", 20.38 * kMinute},  {"n13", 9.965 * kMinute},  {"o14", 70.62},
    {"o15", 122.24},           {"f18", 109.77 * kMinute}, {"na22", 950.6 * kDay},
    {"k38", 7.636 * kMinute},  {"sc43", 3.891 * kHour},   {"sc44", 4.042 * kHour},
    {"ti45", 3.08 * kHour},    {"mn52", 5.591 * kDay},    {"fe52", 8.275 * kHour},
    {"co55", 17.53 * kHour},   {"cu60", 23.7 * kMinute},  {"cu61", 3.339 * kHour},
    {"cu62", 9.67 * kMinute},  {"cu64", 12.701 * kHour},  {"ga66", 9.49 * kHour},
    {"ga68", 67.71 * kMinute}, {"ge68", 270.93 * kDay},   {"as72", 26.0 * kHour},
    {"br75", 96.7 * kMinute},  {"br76", 16.2 * kHour},    {"rb82", 75.45},
    {"y86", 14.74 * kHour},    {"zr89", 78.41 * kHour},   {"tc94m", 52.0 * kMinute},
    {"i120", 81.6 * kMinute},  {"i124", 4.176 * kDay},    {"tb152", 17.5 * kHour},
}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kElements = {{{"carbon", "c"},
                                                                                      {"nitrogen", "n"},
                                                                                      {"oxygen", "o"},
                                                                                      {"fluorine", "f"},
                                                                                      {"sodium", "na"},
                                                                                      {"potassium", "k"},
                                                                                      {"scandium", "sc"},
                                                                                      {"titanium", "ti"},
                                                                                      {"manganese", "mn"},
                                                                                      {"iron", "fe"},
                                                                                      {"cobalt", "co"},
                                                                                      {"copper", "cu"},
                                                                                      {"gallium", "ga"},
                                                                                      {"germanium", "ge"},
                                                                                      {"bromine", "br"},
                                                                                      {"rubidium", "rb"},
                                                                                      {"yttrium", "y"},
                                                                                      {"iodine", "i"},
                                                                                      {"zirconium", "zr"}}};

template <std::size_t N>
std::optional<double> look_up(const std::array<Factor, N>& table, std::string_view word) {
  for (const auto& [name, factor] : table) {
    if (name == word) return factor;
  }
  return {};
}

// Lower case, without blanks and brackets; the two letters mu become u.
std::string normal_form(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view two = text.substr(i, 2);
    if (two == "\xC2\xB5" || two == "\xCE\xBC") {
      out += 'u';
      ++i;
    } else if (text[i] != ' ' && text[i] != '\t') {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
  }
  return out;
}

// "mCi" and "MBq" differ in a letter's case alone from "MCi" and "mBq", which nobody uses for PET.
bool doubtful(std::string_view unit) { return unit.starts_with("mBq") || unit.starts_with("MCi"); }

}  // namespace

std::optional<double> find_activity_factor(std::string_view unit) {
  const std::string_view words = trimmed(unit);
  if (words.size() > 40 || doubtful(words)) return {};
  const std::string text = normal_form(words);
  if (text == "bqml") return 1e-3;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return {};
  const auto activity = look_up(kActivities, std::string_view(text).substr(0, slash));
  const auto volume = look_up(kVolumes, std::string_view(text).substr(slash + 1));
  if (!activity || !volume) return {};
  return *activity * *volume;
}

std::optional<double> find_time_factor(std::string_view unit) {
  return look_up(kTimes, normal_form(trimmed(unit.substr(0, 40))));
}

std::optional<double> find_decay_constant(std::string_view nuclide) {
  if (nuclide == "none") return 0.0;
  std::string letters, digits;
  bool metastable = false;
  for (const char c : nuclide.substr(0, 40)) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isdigit(u)) {
      if (!letters.empty() && !digits.empty() && metastable) return {};
      digits += c;
    } else if (std::isalpha(u)) {
      // An m right after the mass number: 94mTc, Tc94m.
      if (!digits.empty() && !metastable && c == 'm' && (letters.empty() || letters.size() > 1)) {
        metastable = true;
        continue;
      }
      letters += static_cast<char>(std::tolower(u));
    } else if (std::string_view("[]()^-_ ").find(c) == std::string_view::npos) {
      return {};
    }
  }
  for (const auto& [name, symbol] : kElements) {
    if (letters == name) letters = symbol;
  }
  const auto half_life = look_up(kHalfLives, letters + digits + (metastable ? "m" : ""));
  if (!half_life) return {};
  constexpr double kLog2 = 0.69314718055994530942;
  return kLog2 / *half_life;
}

double activity_factor(std::string_view unit, const std::string& where) {
  if (const auto factor = find_activity_factor(unit)) return *factor;
  const std::string lower = normal_form(unit.substr(0, 40));
  const bool relative = lower == "g/ml" || lower == "suv" || lower.starts_with("suv") || lower == "gml";
  throw InputError(fmt::format(
      "{} is \"{}\", which is not a known unit of activity; use Bq, kBq, MBq, nCi, uCi or mCi per mL, cc, cm3 or L, "
      "for example \"kBq/mL\"{}",
      where, shortened(unit), relative ? " (uptake values must be turned back into activity first)" : ""));
}

double time_factor(std::string_view unit, const std::string& where) {
  if (const auto factor = find_time_factor(unit)) return *factor;
  throw InputError(
      fmt::format("{} is \"{}\", which is not a known unit of time; use s, min or h", where, shortened(unit)));
}

double decay_constant(std::string_view nuclide, const std::string& where) {
  if (const auto constant = find_decay_constant(nuclide)) return *constant;
  std::string known;
  for (const auto& [name, half_life] : kHalfLives) {
    std::string word(name);
    word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    known += (known.empty() ? "" : ", ") + word;
  }
  throw InputError(fmt::format("{} is \"{}\", whose half-life is not known; the known radionuclides are {}", where,
                               shortened(nuclide), known));
}

NameWithUnit split_unit(std::string_view text) {
  const std::string_view s = trimmed(text);
  for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}}) {
    const std::size_t at = s.rfind(open);
    if (at != std::string_view::npos && s.back() == close) {
      return {std::string(trimmed(s.substr(0, at))), std::string(trimmed(s.substr(at + 1, s.size() - at - 2)))};
    }
  }
  return {std::string(s), {}};
}

}  // namespace evident::imaging
