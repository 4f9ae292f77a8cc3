// Each alarm with numbers that must raise it and numbers that must not. Runs of samplers are in tests/smc.
#include "judge/alarms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evident/base/random.hpp"
#include "evident/model/model.hpp"

namespace evident {
namespace {

bool has(const std::vector<Reason>& reasons, Alarm code, Verdict level) {
  return std::ranges::any_of(reasons, [&](const Reason& r) { return r.code == code && r.level == level; });
}

/// A run of a normal log likelihood with nothing wrong: mean -50 + 40 alpha, variance falling.
Trace healthy() {
  Trace trace;
  trace.particles = 1000;
  const int steps = 40;
  for (int t = 0; t <= steps; ++t) {
    Step s{.alpha = static_cast<double>(t) / steps, .mean = -50, .variance = 20 - 0.25 * t, .ess = 0.8, .cess = 0.99};
    s.acceptance = t > 0 ? 0.3 : 0;
    s.jump = t > 0 ? 0.2 : 0;
    s.evaluations = t > 0 ? 3000 : 1000;
    s.log_ratio = t > 0 ? -50.0 / steps : 0;
    s.finer.fill(-50);
    trace.evaluations += s.evaluations;
    trace.steps.push_back(s);
  }
  Genealogy g;
  g.start(1000);
  trace.generations = g.finish(std::vector<double>(1000, 0.001));
  return trace;
}

TEST(Verdict, NothingWrong) {
  const auto reasons = alarms_of_run(*observe_run(healthy()));
  EXPECT_TRUE(reasons.empty()) << reasons.front().text;
  EXPECT_EQ(verdict(reasons), Verdict::trust);
}

TEST(Verdict, IsTheWorstReason) {
  std::vector<Reason> reasons = {{Alarm::bridge_poor, Verdict::run_longer, ""}};
  EXPECT_EQ(verdict(reasons), Verdict::run_longer);
  append(reasons, {{Alarm::prior_mismatch, Verdict::do_not_trust, ""}, {Alarm::at_bound, Verdict::run_longer, ""}});
  EXPECT_EQ(reasons.size(), 3U);
  EXPECT_EQ(verdict(reasons), Verdict::do_not_trust);
  EXPECT_EQ(name(Verdict::do_not_trust), "do not trust");
  EXPECT_EQ(name(Alarm::phase_transition), "phase-transition");
  EXPECT_EQ(name(Alarm::prior_mismatch), "prior-mismatch");
  EXPECT_EQ(name(Alarm::moves_collapsed), "moves-collapsed");
  EXPECT_EQ(name(Alarm::few_particles), "few-particles");
  EXPECT_EQ(name(Verdict::unjudged), "unjudged");
}

TEST(Verdict, EstimatesDisagree) {
  Trace trace = healthy();
  trace.steps[20].log_ratio += 0.05;
  EXPECT_TRUE(alarms_of_run(*observe_run(trace)).empty());
  trace.steps[20].log_ratio += 0.25;
  EXPECT_TRUE(has(alarms_of_run(*observe_run(trace)), Alarm::estimates_disagree, Verdict::run_longer));
  trace.steps[20].log_ratio += 2;
  EXPECT_TRUE(has(alarms_of_run(*observe_run(trace)), Alarm::estimates_disagree, Verdict::do_not_trust));
}

TEST(Verdict, MovesCollapsed) {
  Trace trace = healthy();
  trace.steps[10].acceptance = 0.004;
  EXPECT_TRUE(has(alarms_of_run(*observe_run(trace)), Alarm::moves_collapsed, Verdict::run_longer));
  trace.steps[10].acceptance = 0.2;
  trace.steps[10].jump = 1e-4;
  EXPECT_TRUE(has(alarms_of_run(*observe_run(trace)), Alarm::moves_collapsed, Verdict::run_longer));
  for (std::size_t t = 10; t < 30; ++t) trace.steps[t].acceptance = 1e-4;
  EXPECT_TRUE(has(alarms_of_run(*observe_run(trace)), Alarm::moves_collapsed, Verdict::do_not_trust));
  // Steps that move nothing by design are no collapse.
  for (std::size_t t = 10; t < 30; ++t)
    trace.steps[t].acceptance = trace.steps[t].jump = 0, trace.steps[t].evaluations = 0;
  EXPECT_TRUE(alarms_of_run(*observe_run(trace)).empty());
}

TEST(Verdict, MovesAddUpOverPasses) {
  Trace trace = healthy();
  for (Step& s : trace.steps) s.acceptance = 0.005, s.passes = 200;  // one move a particle in each step
  EXPECT_TRUE(alarms_of_run(*observe_run(trace)).empty());
  for (Step& s : trace.steps) s.passes = 20;
  EXPECT_TRUE(has(alarms_of_run(*observe_run(trace)), Alarm::moves_collapsed, Verdict::do_not_trust));
}

TEST(Verdict, AncestorsCoalesced) {
  const auto with_eves = [](std::size_t eves) {
    Trace trace = healthy();
    Genealogy g;
    g.start(1000);
    std::vector<std::uint32_t> parents;
    for (std::size_t i = 0; i < 1000; ++i) parents.push_back(static_cast<std::uint32_t>(i * eves / 1000));
    std::vector<double> weights(1000);
    std::fill_n(weights.begin(), eves, 1.0 / static_cast<double>(eves));
    g.resampled(ResampleScheme::stratified, weights, parents);
    trace.generations = g.finish(std::vector<double>(1000, 0.001));
    return alarms_of_run(*observe_run(trace));
  };
  EXPECT_FALSE(has(with_eves(100), Alarm::ancestors_coalesced, Verdict::run_longer));
  EXPECT_TRUE(has(with_eves(7), Alarm::ancestors_coalesced, Verdict::run_longer));
  EXPECT_TRUE(has(with_eves(2), Alarm::ancestors_coalesced, Verdict::do_not_trust));
}

TEST(Verdict, PhaseTransition) {
  Trace trace = healthy();
  trace.steps[25].groups = {.upper = 0.4, .distance = 6, .valley = 0.05};
  EXPECT_TRUE(has(alarms_of_run(*observe_run(trace)), Alarm::phase_transition, Verdict::do_not_trust));
  trace = healthy();
  trace.steps[25].groups = {.upper = 0.4, .distance = 3.5, .valley = 0.9};
  EXPECT_TRUE(alarms_of_run(*observe_run(trace)).empty());
  for (std::size_t t = 22; t < 28; ++t) trace.steps[t].variance = 80;
  EXPECT_TRUE(has(alarms_of_run(*observe_run(trace)), Alarm::phase_transition, Verdict::run_longer));
}

TEST(Verdict, ImpossibleDraws) {
  const auto with = [](std::size_t made, std::size_t possible, std::size_t runs) {
    Trace trace = healthy();
    trace.first = {.made = made, .possible = possible, .share = 0};
    return alarms_of_runs(std::vector<RunNumbers>(runs, *observe_run(trace)));
  };
  // The error of the share, of all runs together, counts: not how many draws are impossible.
  EXPECT_TRUE(with(1'000'000, 20, 1).empty());
  EXPECT_TRUE(with(1'000'000, 3, 8).empty());
  EXPECT_TRUE(with(20, 11, 1).empty());
  EXPECT_TRUE(has(with(1'000'000, 14, 1), Alarm::impossible_particles, Verdict::run_longer));
  EXPECT_TRUE(has(with(1'000'000, 1, 8), Alarm::impossible_particles, Verdict::run_longer));
  EXPECT_TRUE(has(with(1'000'000, 3, 1), Alarm::impossible_particles, Verdict::do_not_trust));
  EXPECT_TRUE(has(with(1'000'000, 0, 4), Alarm::impossible_particles, Verdict::do_not_trust));
  const Reason reason = with(1'000'000, 14, 1).front();
  EXPECT_NE(reason.text.find("only 14 of 1000000 first draws are possible"), std::string::npos) << reason.text;
  EXPECT_NE(reason.text.find("1.4e-05, is known to 26.7 %"), std::string::npos) << reason.text;
}

TEST(Verdict, AnIslandWithoutPossibleDrawsIsNoDisagreement) {
  std::vector<IslandNumbers> islands(6, {.log_evidence = {-10, 0.2}});
  islands[2].log_evidence = {-kInf, kNaN};
  EXPECT_TRUE(alarms_of_islands(islands).empty());
  islands[3].log_evidence = {-16, 0.2};
  EXPECT_TRUE(has(alarms_of_islands(islands), Alarm::islands_disagree, Verdict::do_not_trust));
  EXPECT_TRUE(alarms_of_islands(std::vector<IslandNumbers>(4, {.log_evidence = {-kInf, kNaN}})).empty());
}

// By what they can have done to the evidence, however many there are.
TEST(Verdict, NanByItsEffect) {
  EXPECT_TRUE(alarms_of_nan({.met = 0, .evaluations = 1000}).empty());
  NanNumbers nan{
      .met = 900, .evaluations = 1000, .place = "at a = 1", .of_prior = 0.5, .of_posterior = 0, .too_low = 0.01};
  EXPECT_TRUE(has(alarms_of_nan(nan), Alarm::nan_likelihood, Verdict::trust));
  nan.met = 1;
  nan.too_low = 0.11;
  EXPECT_TRUE(has(alarms_of_nan(nan), Alarm::nan_likelihood, Verdict::run_longer));
  nan.too_low = 1.1;
  EXPECT_TRUE(has(alarms_of_nan(nan), Alarm::nan_likelihood, Verdict::do_not_trust));
  const std::string text = alarms_of_nan(nan).front().text;
  for (const char* part : {"1 of 1000 evaluations", "at a = 1", "50 % of the prior", "by at most 1.1", "-inf"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  nan.too_low = kNaN;  // nobody knows
  EXPECT_TRUE(has(alarms_of_nan(nan), Alarm::nan_likelihood, Verdict::run_longer));
}

/// Two islands that agree, with a bridge of that efficiency.
Reasons bridge_alarms(const Estimate& standard, const Estimate& bridge, double efficiency) {
  const IslandNumbers island{
      .log_evidence = standard, .bridge = bridge, .bridge_usable = true, .bridge_efficiency = efficiency};
  return alarms_of_bridge({.standard = standard, .bridge = bridge, .best = standard}, std::vector{island, island});
}

TEST(Verdict, Bridge) {
  EXPECT_TRUE(bridge_alarms({-10, 0.1}, {-10.2, 0.1}, 0.5).empty());
  EXPECT_TRUE(bridge_alarms({-10, 0.1}, {}, 0.5).empty());
  EXPECT_TRUE(has(bridge_alarms({-10, 0.05}, {-10.5, 0.05}, 0.5), Alarm::bridge_disagrees, Verdict::run_longer));
  EXPECT_TRUE(has(bridge_alarms({-10, 0.05}, {-12, 0.05}, 0.5), Alarm::bridge_disagrees, Verdict::do_not_trust));
  EXPECT_TRUE(has(bridge_alarms({-10, 0.05}, {-10, 0.05}, 0.001), Alarm::bridge_poor, Verdict::trust));
}

/// Islands with these log evidences and errors of their own; NaN: not known.
std::vector<IslandNumbers> islands_of(const std::vector<double>& values, const std::vector<double>& errors = {}) {
  std::vector<IslandNumbers> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.push_back({.log_evidence = {values[i], errors.empty() ? kNaN : errors[i]}});
  return out;
}

TEST(Verdict, IslandsThatAgreeAreLeftAlone) {
  const Streams streams({.seed = 4});
  for (const double sd : {0.03, 0.1, 0.4})
    for (const std::size_t islands : {2U, 4U, 8U}) {
      int alarms = 0;
      for (std::uint32_t r = 0; r < 1000; ++r) {
        Stream s = streams.at({.step = r});
        std::vector<double> l(islands), own(islands);
        for (double& v : l) v = -20 + sd * s.normal();
        for (double& v : own) v = sd * std::exp(0.2 * s.normal());  // errors are known to 20 %
        alarms += alarms_of_islands(islands_of(l, own)).empty() ? 0 : 1;
      }
      EXPECT_LE(alarms, 20) << "of 1000, sd " << sd << ", islands " << islands;
    }
  // A difference that changes no conclusion, however many errors it is.
  EXPECT_TRUE(alarms_of_islands(islands_of({-10, -10, -10, -10.15}, std::vector(4, 0.001))).empty());
}

TEST(Verdict, IslandsThatDisagree) {
  const std::vector<double> own(8, 0.05);
  const std::vector<double> missed = {-10.02, -10.05, -9.97, -10.01, -10.6, -10.03, -9.98, -10.0};
  EXPECT_TRUE(has(alarms_of_islands(islands_of(missed, own)), Alarm::islands_disagree, Verdict::run_longer));
  EXPECT_TRUE(has(alarms_of_islands(islands_of(missed)), Alarm::islands_disagree, Verdict::run_longer));
  const std::vector<double> wide = {-10.5, -9.4, -10.9, -9.9, -10.2, -9.2, -10.4, -9.7};
  EXPECT_TRUE(has(alarms_of_islands(islands_of(wide, own)), Alarm::islands_disagree, Verdict::run_longer));
  const std::vector<double> lucky = {-20, -21, -15, -20.5, -19.7, -20.3};
  const auto reasons = alarms_of_islands(islands_of(lucky));
  EXPECT_TRUE(has(reasons, Alarm::one_island_carries, Verdict::do_not_trust));
  EXPECT_TRUE(has(reasons, Alarm::islands_disagree, Verdict::do_not_trust));
  const std::vector<double> half = {-10, -11.5, -12, -12.5, -11.8};
  EXPECT_TRUE(has(alarms_of_islands(islands_of(half)), Alarm::one_island_carries, Verdict::run_longer));
  EXPECT_TRUE(alarms_of_islands(islands_of({-3})).empty());
}

/// 2000 equally weighted draws of a parameter with prior U(0, 1).
std::vector<Reason> bound_alarms(double (*draw)(Stream&)) {
  ParameterSpace space;
  space.add("k", uniform(0, 1)).add("s", half_normal(1)).add("m", normal(0, 1));
  const auto model = lift(space, [](std::span<const double>) { return 0.0; });
  Stream s = Streams({.seed = 6}).at({});
  BlockStorage theta(3, 2000);
  for (std::size_t i = 0; i < 2000; ++i) {
    theta(0, i) = draw(s);
    theta(1, i) = 1e-3 * std::abs(s.normal());  // at zero, which is no bound that somebody chose
    theta(2, i) = s.normal();
  }
  return alarms_of_bounds(
      PriorBounds(*model, Streams({.seed = 1})).observe(theta, std::vector<double>(2000, 1.0 / 2000)));
}

TEST(Verdict, ParametersAtABound) {
  const auto upper = bound_alarms([](Stream& s) { return std::max(1e-9, 1 + 0.05 * std::log(s.uniform())); });
  ASSERT_EQ(upper.size(), 1U);
  EXPECT_TRUE(has(upper, Alarm::at_bound, Verdict::trust));
  EXPECT_NE(upper[0].text.find("'k' piles up at the upper bound"), std::string::npos) << upper[0].text;
  const auto lower = bound_alarms([](Stream& s) { return std::min(0.999, 0.1 * std::abs(s.normal())); });
  ASSERT_EQ(lower.size(), 1U);
  EXPECT_NE(lower[0].text.find("lower"), std::string::npos);
  EXPECT_TRUE(bound_alarms([](Stream& s) { return s.uniform(); }).empty());  // the data say nothing
  EXPECT_TRUE(bound_alarms([](Stream& s) { return std::clamp(0.5 + 0.1 * s.normal(), 0.01, 0.99); }).empty());
}

TEST(Verdict, PriorMismatch) {
  EXPECT_TRUE(alarms_of_prior({}).empty());
  PriorCheck bad{.log_mass = {0.9, 0.01}, .mass_agrees = false};
  bad.coordinates = {{.name = "a"}, {.name = "b", .distance = 0.3, .p_value = 1e-9, .agrees = false}};
  const auto reasons = alarms_of_prior(bad);
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_NE(reasons[0].text.find("'b'"), std::string::npos);
  EXPECT_EQ(verdict(reasons), Verdict::do_not_trust);
}

TEST(Verdict, APriorWhoseIntegralCannotBeTestedIsNotedNotAccused) {
  const auto untested = alarms_of_prior({.mass_tested = false});
  ASSERT_EQ(untested.size(), 1U);
  EXPECT_TRUE(has(untested, Alarm::prior_mismatch, Verdict::trust));
  EXPECT_NE(untested[0].text.find("could not be tested"), std::string::npos);
  EXPECT_TRUE(alarms_of_prior({.built_in = true, .mass_tested = false}).empty());
}

TEST(Verdict, Probe) {
  // 0.1 and three errors: 0.524.
  EXPECT_TRUE(alarms_of_probe({-10, 0.1}, {-9.5, 0.1}).empty());
  EXPECT_TRUE(has(alarms_of_probe({-10, 0.1}, {-9.45, 0.1}), Alarm::phase_transition, Verdict::run_longer));
  EXPECT_TRUE(alarms_of_probe({-10, 0.1}, {-13, 0.1}).empty());
  EXPECT_TRUE(alarms_of_probe({-10, 0.1}, {}).empty());
}

TEST(Verdict, Referee) {
  EXPECT_TRUE(alarms_of_referee({-10, 0.1}, {{-10.3, 0.1}}).empty());
  EXPECT_TRUE(has(alarms_of_referee({-10, 0.1}, {{-11, 0.1}}), Alarm::nested_disagrees, Verdict::do_not_trust));
  EXPECT_TRUE(has(alarms_of_referee({-10, 0.1}, {{-10, 0.6}}), Alarm::nested_disagrees, Verdict::run_longer));
  EXPECT_TRUE(has(alarms_of_referee({-10, 0.1}, {{-10, kNaN}}), Alarm::nested_disagrees, Verdict::run_longer));
  // An error from few particles is not believed, whatever it is.
  EXPECT_TRUE(has(alarms_of_referee({-10, 0.1}, {{-10, 0.1}, 9}), Alarm::nested_disagrees, Verdict::run_longer));
  EXPECT_TRUE(alarms_of_referee({-10, 0.1}, {{-10, 0.1}, 10}).empty());
}

TEST(Verdict, Precision) {
  EXPECT_TRUE(alarms_of_precision(0.4, 0).empty());
  EXPECT_TRUE(has(alarms_of_precision(0.6, 0), Alarm::imprecise, Verdict::run_longer));
  EXPECT_TRUE(has(alarms_of_precision(kNaN, 0), Alarm::imprecise, Verdict::run_longer));
  EXPECT_TRUE(alarms_of_precision(0.09, 0.1).empty());
  EXPECT_TRUE(has(alarms_of_precision(0.11, 0.1), Alarm::imprecise, Verdict::run_longer));
}

TEST(Verdict, AlarmsOfRunsNeedHalfOfThem) {
  RunNumbers healthy{.particles = 1000, .log_evidence = {-10, 0.1}, .log_evidence_path = -10};
  RunNumbers gap = healthy, phases = healthy, stuck = healthy, coalesced = healthy;
  gap.log_evidence_path = -10.5;
  phases.variance_rise = 3;
  stuck.moves = {.steps = 10, .refused = 5, .refused_at_end = true};
  coalesced.effective_eves = coalesced.eves = 2;
  EXPECT_TRUE(alarms_of_runs(std::vector{gap, healthy, healthy}).empty());
  EXPECT_TRUE(has(alarms_of_runs(std::vector{gap, healthy}), Alarm::estimates_disagree, Verdict::run_longer));
  RunNumbers worse = gap;
  worse.log_evidence_path = -12;
  EXPECT_TRUE(has(alarms_of_runs(std::vector{gap, worse}), Alarm::estimates_disagree, Verdict::do_not_trust));
  EXPECT_TRUE(has(alarms_of_runs(std::vector{phases}), Alarm::phase_transition, Verdict::run_longer));
  // Islands show whether moves that collapse matter; and the error of several runs comes from their spread.
  EXPECT_TRUE(has(alarms_of_runs(std::vector(3, stuck)), Alarm::moves_collapsed, Verdict::do_not_trust));
  EXPECT_TRUE(has(alarms_of_runs(std::vector(4, stuck)), Alarm::moves_collapsed, Verdict::trust));
  EXPECT_TRUE(has(alarms_of_runs(std::vector{coalesced}), Alarm::ancestors_coalesced, Verdict::do_not_trust));
  EXPECT_TRUE(alarms_of_runs(std::vector(2, coalesced)).empty());
}

TEST(Verdict, FewPriorDrawsOutsideAreANoteAndManyAreNot) {
  const auto few = alarms_of_prior({.draws = 4096, .outside = 3}),
             many = alarms_of_prior({.draws = 4096, .outside = 30});
  ASSERT_EQ(few.size(), 1U);
  EXPECT_EQ(verdict(few), Verdict::trust);
  EXPECT_EQ(verdict(many), Verdict::do_not_trust);
}

}  // namespace
}  // namespace evident
