#include "study/schedule_options.hpp"

#include <fmt/format.h>

#include "evident/base/error.hpp"

namespace evident::study {
namespace {

struct ScheduleName {
  std::string_view operator()(const LinearSchedule&) const { return "linear"; }
  std::string_view operator()(const PowerSchedule&) const { return "prior"; }
  std::string_view operator()(const PosteriorSchedule&) const { return "posterior"; }
  std::string_view operator()(const ListSchedule&) const { return "list"; }
  std::string_view operator()(const CessSchedule&) const { return "cess"; }
  std::string_view operator()(const EssSchedule&) const { return "ess"; }
};
std::string_view name_of(const Schedule& schedule) { return std::visit(ScheduleName(), schedule); }

/// The schedule of an option that belongs to it and chooses it.
void choose(SamplerTarget& t, const Schedule& schedule) {
  const std::string_view present = name_of(t.smc.schedule);
  if (!t.schedule_chosen_by.empty() && present != name_of(schedule))
    throw InputError(fmt::format("has no effect with {} \"{}\"; remove one of them", t.schedule_chosen_by, present));
  t.smc.schedule = schedule;
  if (t.schedule_chosen_by.empty()) t.schedule_chosen_by = "the schedule";
}

[[noreturn]] void no_effect(std::string_view with, const Schedule& schedule) {
  throw InputError(fmt::format("has no effect with {} \"{}\"", with, name_of(schedule)));
}

}  // namespace

void set_schedule(SamplerTarget& t, std::string_view word) {
  t.smc.schedule = meaning(kSchedules, word)(t.smc.schedule);
  t.schedule_chosen_by = "schedule =";
}

void set_cess(SamplerTarget& t, double share) { choose(t, CessSchedule{share}); }
void set_ess(SamplerTarget& t, double share) { choose(t, EssSchedule{share}); }

void set_alphas(SamplerTarget& t, const std::vector<double>& alphas) {
  ListSchedule list{alphas};
  if (alphas.front() == 0) list.alphas.erase(list.alphas.begin());  // the start is always there
  for (std::size_t i = 1; i < list.alphas.size(); ++i)
    if (list.alphas[i] <= list.alphas[i - 1])
      throw InputError(fmt::format("must increase, but {} follows {}", list.alphas[i], list.alphas[i - 1]));
  if (list.alphas.empty() || list.alphas.back() != 1) throw InputError("must end at 1");
  choose(t, list);
}

void set_steps(SamplerTarget& t, std::uint64_t steps) {
  const auto set = [&](auto& schedule) {
    if constexpr (requires { schedule.steps; })
      schedule.steps = steps;
    else
      no_effect("schedule", schedule);
  };
  std::visit(set, t.smc.schedule);
}

void set_ladder(SamplerTarget& t, std::string_view word) {
  Schedule& ladder = t.study->population_mcmc.ladder;
  ladder = meaning(kLadders, word)(ladder);
}

void set_power(SamplerTarget& t, double power) {
  if (t.power_is_of_ladder && t.study == nullptr) throw InputError("is for the whole study; put it in [sampler]");
  const auto set = [&](auto& schedule) {
    if constexpr (requires { schedule.power; })
      schedule.power = power;
    else
      no_effect(t.power_is_of_ladder ? "ladder" : "schedule", schedule);
  };
  std::visit(set, t.power_is_of_ladder ? t.study->population_mcmc.ladder : t.smc.schedule);
}

}  // namespace evident::study
