#include "evident/schedule/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/overloaded.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "particles/weights.hpp"
#include "schedule/adaptive.hpp"

namespace evident {
namespace {

std::string number(double x) {
  std::string s = std::to_string(x);
  while (s.size() > 1 && s.back() == '0') s.pop_back();
  if (s.back() == '.') s.pop_back();
  return s;
}

void check_steps(std::size_t steps) {
  if (steps == 0) throw InputError("steps of the schedule must be at least 1, was 0");
}
void check_power(double power) {
  if (!(power > 0) || !std::isfinite(power))
    throw InputError("power of the schedule must be above 0, was " + number(power));
}
void check_target(const char* what, double target) {
  if (!(target > 0 && target < 1))
    throw InputError(std::string(what) + " must lie between 0 and 1 (for example 0.999), was " + number(target));
}
void check_memory(double memory) {
  if (!(memory >= 1) || !std::isfinite(memory))
    throw InputError("memory of the schedule must be at least 1 step, was " + number(memory));
}
void check_list(const std::vector<double>& alphas) {
  double before = 0;
  for (const double a : alphas) {
    if (!(a > before)) throw InputError("alphas of the schedule must increase from above 0, found " + number(a));
    before = a;
  }
  if (before != 1) throw InputError("alphas of the schedule must end with 1");
}

// Fixed schedules end at 1 exactly, whatever rounding says.
double fixed(std::size_t t, std::size_t steps, double value) { return t >= steps ? 1.0 : std::min(value, 1.0); }

// 1 exactly when the whole rest is not too far; adding the step to alpha might miss it by a rounding error.
double adaptive(Criterion criterion, double target, const ScheduleView& v, double memory = 1) {
  double step = adaptive_step(criterion, target, v);
  if (memory > 1 && v.last_step > 0) step = v.last_step * std::pow(step / v.last_step, 1 / memory);
  return step >= 1.0 - v.alpha ? 1.0 : v.alpha + step;
}

double share(std::size_t t, std::size_t steps) { return static_cast<double>(t) / static_cast<double>(steps); }

}  // namespace

void check(const Schedule& schedule) {
  std::visit(Overloaded{
                 [](const LinearSchedule& s) { check_steps(s.steps); },
                 [](const PowerSchedule& s) { check_steps(s.steps), check_power(s.power); },
                 [](const PosteriorSchedule& s) { check_steps(s.steps), check_power(s.power); },
                 [](const ListSchedule& s) { check_list(s.alphas); },
                 [](const CessSchedule& s) { check_target("cess", s.target), check_memory(s.memory); },
                 [](const EssSchedule& s) { check_target("ess", s.target); },
             },
             schedule);
}

std::string text(const Schedule& schedule) {
  return std::visit(
      Overloaded{
          [](const LinearSchedule& s) { return "linear(" + std::to_string(s.steps) + ")"; },
          [](const PowerSchedule& s) { return "prior(" + number(s.power) + ", " + std::to_string(s.steps) + ")"; },
          [](const PosteriorSchedule& s) {
            return "posterior(" + number(s.power) + ", " + std::to_string(s.steps) + ")";
          },
          [](const ListSchedule& s) { return "list(" + std::to_string(s.alphas.size()) + ")"; },
          [](const CessSchedule& s) {
            return "cess(" + number(s.target) + (s.memory > 1 ? ", memory " + number(s.memory) : "") + ")";
          },
          [](const EssSchedule& s) { return "ess(" + number(s.target) + ")"; },
      },
      schedule);
}

double next_alpha(const Schedule& schedule, const ScheduleView& v) {
  const double next = std::visit(
      Overloaded{
          [&](const LinearSchedule& s) { return fixed(v.step, s.steps, share(v.step, s.steps)); },
          [&](const PowerSchedule& s) { return fixed(v.step, s.steps, std::pow(share(v.step, s.steps), s.power)); },
          [&](const PosteriorSchedule& s) {
            return fixed(v.step, s.steps, -std::expm1(s.power * std::log1p(-share(v.step, s.steps))));
          },
          [&](const ListSchedule& s) { return v.step > s.alphas.size() ? 1.0 : s.alphas[v.step - 1]; },
          [&](const CessSchedule& s) { return adaptive(Criterion::cess, s.target, v, s.memory); },
          [&](const EssSchedule& s) { return adaptive(Criterion::ess, s.target, v); },
      },
      schedule);
  // A step too small to change alpha would never end; the next larger number is always progress.
  return std::min(1.0, std::max(next, std::nextafter(v.alpha, 2.0)));
}

}  // namespace evident
