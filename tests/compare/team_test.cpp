// Comparisons by several ranks: the same result as in one process, to the last bit, times apart.
#include <gtest/gtest.h>

#include <cstring>

#include "base/pack.hpp"
#include "compare/numbers.hpp"
#include "compare/regressions.hpp"
#include "compare/result_fields.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/compare.hpp"
#include "evident/smc/sampler.hpp"
#include "problems/problems.hpp"
#include "support/thread_team.hpp"

namespace evident {
namespace {

std::vector<Candidate> candidates() {
  return {{"wide", 1, problems::conjugate_normal(10, 3).model, {}},
          {"other", 1, problems::correlated_gaussian().model, {}},
          {"lopsided", 2, problems::beta_bernoulli(2, 5).model, {}}};
}

TEST(TeamCompares, WithTheBitsOfOneProcess) {
  CompareOptions replicates{
      .smc = SmcOptions{.particles = 200, .schedule = CessSchedule{0.9}}, .seed = 4, .replicates = 2, .islands = 0};
  CompareOptions islands{.smc = frozen_defaults(), .seed = 4, .islands = 4};
  islands.smc->particles = 128;
  CompareOptions single{.smc = SmcOptions{.particles = 200, .schedule = CessSchedule{0.9}}, .seed = 4, .islands = 0};
  for (const CompareOptions& options : {replicates, islands, single}) {
    const auto expected = numbers(compare(candidates(), options));
    for (const std::size_t ranks : {2UL, 4UL})  // of 4 ranks those of the last have more ranks than runs
      test::run_team(ranks, [&](Team& team) {
        CompareOptions own = options;
        own.team = &team;
        own.threads = team.rank() == 1 ? 2 : 1;
        EXPECT_EQ(numbers(compare(candidates(), own)), expected) << ranks << " ranks";
      });
  }
}

TEST(TeamCompares, FamiliesToo) {
  const FamilyCandidate family{.family = regressions(), .listed = {}};
  CompareOptions options{
      .method = Method::all_in_one, .smc = SmcOptions{.particles = 200, .schedule = CessSchedule{0.9}}, .islands = 0};
  for (const std::size_t runs : {1UL, 3UL}) {
    options.replicates = runs;
    options.team = nullptr;
    const auto expected = numbers(compare_family(family, options));
    test::run_team(2, [&](Team& team) {
      CompareOptions own = options;
      own.team = &team;
      EXPECT_EQ(numbers(compare_family(family, own)), expected) << runs << " runs";
    });
  }
}

TEST(Wire, RefusesWhatIsCut) {
  runs::Finished finished;
  finished.replicate.details = {{"a", 1.0}};
  finished.replicate.warnings = {"careful"};
  finished.replicate.trace.steps.resize(3);
  finished.draws.names = {"x"};
  finished.draws.values = BlockStorage(1, 5);
  const std::vector<std::byte> bytes = pack_value(finished);
  const runs::Finished back = unpack_value<runs::Finished>(bytes);
  EXPECT_EQ(back.replicate.warnings, finished.replicate.warnings);
  EXPECT_EQ(back.replicate.trace.steps.size(), 3U);
  EXPECT_EQ(back.draws.values.size(), 5U);
  EXPECT_THROW(unpack_value<runs::Finished>(std::span(bytes).first(bytes.size() - 1)), RunError);
  EXPECT_THROW(unpack_value<runs::Finished>({}), RunError);
}

/// The bytes without their sum, changed, with the sum that belongs to them.
template <class Change>
std::vector<std::byte> forged(std::vector<std::byte> bytes, const Change& change) {
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  change(bytes);
  const std::uint64_t sum = sum_of_bytes(bytes);
  const auto tail = std::as_bytes(std::span(&sum, 1));
  bytes.insert(bytes.end(), tail.begin(), tail.end());
  return bytes;
}

TEST(Wire, RefusesValuesThatAreNone) {
  const Reason reason{Alarm::imprecise, Verdict::run_longer, "why"};
  const std::vector<std::byte> packed = pack_value(reason);
  EXPECT_EQ(unpack_value<Reason>(packed).code, Alarm::imprecise);
  for (const std::size_t at : {std::size_t{0}, sizeof(Alarm), sizeof(Alarm) + 3}) {
    const auto bad = forged(packed, [&](auto& bytes) { bytes[at] = std::byte{0xF0}; });
    EXPECT_THROW(unpack_value<Reason>(bad), RunError) << at;
  }
  runs::Finished finished;
  finished.replicate.trace.steps.resize(1);
  // Behind two estimates, two numbers and two flags comes the count of bytes of the steps.
  const std::size_t flag = 12 * sizeof(double) + 2 + 8 + offsetof(Step, resampled);
  const auto with = [&](std::byte value) { return forged(pack_value(finished), [&](auto& b) { b[flag] = value; }); };
  EXPECT_THROW(unpack_value<runs::Finished>(with(std::byte{2})), RunError);
  EXPECT_NO_THROW(unpack_value<runs::Finished>(with(std::byte{1})));
}

TEST(Wire, JudgementsKeepEveryNumber) {
  JudgedModel judged{
      .evidence = {.standard = {-3, 0.1, 7}, .bridge = {-3.1, 0.2, 30}, .best = {-3.05, 0.05, 9}, .island_sd = 0.3},
      .judgement = {.log_evidence = {-3.05, 0.05, 9},
                    .verdict = Verdict::run_longer,
                    .reasons = {{Alarm::at_bound, Verdict::trust, "x"}}},
      .nested = {-3, 0.4},
      .nested_evaluations = 12};
  const auto back = unpack_value<JudgedModel>(pack_value(judged));
  EXPECT_EQ(pack_value(back), pack_value(judged));
  EXPECT_EQ(back.evidence.bridge.degrees, 30);
  EXPECT_EQ(back.judgement.reasons.front().text, "x");
  EXPECT_EQ(back.nested_evaluations, 12U);
}

}  // namespace
}  // namespace evident
