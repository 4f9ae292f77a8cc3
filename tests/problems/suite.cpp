#include "problems/suite.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "problems/families.hpp"

namespace evident::problems {
namespace {

struct Family {
  SuiteEntries (*first)();
  SuiteEntries (*more)(ParameterDraws& draws);
};
constexpr Family kFamilies[] = {{one_mode, more_one_mode},
                                {ridges, more_ridges},
                                {unequal_mode_entries, more_unequal_modes},
                                {many_mode_entries, more_many_modes},
                                {mode_product_entries, more_mode_products},
                                {heavy_tails, more_heavy_tails},
                                {funnels, more_funnels},
                                {hierarchies, more_hierarchies},
                                {normal_mixtures, more_normal_mixtures},
                                {plateaus, more_plateaus},
                                {discontinuities, more_discontinuities},
                                {spikes, more_spikes},
                                {impossible_regions, more_impossible_regions},
                                {many_rows, more_many_rows},
                                {many_coordinates, more_many_coordinates},
                                {waves, more_waves},
                                {counts, more_counts},
                                {doses, more_doses}};

SuiteEntries all_families() {
  SuiteEntries first, more;
  for (const Family& family : kFamilies) {
    for (SuiteEntry& e : family.first()) first.push_back(std::move(e));
    ParameterDraws draws(first.back().family);
    for (SuiteEntry& e : family.more(draws)) more.push_back(std::move(e));
  }
  for (SuiteEntry& e : more) {
    e.set = 2;
    first.push_back(std::move(e));
  }
  return first;
}

/// FNV-1a, 64 bits.
std::uint64_t name_hash(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

double to_two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return std::strtod(text, nullptr);
}

}  // namespace

std::string_view name(Half half) { return half == Half::design ? "design" : "confirmation"; }

const std::vector<SuiteEntry>& suite() {
  static const std::vector<SuiteEntry> all = all_families();
  return all;
}

ParameterDraws::ParameterDraws(std::string family)
    : family_(std::move(family)), stream_(Streams({.seed = name_hash(family_)}).at({.purpose = Purpose::other})) {}

std::size_t ParameterDraws::whole(std::size_t lowest, std::size_t highest, std::initializer_list<std::size_t> taken) {
  const auto count = static_cast<double>(highest - lowest + 1);
  for (;;) {
    const std::size_t value = lowest + static_cast<std::size_t>(count * stream_.uniform());
    if (value <= highest && std::ranges::find(taken, value) == taken.end()) return value;
  }
}

double ParameterDraws::between(double low, double high) {
  return std::clamp(to_two_digits(low + (high - low) * stream_.uniform()), low, high);
}

double ParameterDraws::by_factor(double low, double high) {
  return std::clamp(to_two_digits(low * std::pow(high / low, stream_.uniform())), low, high);
}

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

Stream numbers_of(std::string_view name, std::uint64_t instance) {
  return Streams({.seed = name_hash(name), .data_set = instance}).at({.purpose = Purpose::simulate});
}

SuiteEntry fixed_entry(std::string family, std::string name, std::function<Problem()> make) {
  SuiteEntry out =
      drawn_entry(std::move(family), std::move(name), [make = std::move(make)](std::uint64_t) { return make(); });
  out.drawn = false;
  return out;
}

SuiteEntry drawn_entry(std::string family, std::string name, std::function<Problem(std::uint64_t)> make) {
  const auto named = [name, make = std::move(make)](std::uint64_t instance) {
    Problem out = make(instance);
    out.name = name;
    return out;
  };
  return {.name = std::move(name), .family = std::move(family), .make = named, .drawn = true};
}

}  // namespace evident::problems
