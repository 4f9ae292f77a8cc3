// How the options of schedules and ladders are set: some choose the schedule, others belong to one that was chosen.
#pragma once

#include <vector>

#include "base/words.hpp"
#include "study/sampler_options.hpp"

namespace evident::study {

/// The schedule of type T to start from: the present one when it is of that type.
template <class T>
Schedule changed_to(const Schedule& schedule) {
  return std::holds_alternative<T>(schedule) ? schedule : T{};
}

using ChangeSchedule = Schedule (*)(const Schedule& present);
inline constexpr Words<ChangeSchedule, 6> kSchedules = {{{"cess", changed_to<CessSchedule>},
                                                         {"ess", changed_to<EssSchedule>},
                                                         {"linear", changed_to<LinearSchedule>},
                                                         {"prior", changed_to<PowerSchedule>},
                                                         {"posterior", changed_to<PosteriorSchedule>},
                                                         {"list", changed_to<ListSchedule>}}};
inline constexpr Words<ChangeSchedule, 3> kLadders = {{{"linear", changed_to<LinearSchedule>},
                                                       {"prior", changed_to<PowerSchedule>},
                                                       {"posterior", changed_to<PosteriorSchedule>}}};

void set_schedule(SamplerTarget& t, std::string_view word);
void set_cess(SamplerTarget& t, double share);
void set_ess(SamplerTarget& t, double share);
void set_alphas(SamplerTarget& t, const std::vector<double>& alphas);
void set_steps(SamplerTarget& t, std::uint64_t steps);
void set_ladder(SamplerTarget& t, std::string_view word);
void set_power(SamplerTarget& t, double power);

}  // namespace evident::study
