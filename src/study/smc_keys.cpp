#include "study/smc_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace evident::study {
namespace {

constexpr std::array<std::string_view, 6> kSchedules = {"cess", "ess", "linear", "prior", "posterior", "list"};

struct ScheduleName {
  std::string_view operator()(const LinearSchedule&) const { return "linear"; }
  std::string_view operator()(const PowerSchedule&) const { return "prior"; }
  std::string_view operator()(const PosteriorSchedule&) const { return "posterior"; }
  std::string_view operator()(const ListSchedule&) const { return "list"; }
  std::string_view operator()(const CessSchedule&) const { return "cess"; }
  std::string_view operator()(const EssSchedule&) const { return "ess"; }
};
std::string_view name_of(const Schedule& schedule) { return std::visit(ScheduleName(), schedule); }

/// Words of a key, and what they stand for.
template <class T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;

constexpr Words<KernelKind, 6> kKernels = {{
    {"random-walk", KernelKind::random_walk},
    {"crank-nicolson", KernelKind::crank_nicolson},
    {"mala", KernelKind::mala},
    {"hmc", KernelKind::hmc},
    {"independent", KernelKind::independent},
    {"automatic", KernelKind::automatic},
}};
constexpr Words<Grouping, 3> kGroupings = {
    {{"joint", Grouping::joint}, {"blocks", Grouping::blocks}, {"single", Grouping::single}}};
constexpr Words<ScaleRule, 4> kScaleRules = {{{"adaptive", ScaleRule::adaptive},
                                              {"band", ScaleRule::band},
                                              {"jump", ScaleRule::jump},
                                              {"manual", ScaleRule::manual}}};

template <class T, std::size_t N>
std::optional<T> read_word(const Section& section, std::string_view key, const Words<T, N>& words) {
  std::array<std::string_view, N> names;
  std::ranges::transform(words, names.begin(), [](const auto& word) { return word.first; });
  const auto chosen = section.choice(key, names);
  if (!chosen) return std::nullopt;
  return std::ranges::find(words, *chosen, &std::pair<std::string_view, T>::first)->second;
}

/// Does the section say how particles move?
bool names_moves(const Section& section) {
  constexpr std::array<std::string_view, 6> keys = {"kernel", "grouping", "scale_rule", "scale", "band", "mix_scales"};
  return std::ranges::any_of(keys, [&](std::string_view key) { return section.has(key); });
}

// The schedule of type T to start from: the present one when it is of that type.
template <class T>
T present_or_default(const Schedule& schedule) {
  const T* present = std::get_if<T>(&schedule);
  return present ? *present : T{};
}

// The one schedule that a key belongs to, if any is given: cess, ess and alphas choose it themselves.
std::optional<std::string> implied_schedule(const Section& section) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> owners = {
      {{"cess", "cess"}, {"ess", "ess"}, {"alphas", "list"}}};
  const std::optional<std::string> chosen = section.choice("schedule", kSchedules);
  std::optional<std::string> implied = chosen;
  for (const auto& [key, schedule] : owners) {
    if (!section.has(key)) continue;
    if (implied && *implied != schedule) {
      section.fail(key, fmt::format("has no effect with {} \"{}\"; remove one of them",
                                    chosen ? "schedule =" : "the schedule", *implied));
    }
    implied = schedule;
  }
  return implied;
}

template <class T>
T with_steps(const Section& section, T schedule, bool own_power) {
  if (const auto steps = section.integer("steps", 1, 10'000'000)) schedule.steps = *steps;
  if constexpr (requires { schedule.power; }) {
    const auto power = own_power ? section.number("power", above(0)) : std::nullopt;
    if (power) schedule.power = *power;
  }
  return schedule;
}

Schedule list_schedule(const Section& section, const Schedule& present) {
  ListSchedule list = present_or_default<ListSchedule>(present);
  if (const auto alphas = section.numbers("alphas", between(0, 1))) list.alphas = *alphas;
  if (list.alphas.empty()) section.fail("schedule", "= \"list\" needs the values: alphas = [0.001, 0.1, 1]");
  if (list.alphas.front() == 0) list.alphas.erase(list.alphas.begin());  // the start is always there
  for (std::size_t i = 1; i < list.alphas.size(); ++i) {
    if (list.alphas[i] <= list.alphas[i - 1]) {
      section.fail("alphas", fmt::format("must increase, but {} follows {}", list.alphas[i], list.alphas[i - 1]));
    }
  }
  if (list.alphas.empty() || list.alphas.back() != 1) section.fail("alphas", "must end at 1");
  return list;
}

void read_band(const Section& section, KernelOptions& kernel) {
  const auto band = section.numbers("band", above_and_below(0, 1));
  if (!band) return;
  if (kernel.scale_rule != ScaleRule::band) section.fail("band", "has no effect without scale_rule = \"band\"");
  if (band->size() != 2 || !((*band)[0] < (*band)[1])) section.fail("band", "must be two numbers, low then high");
  kernel.band_low = (*band)[0];
  kernel.band_high = (*band)[1];
}

}  // namespace

Schedule read_schedule(const Section& section, const Schedule& present, bool own_power) {
  const std::string name = implied_schedule(section).value_or(std::string(name_of(present)));
  const bool stepped = name == "linear" || name == "prior" || name == "posterior";
  if (section.has("steps") && !stepped) section.fail("steps", fmt::format("has no effect with schedule \"{}\"", name));
  if (own_power && section.has("power") && (!stepped || name == "linear")) {
    section.fail("power", fmt::format("has no effect with schedule \"{}\"", name));
  }
  if (name == "linear") return with_steps(section, present_or_default<LinearSchedule>(present), own_power);
  if (name == "prior") return with_steps(section, present_or_default<PowerSchedule>(present), own_power);
  if (name == "posterior") return with_steps(section, present_or_default<PosteriorSchedule>(present), own_power);
  if (name == "list") return list_schedule(section, present);
  if (name == "ess") {
    EssSchedule ess = present_or_default<EssSchedule>(present);
    return EssSchedule{section.number("ess", above_and_below(0, 1)).value_or(ess.target)};
  }
  CessSchedule cess = present_or_default<CessSchedule>(present);
  return CessSchedule{section.number("cess", above_and_below(0, 1)).value_or(cess.target)};
}

void read_kernel(const Section& section, KernelOptions& kernel) {
  // Whoever says how particles move gets the moves that the keys were written for.
  if (kernel.kind == KernelKind::automatic && names_moves(section)) kernel.kind = KernelKind::crank_nicolson;
  kernel.kind = read_word(section, "kernel", kKernels).value_or(kernel.kind);
  kernel.grouping = read_word(section, "grouping", kGroupings).value_or(kernel.grouping);
  kernel.scale_rule = read_word(section, "scale_rule", kScaleRules).value_or(kernel.scale_rule);
  if (const auto scale = section.number("scale", above(0))) kernel.scale = *scale;
  if (const auto passes = section.integer("passes", 1, 10'000)) kernel.passes = *passes, kernel.until_mixed.reset();
  if (const auto mix = section.flag("mix_scales")) kernel.mix_scales = *mix;
  if (const auto own = section.flag("own_moves")) kernel.own_moves = *own;
  read_band(section, kernel);
}

ResampleScheme read_scheme(const Section& section, ResampleScheme present) {
  constexpr std::array schemes = {ResampleScheme::multinomial, ResampleScheme::residual, ResampleScheme::stratified,
                                  ResampleScheme::systematic, ResampleScheme::residual_stratified};
  std::array<std::string_view, schemes.size()> names;
  for (std::size_t i = 0; i < schemes.size(); ++i) names[i] = evident::name(schemes[i]);
  const auto chosen = section.choice("resample", names);
  return chosen ? resample_scheme(*chosen) : present;
}

}  // namespace evident::study
