// The decision table and the judgement: every row, and every situation, without a model.
#include "judge/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evidence/variance.hpp"
#include "judge/decision.hpp"
#include "judge/thresholds.hpp"

namespace evident {
namespace {

// ---- the table

TEST(Decision, RowByRow) {
  using enum RefereeSays;
  const Situation calm, phases{.phases = true}, scatter{.scattered = true}, both{.phases = true, .scattered = true};
  const auto with = [](Situation s, auto&& change) {
    change(s);
    return decide(s);
  };
  // 1: adaptive runs have no referee
  EXPECT_EQ(with(both, [](Situation& s) { s.has_referee = false; }), Ruling::alarms_stand);
  // 2: nothing to settle
  EXPECT_EQ(decide(calm), Ruling::alarms_stand);
  // 3: a small nested run that missed what islands and bridges found
  const auto missed = [](Situation& s) { s.found_twice = true, s.probe = ProbeSays::less; };
  EXPECT_EQ(with(phases, missed), Ruling::islands_are_right);
  EXPECT_EQ(with(both, missed), Ruling::ask_referee);
  // 4: otherwise the referee is asked
  EXPECT_EQ(decide(phases), Ruling::ask_referee);
  EXPECT_EQ(decide(scatter), Ruling::ask_referee);
  // 5: bridges that agree with it
  for (const Situation& s : {phases, scatter, both})
    EXPECT_EQ(with(s, [](Situation& t) { t.referee = bridge_is_right; }), Ruling::bridge_is_right);
  // 6: scatter that it does not settle
  for (const RefereeSays r : {failed, the_same, too_rough, another_evidence})
    EXPECT_EQ(with(scatter, [&](Situation& t) { t.referee = r; }), Ruling::alarms_stand);
  // 7, 8: it failed, or gives the same
  for (const Situation& s : {phases, both}) {
    EXPECT_EQ(with(s, [](Situation& t) { t.referee = failed; }), Ruling::referee_failed);
    EXPECT_EQ(with(s, [](Situation& t) { t.referee = the_same; }), Ruling::phases_are_harmless);
  }
  // 9: it has not seen more than islands and bridges that agree
  for (const RefereeSays r : {too_rough, another_evidence}) {
    const auto twice = [&](Situation& t) { t.referee = r, t.found_twice = true; };
    EXPECT_EQ(with(phases, twice), Ruling::islands_are_right);
    EXPECT_EQ(with(both, twice), Ruling::referee_disagrees);
    EXPECT_EQ(with(phases, [&](Situation& t) { twice(t), t.referee_sees_more = true; }), Ruling::referee_disagrees);
    // 10: anything else
    EXPECT_EQ(with(phases, [&](Situation& t) { t.referee = r; }), Ruling::referee_disagrees);
  }
}

/// All situations there are.
std::vector<Situation> all_situations() {
  std::vector<Situation> out;
  for (const bool has_referee : {false, true})
    for (const bool phases : {false, true})
      for (const bool scattered : {false, true})
        for (const bool found_twice : {false, true})
          for (const bool more : {false, true})
            for (int probe = 0; probe <= static_cast<int>(ProbeSays::more); ++probe)
              for (int referee = 0; referee <= static_cast<int>(RefereeSays::another_evidence); ++referee)
                out.push_back({has_referee, phases, scattered, found_twice, static_cast<ProbeSays>(probe),
                               static_cast<RefereeSays>(referee), more});
  return out;
}

TEST(Decision, HoldsInEverySituation) {
  for (const Situation& s : all_situations()) {
    const Ruling r = decide(s);
    const bool alarm = s.phases || s.scattered;
    if (r == Ruling::ask_referee) {
      EXPECT_TRUE(s.has_referee && alarm && s.referee == RefereeSays::not_asked);
    }
    if (s.has_referee && alarm && s.referee == RefereeSays::not_asked) {
      EXPECT_TRUE(r == Ruling::ask_referee || r == Ruling::islands_are_right);
    }
    // Alarms go only where two independent ways agree.
    if (r == Ruling::islands_are_right) {
      EXPECT_TRUE(s.found_twice && !s.scattered && s.phases);
    }
    if (r == Ruling::bridge_is_right) {
      EXPECT_EQ(s.referee, RefereeSays::bridge_is_right);
    }
    if (r == Ruling::phases_are_harmless) {
      EXPECT_TRUE(s.phases && s.referee == RefereeSays::the_same);
    }
    // What the referee sees beyond its errors is never a note.
    if (s.has_referee && s.phases && s.referee == RefereeSays::another_evidence && s.referee_sees_more &&
        !(s.probe == ProbeSays::less && s.found_twice && !s.scattered)) {
      EXPECT_EQ(r, Ruling::referee_disagrees);
    }
    if (!s.has_referee || !alarm) {
      EXPECT_EQ(r, Ruling::alarms_stand);
    }
  }
}

TEST(Decision, EveryRowDecidesSomewhere) {
  std::vector<bool> used(decision_table().size());
  for (const Situation& s : all_situations()) {
    const auto row = std::ranges::find_if(decision_table(), [&](const DecisionRow& r) { return r.holds(s); });
    ASSERT_NE(row, decision_table().end());
    used[static_cast<std::size_t>(row - decision_table().begin())] = true;
  }
  EXPECT_EQ(std::ranges::count(used, false), 0);
}

// ---- the judgement

RunNumbers healthy_run() { return {.particles = 1000, .log_evidence = {-10, 0.05}, .log_evidence_path = -10}; }

/// Eight islands with bridges, all of them right.
Observations all_agree() {
  Observations seen{.runs = std::vector(8, healthy_run()), .islands = {}, .has_referee = true};
  const double off[] = {0.05, -0.04, 0.02, -0.06, 0.03, 0.01, -0.02, 0.04};
  for (const double d : off)
    seen.islands.push_back({.log_evidence = {-10 + d, 0.05},
                            .bridge = Estimate{-10 + d / 10, 0.01},
                            .bridge_usable = true,
                            .bridge_efficiency = 0.5});
  seen.evidence = combine_islands(seen.islands);
  seen.probe = Estimate{-10, 0.5};
  return seen;
}

void add_phases(Observations& seen) {
  for (RunNumbers& run : seen.runs) run.variance_rise = 3;
}

/// The standard estimates of the islands scatter; their bridges agree.
void add_scatter(Observations& seen) {
  const double off[] = {1.5, -1.4, 0.8, -2.6, 1.3, 0.5, -0.8, -3};
  for (std::size_t i = 0; i < 8; ++i) seen.islands[i].log_evidence.value = -10 + off[i];
  seen.evidence = combine_islands(seen.islands);
}

const Reason* find(const Judgement& j, Alarm code) {
  const auto at = std::ranges::find_if(j.reasons, [&](const Reason& r) { return r.code == code; });
  return at == j.reasons.end() ? nullptr : &*at;
}

TEST(Judge, NothingWrong) {
  const Judgement j = judge(all_agree());
  EXPECT_EQ(j.verdict, Verdict::trust);
  EXPECT_TRUE(j.reasons.empty());
  EXPECT_FALSE(j.ask_referee || j.in_doubt());
  EXPECT_NEAR(j.log_evidence.value, -10, 0.01);
  EXPECT_LT(j.log_evidence.standard_error, 0.01);
}

TEST(Judge, CombinesStandardEstimateAndBridgeWhereTheyAgree) {
  const CombinedEvidence e = all_agree().evidence;
  const Estimate by_hand = combine(e.standard, e.bridge);
  EXPECT_EQ(e.best.value, by_hand.value);
  EXPECT_LT(e.best.standard_error, std::min(e.standard.standard_error, e.bridge.standard_error));
  // Weights 3:1 for errors 1:sqrt(3); Satterthwaite's degrees.
  const Estimate c = combine({0, 1, 5}, {4, std::sqrt(3.0), 10});
  EXPECT_NEAR(c.value, 1, 1e-12);
  EXPECT_NEAR(c.standard_error, std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(c.degrees, 1 / (0.5625 / 5 + 0.0625 / 10), 1e-12);
  EXPECT_EQ(combine({0, 0, 5}, {4, 1, 10}).value, 0);
  EXPECT_EQ(combine({0, 1, 5}, {4, 0, 10}).value, 4);
}

TEST(Judge, BridgesThatAreFewOrPoorAreLeftOut) {
  Observations seen = all_agree();
  for (std::size_t i = 0; i < 2; ++i) seen.islands[i].bridge_usable = false;
  EXPECT_TRUE(combine_islands(seen.islands).bridge.known());  // six of eight
  seen.islands[2].bridge_efficiency = 0.019;
  EXPECT_FALSE(combine_islands(seen.islands).bridge.known());  // five of eight
  EXPECT_EQ(combine_islands(seen.islands).best.value, combine_islands(seen.islands).standard.value);
  for (IslandNumbers& i : seen.islands) i.bridge.reset();
  EXPECT_FALSE(combine_islands(seen.islands).bridge.known());
}

TEST(Judge, BridgesThatScatterSayTheirScatter) {
  Observations seen = all_agree();
  const double own = combine_islands(seen.islands).bridge.standard_error;
  EXPECT_NEAR(own, 0.01 / std::sqrt(8.0), 1e-12);  // they agree better than their errors say
  EXPECT_EQ(combine_islands(seen.islands).bridge.degrees, 30);
  for (std::size_t i = 0; i < 8; ++i) seen.islands[i].bridge->value = -10 + (i % 2 == 0 ? 0.1 : -0.1);
  const Estimate wide = combine_islands(seen.islands).bridge;
  EXPECT_NEAR(wide.standard_error, std::sqrt(0.08 / 7 / 8), 1e-12);
  EXPECT_EQ(wide.degrees, 7);
}

TEST(Judge, PhasesAskTheReferee) {
  Observations seen = all_agree();
  add_phases(seen);
  EXPECT_TRUE(judge(seen).ask_referee);
  seen.referee = RefereeNumbers{.log_evidence = {-10.1, 0.1, 3}};
  const Judgement j = judge(seen);
  EXPECT_FALSE(j.ask_referee);
  EXPECT_EQ(j.verdict, Verdict::trust);
  ASSERT_EQ(j.reasons.size(), 1U);
}

TEST(Judge, ARefereeThatGivesAnotherEvidenceIsNotTrusted) {
  Observations seen = all_agree();
  add_phases(seen);
  seen.referee = RefereeNumbers{.log_evidence = {-7, 0.1, 3}};
  const Judgement j = judge(seen);
  EXPECT_EQ(j.verdict, Verdict::do_not_trust);
  ASSERT_NE(find(j, Alarm::nested_disagrees), nullptr);
  EXPECT_NE(find(j, Alarm::phase_transition), nullptr);  // the alarm stands
  EXPECT_FALSE(j.in_doubt());                            // more particles would not settle it
  EXPECT_EQ(j.log_evidence.value, -7);
  // A lower one has lost something itself.
  seen.referee = RefereeNumbers{.log_evidence = {-13, 0.1, 3}};
  EXPECT_EQ(judge(seen).log_evidence.value, seen.evidence.best.value);
  // One that is hardly known is not shown.
  seen.referee = RefereeNumbers{.log_evidence = {-7, 0.7, 3}};
  EXPECT_EQ(judge(seen).log_evidence.value, seen.evidence.best.value);
}

TEST(Judge, ABridgeThatIslandsDoNotShareIsNotShown) {
  Observations seen = all_agree();
  for (IslandNumbers& i : seen.islands) i.log_evidence.value -= 3;
  seen.islands[3].bridge->value = -9;
  seen.evidence = combine_islands(seen.islands);
  EXPECT_EQ(judge(seen).log_evidence.value, seen.evidence.standard.value);
}

TEST(Judge, ARefereeOfFewParticlesDoesNotSettleForTheBridge) {
  Observations seen = all_agree();
  for (IslandNumbers& i : seen.islands) i.log_evidence.value -= 3;
  seen.evidence = combine_islands(seen.islands);
  seen.referee = RefereeNumbers{.log_evidence = {-10, 0.1, 3}, .fewest_passed = 10};
  EXPECT_EQ(judge(seen).verdict, Verdict::trust);
  seen.referee->fewest_passed = 9;
  EXPECT_NE(judge(seen).verdict, Verdict::trust);
}

TEST(Judge, AFailedRefereeLeavesTheAlarm) {
  Observations seen = all_agree();
  add_phases(seen);
  seen.referee = RefereeNumbers{.failure = "every draw is impossible"};
  const Judgement j = judge(seen);
  EXPECT_EQ(j.verdict, Verdict::run_longer);
  ASSERT_NE(find(j, Alarm::nested_disagrees), nullptr);
  EXPECT_NE(find(j, Alarm::nested_disagrees)->text.find("every draw is impossible"), std::string::npos);
}

TEST(Judge, ARoughRefereeIsANoteOnlyWhereIslandsScatterLittle) {
  const auto verdict_with = [](double referee, double error, double probe, double scatter) {
    Observations seen = all_agree();
    add_phases(seen);
    for (std::size_t i = 0; i < 8; ++i) seen.islands[i].log_evidence.value = -10 + scatter * (i % 2 == 0 ? 1 : -1);
    for (IslandNumbers& i : seen.islands) i.log_evidence.standard_error = scatter;
    seen.evidence = combine_islands(seen.islands);
    seen.probe = Estimate{probe, 0.3};
    seen.referee = RefereeNumbers{.log_evidence = {referee, error, 3}};
    return judge(seen).verdict;
  };
  EXPECT_EQ(verdict_with(-15, 8, -10, 0.3), Verdict::trust);      // below
  EXPECT_EQ(verdict_with(-15, 8, -10, 0.5), Verdict::trust);      // below, however the islands scatter
  EXPECT_EQ(verdict_with(-8, 1.3, -10, 0.25), Verdict::trust);    // above, within three of its errors
  EXPECT_NE(verdict_with(-5.5, 1.3, -10, 0.25), Verdict::trust);  // beyond them
  EXPECT_NE(verdict_with(-8, 1.3, -10, 0.4), Verdict::trust);     // few particles may have found a phase
  EXPECT_NE(verdict_with(-8, 1.3, -5, 0.25), Verdict::trust);     // the small run found more, too
  EXPECT_NE(verdict_with(-8, kInf, -10, 0.25), Verdict::trust);
  EXPECT_NE(verdict_with(kNaN, 1.3, -10, 0.25), Verdict::trust);
}

TEST(Judge, ASmallRunThatFoundLessIsANoteWhereIslandsAndBridgesAgree) {
  Observations seen = all_agree();
  add_phases(seen);
  seen.probe = Estimate{-14, 0.5};
  const Judgement j = judge(seen);
  EXPECT_FALSE(j.ask_referee);
  EXPECT_EQ(j.verdict, Verdict::trust);
  ASSERT_NE(find(j, Alarm::nested_disagrees), nullptr);
  // One island whose bridge saw more than the others puts that in doubt.
  seen.islands[3].bridge->value = -9.5;
  seen.evidence = combine_islands(seen.islands);
  EXPECT_TRUE(judge(seen).ask_referee);
}

TEST(Judge, ASmallRunThatFoundMoreIsAnAlarm) {
  Observations seen = all_agree();
  seen.probe = Estimate{-6, 0.5};
  EXPECT_TRUE(judge(seen).ask_referee);
  seen.referee = RefereeNumbers{.log_evidence = {-6.1, 0.1, 3}};
  EXPECT_EQ(judge(seen).verdict, Verdict::do_not_trust);
}

TEST(Judge, ScatteredIslandsWithBridgesThatAgreeAskAndFollowTheReferee) {
  Observations seen = all_agree();
  add_scatter(seen);
  const Judgement before = judge(seen);
  EXPECT_TRUE(before.ask_referee && before.in_doubt());
  seen.referee = RefereeNumbers{.log_evidence = {-10.05, 0.1, 3}};
  const Judgement j = judge(seen);
  EXPECT_EQ(j.verdict, Verdict::trust);
  EXPECT_FALSE(j.in_doubt());
  EXPECT_NEAR(j.log_evidence.value, -10, 0.05);
  seen.referee = RefereeNumbers{.log_evidence = {-8, 0.1, 3}};  // it agrees with neither
  EXPECT_TRUE(judge(seen).in_doubt());
  seen.referee = RefereeNumbers{.log_evidence = {-10.05, 0.6, 3}};  // too rough to settle it
  EXPECT_TRUE(judge(seen).in_doubt());
  seen.referee = RefereeNumbers{.failure = "no"};
  EXPECT_TRUE(judge(seen).in_doubt());
}

TEST(Judge, TheBridgeIsTheAnswerWhereTheStandardEstimateIsFarOff) {
  Observations seen = all_agree();
  for (IslandNumbers& i : seen.islands) i.log_evidence = {-13 + 0.1 * (i.bridge->value + 10), 0.05};
  seen.evidence = combine_islands(seen.islands);
  // Both are unbiased, and the bridges agree: the higher one is shown, with the doubt.
  EXPECT_EQ(judge(seen).log_evidence.value, seen.evidence.bridge.value);
  EXPECT_EQ(judge(seen).verdict, Verdict::do_not_trust);
  seen.referee = RefereeNumbers{.log_evidence = {-9, 0.1, 3}};  // nearer to the bridge, but not the same
  EXPECT_TRUE(judge(seen).in_doubt());
  seen.referee = RefereeNumbers{.log_evidence = {-10.05, 0.1, 3}};
  const Judgement j = judge(seen);
  EXPECT_EQ(j.log_evidence.value, seen.evidence.bridge.value);
  EXPECT_EQ(j.verdict, Verdict::trust);
}

TEST(Judge, AdaptiveRunsHaveNoReferee) {
  Observations seen = all_agree();
  seen.has_referee = false;
  seen.probe.reset();
  for (IslandNumbers& i : seen.islands) i.bridge.reset();
  seen.evidence = combine_islands(seen.islands);
  add_phases(seen);
  const Judgement j = judge(seen);
  EXPECT_FALSE(j.ask_referee);
  EXPECT_EQ(j.verdict, Verdict::run_longer);
}

TEST(Judge, PrecisionCountsUnlessTheModelIsDropped) {
  Observations seen = all_agree();
  seen.precision = 1e-4;
  EXPECT_EQ(judge(seen).verdict, Verdict::run_longer);
  seen.dropped = true;
  EXPECT_EQ(judge(seen).verdict, Verdict::trust);
}

TEST(Judge, PriorAndBoundsJoin) {
  Observations seen = all_agree();
  seen.prior = {.log_mass = {0.7, 0.01}, .mass_agrees = false};
  seen.bounds = {{"k", true, 0.1, 0.01}, {"m", false, 0.1, 0.09}, {"n", false, 0.01, 0}};
  const Judgement j = judge(seen);
  EXPECT_EQ(j.verdict, Verdict::do_not_trust);
  EXPECT_EQ(std::ranges::count(j.reasons, Alarm::at_bound, &Reason::code), 1);
  EXPECT_NE(find(j, Alarm::at_bound)->text.find("'k' piles up at the upper"), std::string::npos);
}

TEST(Thresholds, EachHasItsWords) {
  for (const Threshold& t : kThresholds) {
    EXPECT_FALSE(t.name.empty() || t.meaning.empty() || t.false_alarms.empty() || t.source.empty()) << t.name;
    EXPECT_GT(t.value, 0) << t.name;
  }
  EXPECT_DOUBLE_EQ(threshold("scatter-of-many"), 1 / std::sqrt(threshold("few-eves")));
  EXPECT_EQ(threshold("few-eves"), kFewestEves);
}

// ---- modes that were found before the runs

ModeNumbers mode_with(double share_of_evidence, double share_of_particles) {
  return {.place = "x = 3",
          .at = {3},
          .log_mass = {-10 + std::log(share_of_evidence), 0.05},
          .share = {share_of_particles, 0.01, 7}};
}

TEST(Judge, ModesThatAreAmongTheParticlesRaiseNothing) {
  Observations seen = all_agree();
  seen.modes = {mode_with(0.7, 0.69), mode_with(0.3, 0.31)};
  seen.unseen_modes = 0.02;
  EXPECT_EQ(judge(seen).verdict, Verdict::trust);
  // Draws around a mode that count too little of it say nothing against the particles.
  seen.modes = {mode_with(0.2, 0.69), mode_with(0.3, 0.31)};
  EXPECT_EQ(judge(seen).verdict, Verdict::trust);
}

TEST(Judge, AModeThatParticlesLackIsNamed) {
  Observations seen = all_agree();
  seen.modes = {mode_with(1, 1), mode_with(0.5, 0)};
  const Judgement some = judge(seen);
  EXPECT_EQ(some.verdict, Verdict::run_longer);
  ASSERT_NE(find(some, Alarm::mode_missing), nullptr);
  EXPECT_NE(find(some, Alarm::mode_missing)->text.find("x = 3"), std::string::npos);
  EXPECT_TRUE(some.in_doubt()) << "more particles may find it";
  seen.modes = {mode_with(1, 1), mode_with(2, 0)};  // log 3 is above 1
  EXPECT_EQ(judge(seen).verdict, Verdict::do_not_trust);
  seen.modes = {mode_with(1, 1), mode_with(0.1, 0)};  // log 1.1 is harmless
  EXPECT_EQ(judge(seen).verdict, Verdict::trust);
  // Several that are harmless one by one.
  seen.modes = {mode_with(1, 1), mode_with(0.1, 0), mode_with(0.1, 0)};
  EXPECT_EQ(judge(seen).verdict, Verdict::run_longer);
  // A mass that is hardly known does not contradict the particles.
  seen.modes = {mode_with(1, 1), mode_with(0.5, 0)};
  seen.modes[1].log_mass.standard_error = 0.4;
  EXPECT_EQ(judge(seen).verdict, Verdict::trust);
}

TEST(Judge, ModesThatClimbsWouldStillFindMatterBeyondWhatIsHarmless) {
  Observations seen = all_agree();
  seen.unseen_modes = 0.095;
  EXPECT_EQ(judge(seen).verdict, Verdict::trust);
  seen.unseen_modes = 0.096;
  EXPECT_EQ(judge(seen).verdict, Verdict::run_longer);
  EXPECT_NE(find(judge(seen), Alarm::modes_unseen), nullptr);
}

}  // namespace
}  // namespace evident
