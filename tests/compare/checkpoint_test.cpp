// Comparisons that are stopped again and again: they go on where they were, and end with the bits of one that nobody
// stopped.
#include "evident/compare/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>

#include "compare/identity.hpp"
#include "compare/method.hpp"
#include "compare/numbers.hpp"
#include "compare/regressions.hpp"
#include "compare/stopping.hpp"
#include "evident/base/error.hpp"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"
#include "journal/journal.hpp"
#include "problems/problems.hpp"
#include "support/temporary_folder.hpp"
#include "support/thread_team.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

/// Asks for a stop whenever one more piece of work is finished.
class Tripwire final : public CheckpointStore {
 public:
  explicit Tripwire(CheckpointStore& to) : to_(to) {}
  std::stop_token token() const { return source_.get_token(); }
  std::optional<Bytes> find(const std::string& key) override { return to_.find(key); }
  void keep(const std::string& key, std::span<const std::byte> bytes) override {
    to_.keep(key, bytes);
    source_.request_stop();
  }
  std::optional<Bytes> find_note(const std::string& key) override { return to_.find_note(key); }
  bool wants_note(const std::string& key) override { return to_.wants_note(key); }
  void note(const std::string& key, std::span<const std::byte> bytes) override { to_.note(key, bytes); }

 private:
  CheckpointStore& to_;
  std::stop_source source_;
};

struct Attempts {
  Comparison result;
  std::size_t stops = 0;
};

/// Stopped after `steps`, then later and later, with other numbers of threads, until it comes to its end.
template <class Run>
Attempts stop_and_go(const CompareOptions& options, const JournalIdentity& identity, std::size_t steps,
                     const Run& run) {
  const TemporaryFolder folder;
  Attempts out;
  for (;; ++out.stops, steps += std::max<std::size_t>(1, steps / 2)) {
    Checkpoint checkpoint({.folder = folder.path() / "kept", .resume = true, .note_every = 0}, identity);
    CompareOptions own = options;
    own.checkpoint = &checkpoint;
    own.threads = out.stops % 2 == 0 ? 1 : 2;
    Stopper stopper(steps);
    try {
      out.result = run(own, &stopper, stopper.token());
    } catch (const RunError& e) {
      EXPECT_THAT(e.what(), HasSubstr("stopped before the end"));
      EXPECT_TRUE(checkpoint.is_written());
      continue;
    }
    checkpoint.finish();
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "kept"));
    return out;
  }
}

void expect_same(const std::vector<Candidate>& models, const CompareOptions& options, std::size_t steps,
                 std::size_t least_stops = 3) {
  const Attempts out = stop_and_go(options, comparison_identity(models, options), steps,
                                   [&](const CompareOptions& own, CompareObserver* observer, std::stop_token stop) {
                                     return compare(models, own, observer, std::move(stop));
                                   });
  EXPECT_EQ(numbers(out.result), numbers(compare(models, options)));
  EXPECT_GE(out.stops, least_stops);
}

TEST(Checkpoint, OfReplicates) {
  for (const KernelKind kind : {KernelKind::random_walk, KernelKind::crank_nicolson, KernelKind::independent})
    for (const std::size_t waste_free : {0UL, 8UL})
      expect_same(two_models(),
                  {.smc = SmcOptions{.particles = 128,
                                     .schedule = CessSchedule{0.9},
                                     .kernel = {.kind = kind, .scale_rule = ScaleRule::jump},
                                     .waste_free = waste_free},
                   .seed = 4,
                   .replicates = 2,
                   .islands = 0},
                  4);
}

TEST(Checkpoint, OfGradients) {
  for (const KernelKind kind : {KernelKind::mala, KernelKind::hmc})
    expect_same({{"one", 1, problems::conjugate_normal(10, 3).model, {}}},
                {.smc = SmcOptions{.particles = 128, .schedule = CessSchedule{0.9}, .kernel = {.kind = kind}},
                 .seed = 4,
                 .islands = 0},
                2, 2);
}

TEST(Checkpoint, OfIslandsAndRounds) {
  CompareOptions options{.smc = frozen_defaults(), .seed = 4, .threads = 1, .islands = 4};
  options.smc->particles = 128;
  expect_same(two_models(), options, 6);
  options.smc->kernel.kind = KernelKind::independent;
  expect_same(two_models(), options, 6);
  options.goal.precision = 0.02;
  expect_same(two_models(), options, 6);
}

// Stopped while draws of the prior replace impossible ones, and after that.
TEST(Checkpoint, WhereMostDrawsAreImpossible) {
  const std::vector<Candidate> models = {{"rare", 1, problems::possible_square(1e-3).model, {}}};
  CompareOptions options{.smc = frozen_defaults(), .seed = 4, .threads = 1, .islands = 4};
  options.smc->particles = 128;
  options.smc->max_prior_draws = 30'000;
  expect_same(models, options, 3);
  const auto expected = numbers(compare(models, options));
  test::run_team(2, [&](Team& team) {
    CompareOptions own = options;
    own.team = &team;
    EXPECT_EQ(numbers(compare(models, own)), expected);
  });
}

// Many coordinates for the particles: islands build their bridges to what the pilot's particles look like, wherever
// the pilot was run.
TEST(Checkpoint, OfThePilotsDensity) {
  const std::vector<Candidate> models = {{"many", 1, problems::unit_gaussian(16).model, {}}};
  CompareOptions options{.smc = frozen_defaults(), .seed = 4, .threads = 1, .islands = 4};
  options.smc->particles = 128;
  expect_same(models, options, 6);
  const auto expected = numbers(compare(models, options));
  for (const std::size_t ranks : {2UL, 3UL})
    test::run_team(ranks, [&](Team& team) {
      CompareOptions own = options;
      own.team = &team;
      EXPECT_EQ(numbers(compare(models, own)), expected) << ranks << " ranks";
    });
}

// Two pilots, islands, a probe, a nested pilot with its runs, and a verdict: stopped after each of them.
TEST(Checkpoint, OfNestedChecks) {
  CompareOptions options{.smc = frozen_defaults(), .seed = 1, .threads = 1, .islands = 4};
  options.smc->particles = 200;
  const std::vector<Candidate> models = {{"spike", 1, problems::spike_in_normal(5, 0.1, 100).model, {}}};
  const Comparison whole = compare(models, options);
  ASSERT_TRUE(std::isfinite(whole.models[0].log_evidence_nested.value));  // else there is nothing to check
  const TemporaryFolder folder;
  const JournalIdentity identity = comparison_identity(models, options);
  std::size_t stops = 0;
  for (;; ++stops) {
    ASSERT_LT(stops, 80U);
    Checkpoint checkpoint({.folder = folder.path() / "kept", .resume = true}, identity);
    EXPECT_EQ(checkpoint.found(), stops);
    Tripwire tripwire(checkpoint);
    options.checkpoint = &tripwire;
    try {
      EXPECT_EQ(numbers(compare(models, options, nullptr, tripwire.token())), numbers(whole));
      break;
    } catch (const RunError&) {
    }
  }
  EXPECT_GE(stops, 1 + 4 + 1 + 1 + 4U);  // at least: islands in doubt begin again. The verdict comes last
}

TEST(Checkpoint, OfOtherMethods) {
  for (const Method method : {Method::ais, Method::population_mcmc, Method::bic, Method::harmonic_mean}) {
    CompareOptions options{.method = method,
                           .smc = SmcOptions{.particles = 128, .schedule = CessSchedule{0.9}},
                           .replicates = 3,
                           .islands = 0};
    options.population_mcmc = {.chains = 6, .burn_in = 50, .iterations = 100};
    options.posterior_chain = {.chains = 8, .burn_in = 50, .iterations = 100};
    expect_same(regression_candidates(), options, 1, 2);
  }
}

TEST(Checkpoint, OfFamilies) {
  const FamilyCandidate family{.family = regressions(), .listed = {{0, "none"}, {1, "x1"}}};
  for (const Method method : {Method::all_in_one, Method::relative, Method::rjmcmc}) {
    CompareOptions options{.method = method,
                           .smc = SmcOptions{.particles = 200, .schedule = CessSchedule{0.9}},
                           .replicates = 3,
                           .islands = 0};
    options.rjmcmc = {.chains = 2, .burn_in = 100, .iterations = 100};
    const Attempts out = stop_and_go(options, comparison_identity(family, options), 1,
                                     [&](const CompareOptions& own, CompareObserver* observer, std::stop_token stop) {
                                       return compare_family(family, own, observer, std::move(stop));
                                     });
    EXPECT_EQ(numbers(out.result), numbers(compare_family(family, options))) << info(method).name;
    EXPECT_GE(out.stops, 2U);
  }
}

// A pilot, islands, and a judgement of each model, with its probe.
TEST(Checkpoint, OfIslandsOnAFamily) {
  const FamilyCandidate family{.family = regressions(), .listed = {{0, "none"}, {1, "x1"}}};
  CompareOptions options = default_options(Method::all_in_one);
  options.smc->particles = 200;
  options.islands = 4;
  const Attempts out = stop_and_go(options, comparison_identity(family, options), 1,
                                   [&](const CompareOptions& own, CompareObserver* observer, std::stop_token stop) {
                                     return compare_family(family, own, observer, std::move(stop));
                                   });
  EXPECT_EQ(numbers(out.result), numbers(compare_family(family, options)));
  EXPECT_GE(out.stops, 1 + 4 + 2U);
}

TEST(Checkpoint, OfTeams) {
  CompareOptions islands{.smc = frozen_defaults(), .seed = 4, .islands = 4};
  islands.smc->particles = 128;
  const CompareOptions single{
      .smc = SmcOptions{.particles = 256, .schedule = CessSchedule{0.9}}, .seed = 4, .islands = 0};
  for (const CompareOptions& options : {islands, single}) {
    const TemporaryFolder folder;
    const auto expected = numbers(compare(two_models(), options));
    const JournalIdentity identity = comparison_identity(two_models(), options);
    {  // stopped in one process
      Checkpoint checkpoint({.folder = folder.path() / "kept", .note_every = 0}, identity);
      CompareOptions own = options;
      own.checkpoint = &checkpoint;
      Stopper stopper(14);
      EXPECT_THROW(compare(two_models(), own, &stopper, stopper.token()), RunError);
    }
    for (const std::size_t ranks : {2UL, 4UL})  // gone on with by two; all is there when four look
      test::run_team(ranks, [&](Team& team) {
        Checkpoint checkpoint({.folder = folder.path() / "kept", .resume = true}, identity, team);
        CompareOptions own = options;
        own.team = &team;
        own.checkpoint = &checkpoint;
        if (team.leads() && ranks == 4) {
          EXPECT_GT(checkpoint.found(), 0U);
        }
        EXPECT_EQ(numbers(compare(two_models(), own)), expected) << ranks << " ranks";
      });
  }
}

/// Counts how often its likelihood is asked for.
std::shared_ptr<const Model> counting(std::atomic<std::size_t>& calls) {
  ParameterSpace space;
  space.add("x", normal(0, 10));
  return lift(space, [&calls](auto theta) {
    ++calls;
    return -50 * (theta[0] - 1) * (theta[0] - 1);
  });
}

TEST(Checkpoint, DoesNothingTwiceInALongRun) {
  std::atomic<std::size_t> calls = 0;
  const std::vector<Candidate> models = {{"one", 1, counting(calls), {}}};
  const CompareOptions options{
      .smc = SmcOptions{.particles = 200, .schedule = CessSchedule{0.99}}, .seed = 4, .islands = 0};
  const Comparison whole = compare(models, options);
  const std::size_t once = calls.exchange(0);
  const Attempts out = stop_and_go(options, comparison_identity(models, options), 8,
                                   [&](const CompareOptions& own, CompareObserver* observer, std::stop_token stop) {
                                     return compare(models, own, observer, std::move(stop));
                                   });
  EXPECT_EQ(numbers(out.result), numbers(whole));
  EXPECT_GE(out.stops, 3U);
  EXPECT_LT(static_cast<double>(calls), 1.1 * static_cast<double>(once));
}

/// Gives up when its likelihood was asked for so often, as a user's function does that raises an exception.
std::shared_ptr<const Model> failing(std::atomic<std::size_t>& calls, std::atomic<std::size_t>& limit) {
  ParameterSpace space;
  space.add("x", normal(0, 10));
  space.add("y", normal(0, 1));
  return lift(space, [&](auto theta) {
    if (++calls > limit) throw FatalError("the likelihood failed");
    // Two places, and NaN between them: judges ask nested sampling, the bridge and what NaN may have hidden.
    if (std::abs(theta[0]) < 0.01) return kNaN;
    const double x = std::abs(theta[0]) - 1;
    return -5000 * x * x;
  });
}

TEST(Checkpoint, AFailureAtAnyMomentLosesNothing) {
  std::atomic<std::size_t> calls = 0, limit = ~std::size_t{0};
  const std::vector<Candidate> models = {{"one", 1, failing(calls, limit), {}}};
  CompareOptions options{.smc = frozen_defaults(), .seed = 4, .threads = 1, .islands = 4};
  options.smc->particles = 128;
  const auto expected = numbers(compare(models, options));
  const std::size_t whole = calls;
  const JournalIdentity identity = comparison_identity(models, options);
  constexpr std::size_t kMoments = 16;
  for (std::size_t k = 1; k < kMoments; ++k) {
    const TemporaryFolder folder;
    const CheckpointOptions kept{.folder = folder.path() / "kept", .resume = true, .note_every = 0};
    calls = 0;
    limit = whole * k / kMoments;
    {
      Checkpoint checkpoint(kept, identity);
      CompareOptions own = options;
      own.checkpoint = &checkpoint;
      EXPECT_THROW(compare(models, own), RunError) << k;
    }
    limit = ~std::size_t{0};
    ASSERT_TRUE(Checkpoint::is_begun(kept.folder)) << k;
    Checkpoint checkpoint(kept, identity);
    CompareOptions own = options;
    own.checkpoint = &checkpoint;
    EXPECT_EQ(numbers(compare(models, own)), expected) << k;
  }
}

}  // namespace
}  // namespace evident
