// What is made of the alarms of islands: a decision table.
//
// Powers of the likelihood may lead particles from one phase to another by chance, and then the evidence depends on how
// many found the way; or the islands contradict each other or the bridge. Nested sampling, which goes another way, is
// the referee.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "judge/observations.hpp"

namespace evident {

/// A small nested run that every comparison by islands makes: against the islands, beyond rough errors.
enum class ProbeSays { nothing, less, more };
/// Nested sampling with as many particles as an island.
enum class RefereeSays { not_asked, failed, bridge_is_right, the_same, too_rough, another_evidence };

/// All that the decision depends on.
struct Situation {
  bool has_referee = true;
  bool phases = false;       ///< an alarm says that particles go from one phase to another
  bool scattered = false;    ///< an alarm says that the islands contradict each other, or the bridge
  bool found_twice = false;  ///< standard estimate and bridge agree, in every island
  ProbeSays probe = ProbeSays::nothing;
  RefereeSays referee = RefereeSays::not_asked;
  bool referee_sees_more = false;  ///< than the islands, beyond its errors or where few particles found every phase
};

enum class Ruling {
  alarms_stand,
  ask_referee,
  islands_are_right,    ///< what nested sampling missed is a note
  bridge_is_right,      ///< and is the answer; scatter and phases are a note
  phases_are_harmless,  ///< nested sampling gives the same
  referee_failed,
  referee_disagrees,
};

/// A row holds when every condition that it has is met. The first row that holds decides.
struct DecisionRow {
  std::optional<bool> has_referee = {}, phases = {}, scattered = {}, found_twice = {};
  std::optional<ProbeSays> probe = {};
  std::optional<RefereeSays> referee = {};
  std::optional<bool> referee_sees_more = {};
  Ruling ruling = Ruling::alarms_stand;
  std::string_view when, why;  ///< for the page of the verdict

  bool holds(const Situation& s) const;
};

std::span<const DecisionRow> decision_table();
Ruling decide(const Situation& situation);

}  // namespace evident
