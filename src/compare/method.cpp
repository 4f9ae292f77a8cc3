#include "compare/method.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/suggest.hpp"
#include "compare/runs/run.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace runs {
namespace {

constexpr std::array kAll = {&kDirect,         &kAllInOne, &kRelative,     &kAis,  &kDataTempering,
                             &kPopulationMcmc, &kRjmcmc,   &kHarmonicMean, &kChib, &kBic};

}  // namespace

const MethodRun& find(Method method) {
  for (const MethodRun* run : kAll)
    if (run->info.method == method) return *run;
  throw InputError("there is no such method of comparison");
}

}  // namespace runs

std::span<const MethodInfo> methods() {
  static const std::vector<MethodInfo> all = [] {
    std::vector<MethodInfo> out;
    for (const runs::MethodRun* run : runs::kAll) out.push_back(run->info);
    return out;
  }();
  return all;
}

const MethodInfo& info(Method method) { return runs::find(method).info; }

Method find_method(std::string_view name) {
  std::vector<std::string_view> known;
  for (const MethodInfo& m : methods()) {
    if (m.name == name) return m.method;
    known.push_back(m.name);
  }
  std::string hint = did_you_mean(name, known);
  if (hint.empty()) {
    hint = "; known are ";
    for (const std::string_view k : known) hint += (k == known.front() ? "" : ", ") + std::string(k);
  }
  throw InputError("no method is called '" + std::string(name) + "'" + hint);
}

namespace {

constexpr Strength strength_of(bool has) { return has ? Strength::yes : Strength::no; }

}  // namespace

std::span<const StrengthRow> strengths() {
  static constexpr std::array<StrengthRow, 7> rows = {{
      {"works on countably many models", "countable", [](const MethodInfo& m) { return strength_of(m.countable); }},
      {"uses how models are related", "between_models",
       [](const MethodInfo& m) { return strength_of(m.between_models); }},
      {"describes improbable models too", "improbable", [](const MethodInfo& m) { return strength_of(m.improbable); }},
      {"needs no reversible pairs of moves", "no_pairs", [](const MethodInfo& m) { return strength_of(m.no_pairs); }},
      {"needs no mixing between models", "no_mixing", [](const MethodInfo& m) { return strength_of(m.no_mixing); }},
      {"spreads over processors with ease", "parallel", [](const MethodInfo& m) { return m.parallel; }},
      {"does not rest on ergodicity", "no_ergodicity",
       [](const MethodInfo& m) { return strength_of(m.no_ergodicity); }},
  }};
  return rows;
}

}  // namespace evident
