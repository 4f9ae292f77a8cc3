#include "problems/suite.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "problems/families.hpp"

namespace evident::problems {
namespace {

SuiteEntries all_families() {
  SuiteEntries all;
  for (const auto family : {one_mode, ridges, unequal_mode_entries, many_mode_entries, mode_product_entries,
                            heavy_tails, funnels, hierarchies, normal_mixtures, plateaus, discontinuities, spikes,
                            impossible_regions, many_rows, many_coordinates, waves, counts, doses})
    for (SuiteEntry& e : family()) all.push_back(std::move(e));
  return all;
}

/// By the rule at the top of suite.hpp.
void split(SuiteEntries& all) {
  std::map<std::string, std::vector<SuiteEntry*>> families;
  for (SuiteEntry& e : all) families[e.family].push_back(&e);
  for (auto& [family, members] : families) {
    std::ranges::sort(members, {}, [](const SuiteEntry* e) { return name_hash(e->name); });
    for (std::size_t k = 0; k < members.size(); ++k)
      members[k]->half = (name_hash(family) + k) % 2 == 0 ? Half::design : Half::confirmation;
  }
}

}  // namespace

std::string_view name(Half half) { return half == Half::design ? "design" : "confirmation"; }

std::uint64_t name_hash(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

const std::vector<SuiteEntry>& suite() {
  static const std::vector<SuiteEntry> all = [] {
    SuiteEntries out = all_families();
    split(out);
    return out;
  }();
  return all;
}

Stream numbers_of(std::string_view name, std::uint64_t instance) {
  return Streams({.seed = name_hash(name), .data_set = instance}).at({.purpose = Purpose::simulate});
}

SuiteEntry fixed_entry(std::string family, std::string name, std::function<Problem()> make) {
  return {.name = std::move(name), .family = std::move(family), .make = [make = std::move(make)](std::uint64_t) {
            return make();
          }};
}

SuiteEntry drawn_entry(std::string family, std::string name, std::function<Problem(std::uint64_t)> make) {
  return {.name = std::move(name), .family = std::move(family), .make = std::move(make), .drawn = true};
}

}  // namespace evident::problems
