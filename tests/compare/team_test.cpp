// Comparisons by several ranks: the same result as in one process, to the last bit, times apart.
#include <gtest/gtest.h>

#include <cstring>

#include "base/pack.hpp"
#include "compare/numbers.hpp"
#include "compare/regressions.hpp"
#include "compare/wire.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/compare.hpp"
#include "evident/smc/frozen.hpp"
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
  CompareOptions replicates{.smc = {.particles = 200, .schedule = CessSchedule{0.9}}, .seed = 4, .replicates = 2};
  CompareOptions islands{.smc = frozen_defaults(), .seed = 4, .islands = 4};
  islands.smc.particles = 128;
  CompareOptions single{.smc = {.particles = 200, .schedule = CessSchedule{0.9}}, .seed = 4};
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
  CompareOptions options{.method = Method::all_in_one, .smc = {.particles = 200, .schedule = CessSchedule{0.9}}};
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
  const std::vector<std::byte> bytes = wire::pack(finished);
  const runs::Finished back = wire::unpack_finished(bytes);
  EXPECT_EQ(back.replicate.warnings, finished.replicate.warnings);
  EXPECT_EQ(back.replicate.trace.steps.size(), 3U);
  EXPECT_EQ(back.draws.values.size(), 5U);
  EXPECT_THROW(wire::unpack_finished(std::span(bytes).first(bytes.size() - 1)), RunError);
  EXPECT_THROW(wire::unpack_finished({}), RunError);
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
  ModelResult result;
  result.verdict = Verdict::run_longer;
  result.reasons = {{Alarm::imprecise, Verdict::run_longer, "why"}};
  const std::vector<std::byte> judgement = wire::pack_judgement(result);
  ModelResult back;
  wire::unpack_judgement(judgement, back);
  EXPECT_EQ(back.reasons.front().code, Alarm::imprecise);
  // Behind 11 numbers and a count come a flag and the verdict, then the number of reasons, their codes and levels.
  constexpr std::size_t kVerdict = 12 * sizeof(double) + 1, kCode = kVerdict + sizeof(Verdict) + 8;
  for (const std::size_t at : {kVerdict, kCode, kCode + sizeof(Alarm), kVerdict + 3}) {
    const auto bad = forged(judgement, [&](auto& bytes) { bytes[at] = std::byte{0xF0}; });
    EXPECT_THROW(wire::unpack_judgement(bad, back), RunError) << at;
  }
  runs::Finished finished;
  finished.replicate.trace.steps.resize(1);
  const std::size_t flag = 7 * sizeof(double) + 2 + 8 + offsetof(Step, resampled);
  EXPECT_THROW(wire::unpack_finished(forged(wire::pack(finished), [&](auto& b) { b[flag] = std::byte{2}; })), RunError);
  EXPECT_NO_THROW(wire::unpack_finished(forged(wire::pack(finished), [&](auto& b) { b[flag] = std::byte{1}; })));
}

}  // namespace
}  // namespace evident
