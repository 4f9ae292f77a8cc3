// Schedules: how the next tempering parameter alpha is chosen.
//
//   const Schedule adaptive = CessSchedule{.target = 0.999};         // the paper's adaptive rule, and the default
//   const Schedule fixed = PowerSchedule{.steps = 500, .power = 5};  // the paper's "prior (5)"
//   std::cout << text(fixed) << '\n';
//
// Each is a small value; `next_alpha` serves them all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace evident {

/// alpha_t = t / T.
struct LinearSchedule {
  std::size_t steps = 500;
};
/// alpha_t = (t / T)^p: the paper's "prior (p)", many steps near the prior.
struct PowerSchedule {
  std::size_t steps = 500;
  double power = 5;
};
/// alpha_t = 1 - (1 - t / T)^p: the paper's "posterior (p)", many steps near the posterior.
struct PosteriorSchedule {
  std::size_t steps = 500;
  double power = 5;
};
/// The values after alpha_0 = 0, increasing; the last must be 1.
struct ListSchedule {
  std::vector<double> alphas;
};
/// CESS(alpha_t) = target x N (paper, Algorithm 4).
///
/// Few particles scatter, and a step that follows every scatter is short where they happen to spread and long where
/// they do not: a small bias of the evidence, of order 1/N. With a memory of n steps the step taken is a running
/// geometric mean of about the last n that the rule asked for, which removes most of that bias; it suits schedules of
/// thousands of steps.
struct CessSchedule {
  double target = 0.999;
  double memory = 1;  ///< steps; 1 = none
};
/// ESS(alpha_t) = target x ESS(alpha_{t-1}) (Jasra et al. 2011).
struct EssSchedule {
  double target = 0.999;
};

using Schedule =
    std::variant<LinearSchedule, PowerSchedule, PosteriorSchedule, ListSchedule, CessSchedule, EssSchedule>;

/// Throws InputError when a number is out of range.
void check(const Schedule& schedule);
/// "cess(0.999)", for tables and the JSON document.
std::string text(const Schedule& schedule);

/// What a schedule sees of the run.
struct ScheduleView {
  double alpha = 0;                             ///< alpha_{t-1}
  std::size_t step = 1;                         ///< t
  double last_step = 0;                         ///< alpha_{t-1} - alpha_{t-2}, a starting guess; 0 if there is none
  std::span<const double> weights = {};         ///< W_{t-1}, normalised
  std::span<const double> log_likelihood = {};  ///< of the particles at t-1
};

/// alpha_t, above alpha_{t-1} and at most 1; 1 exactly at the end.
double next_alpha(const Schedule& schedule, const ScheduleView& view);

}  // namespace evident
