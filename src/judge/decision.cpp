#include "judge/decision.hpp"

#include <algorithm>
#include <array>

namespace evident {
namespace {

constexpr std::array<DecisionRow, 10> kTable = {{
    {.has_referee = false,
     .ruling = Ruling::alarms_stand,
     .when = "the runs are adaptive, not islands",
     .why = "there is no referee"},
    {.phases = false,
     .scattered = false,
     .ruling = Ruling::alarms_stand,
     .when = "no alarm of phases or scatter",
     .why = "there is nothing to settle"},
    {.scattered = false,
     .found_twice = true,
     .probe = ProbeSays::less,
     .ruling = Ruling::islands_are_right,
     .when = "phases only; the small nested run found clearly less; islands and bridges agree",
     .why = "tempering is unbiased and the bridge weighs fresh draws: neither can make up mass, so nested sampling "
            "missed it"},
    {.referee = RefereeSays::not_asked,
     .ruling = Ruling::ask_referee,
     .when = "the referee was not asked yet",
     .why = "nested sampling goes another way"},
    {.referee = RefereeSays::bridge_is_right,
     .ruling = Ruling::bridge_is_right,
     .when = "the bridges of all islands agree, and the referee is nearer to them than to the standard estimate",
     .why = "two ways that share little give the same; the scatter is that of the standard estimate"},
    {.phases = false,
     .ruling = Ruling::alarms_stand,
     .when = "scatter only, and the referee does not side with the bridge",
     .why = "only better islands can settle it"},
    {.referee = RefereeSays::failed,
     .ruling = Ruling::referee_failed,
     .when = "the referee failed",
     .why = "the alarm of phases stands, and the check is missing"},
    {.referee = RefereeSays::the_same,
     .ruling = Ruling::phases_are_harmless,
     .when = "the referee gives the same evidence",
     .why = "phases do not mislead nested sampling"},
    {.scattered = false,
     .found_twice = true,
     .referee_sees_more = false,
     .ruling = Ruling::islands_are_right,
     .when = "no scatter, islands and bridges agree, and the referee is too rough or below them",
     .why = "it has not seen more than they have"},
    {.ruling = Ruling::referee_disagrees,
     .when = "anything else",
     .why = "tempering misses part of the posterior, or the referee is too rough to say"},
}};

template <class T>
bool met(const std::optional<T>& wanted, const T& is) {
  return !wanted || *wanted == is;
}

}  // namespace

bool DecisionRow::holds(const Situation& s) const {
  return met(has_referee, s.has_referee) && met(phases, s.phases) && met(scattered, s.scattered) &&
         met(found_twice, s.found_twice) && met(probe, s.probe) && met(referee, s.referee) &&
         met(referee_sees_more, s.referee_sees_more);
}

std::span<const DecisionRow> decision_table() { return kTable; }

Ruling decide(const Situation& situation) {
  return std::ranges::find_if(kTable, [&](const DecisionRow& row) { return row.holds(situation); })->ruling;
}

}  // namespace evident
