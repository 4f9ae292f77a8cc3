// Comparisons that are stopped again and again: they go on where they were, and end with the bits of one that nobody
// stopped.
#include "evident/compare/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <memory>
#include <set>

#include "compare/identity.hpp"
#include "compare/method.hpp"
#include "compare/numbers.hpp"
#include "compare/option_fields.hpp"
#include "compare/regressions.hpp"
#include "dist/fitted_mixture.hpp"
#include "evident/base/error.hpp"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"
#include "journal/journal.hpp"
#include "problems/problems.hpp"
#include "support/messages.hpp"
#include "support/temporary_folder.hpp"
#include "support/thread_team.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

std::vector<Candidate> candidates() {
  return {{"wide", 1, problems::conjugate_normal(10, 3).model, {}},
          {"lopsided", 2, problems::beta_bernoulli(2, 5).model, {}}};
}

/// Asks for a stop after so many steps or finished runs.
class Stopper final : public CompareObserver {
 public:
  explicit Stopper(std::size_t steps) : steps_(steps) {}
  std::stop_token token() const { return source_.get_token(); }
  void on_step(std::size_t, std::size_t, const Trace&) override { count(); }
  void on_finish(std::size_t, std::size_t, const Replicate&) override { count(); }

 private:
  void count() {
    if (++seen_ >= steps_) source_.request_stop();
  }
  std::atomic<std::size_t> seen_ = 0;
  std::size_t steps_;
  std::stop_source source_;
};

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
      expect_same(candidates(),
                  {.smc = SmcOptions{.particles = 128,
                                     .schedule = CessSchedule{0.9},
                                     .kernel = {.kind = kind, .scale_rule = ScaleRule::jump},
                                     .waste_free = waste_free},
                   .seed = 4,
                   .replicates = 2,
                   .islands = 0},
                  4);
}

TEST(Checkpoint, AStopIsNotedWhereARunIsUnderWay) {
  const TemporaryFolder folder;
  const CompareOptions options{.smc = SmcOptions{.particles = 64}, .threads = 1, .islands = 0};
  constexpr double kNever = 1e9;
  Checkpoint checkpoint({.folder = folder.path() / "kept", .note_every = kNever},
                        comparison_identity(candidates(), options));
  CompareOptions own = options;
  own.checkpoint = &checkpoint;
  Stopper stopper(3);
  EXPECT_THROW(compare(candidates(), own, &stopper, stopper.token()), RunError);
  std::size_t notes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "kept"))
    notes += entry.path().extension() == ".note";
  EXPECT_EQ(notes, 1U);
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
  expect_same(candidates(), options, 6);
  options.smc->kernel.kind = KernelKind::independent;
  expect_same(candidates(), options, 6);
  options.goal.precision = 0.02;
  expect_same(candidates(), options, 6);
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
    const auto expected = numbers(compare(candidates(), options));
    const JournalIdentity identity = comparison_identity(candidates(), options);
    {  // stopped in one process
      Checkpoint checkpoint({.folder = folder.path() / "kept", .note_every = 0}, identity);
      CompareOptions own = options;
      own.checkpoint = &checkpoint;
      Stopper stopper(14);
      EXPECT_THROW(compare(candidates(), own, &stopper, stopper.token()), RunError);
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
        EXPECT_EQ(numbers(compare(candidates(), own)), expected) << ranks << " ranks";
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

/// Changes one number after the other by the least that there is, and calls f after each change.
template <class T, class F>
void change_each(T& x, const F& f) {
  const T before = x;
  if constexpr (std::is_same_v<T, bool>) {
    x = !x;
  } else if constexpr (std::is_floating_point_v<T>) {
    x = std::nextafter(x, kInf);
  } else if constexpr (std::is_enum_v<T>) {
    x = static_cast<T>(static_cast<int>(x) + 1);
  } else if constexpr (std::is_integral_v<T>) {
    ++x;
  } else if constexpr (HasFields<T>) {
    for_each_field(x, [&](std::string_view, auto& one) { change_each(one, f); });
    return;
  } else if constexpr (requires { x.has_value(); }) {
    if (x) {
      change_each(*x, f);
      x.reset();
    } else {
      x.emplace();
    }
  } else if constexpr (requires { x.push_back(1); }) {
    for (auto& one : x) change_each(one, f);
    x.push_back(1);
  } else if constexpr (requires { x.valueless_by_exception(); }) {
    std::visit([&](auto& one) { change_each(one, f); }, x);
    x = LinearSchedule{.steps = 12345};
  } else if constexpr (std::is_same_v<T, std::shared_ptr<const FittedMixture>>) {
    x = std::make_shared<const FittedMixture>(std::vector<MixtureComponent>{{.weight = 1, .mean = {0}, .root = {1}}});
  } else {
    x = [](std::size_t, double) { return 1.0; };  // the scales of manual moves
  }
  f();
  x = before;
}

TEST(Checkpoint, EveryOptionCountsToTheLastBit) {
  CompareOptions options = default_options();
  const auto fingerprint = [&] { return comparison_identity(candidates(), options).fingerprint(); };
  std::set<std::uint64_t> seen = {fingerprint()};
  std::size_t changes = 0;
  const auto look = [&] { seen.insert(fingerprint()), ++changes; };
  change_each(options, look);
  EXPECT_EQ(seen.size(), changes + 1);
  EXPECT_GT(changes, 80U);
  for (const Schedule& schedule :
       {Schedule(ListSchedule{{0.1, 0.5, 1}}), Schedule(EssSchedule{}), Schedule(PowerSchedule{})}) {
    options.smc->schedule = schedule;
    seen = {fingerprint()};
    changes = 0;
    change_each(options.smc->schedule, look);
    EXPECT_EQ(seen.size(), changes + 1);
    EXPECT_GT(changes, 1U);
  }
  // The sampler of one model counts like that of all.
  std::vector<Candidate> models = candidates();
  models[0].smc = SmcOptions{};
  std::set<std::uint64_t> own;
  changes = 0;
  change_each(*models[0].smc, [&] { own.insert(comparison_identity(models, options).fingerprint()), ++changes; });
  EXPECT_EQ(own.size(), changes);
}

TEST(Checkpoint, RefusesAnotherRun) {
  const TemporaryFolder folder;
  const CheckpointOptions resume{.folder = folder.path() / "kept", .resume = true};
  CompareOptions options{.smc = SmcOptions{.particles = 128}, .seed = 4, .islands = 0};
  { const Checkpoint first({.folder = resume.folder}, comparison_identity(candidates(), options)); }
  const auto refusal = [&](const std::vector<Candidate>& models, const CompareOptions& o) {
    return message_of<InputError>([&] { const Checkpoint again(resume, comparison_identity(models, o)); });
  };
  options.seed = 5;
  EXPECT_THAT(refusal(candidates(), options), HasSubstr("seed = 4, this run has 5"));
  options.seed = 4;
  options.smc->kernel.passes = 7;
  EXPECT_THAT(refusal(candidates(), options), HasSubstr("sum of all options"));
  options.smc->kernel.passes = KernelOptions{}.passes;
  std::vector<Candidate> other = candidates();
  other[0].model = problems::conjugate_normal(11, 3).model;  // the same parameters, other data
  EXPECT_THAT(refusal(other, options), HasSubstr("log likelihood of model 'wide' at two draws"));
  EXPECT_THAT(message_of<InputError>([&] {
                const Checkpoint again({.folder = resume.folder}, comparison_identity(candidates(), options));
              }),
              HasSubstr("add option resume to go on with it, or option replace to begin again"));
  const Checkpoint same(resume, comparison_identity(candidates(), options));
}

TEST(Checkpoint, DamageIsDoneAgain) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "kept";
  CompareOptions options{.smc = frozen_defaults(), .seed = 4, .threads = 1, .islands = 4};
  options.smc->particles = 128;
  const auto expected = numbers(compare(candidates(), options));
  const JournalIdentity identity = comparison_identity(candidates(), options);
  const auto run = [&](std::size_t steps) {
    Checkpoint checkpoint({.folder = path, .resume = true, .note_every = 0}, identity);
    CompareOptions own = options;
    own.checkpoint = &checkpoint;
    Stopper stopper(steps);
    return numbers(compare(candidates(), own, &stopper, stopper.token()));
  };
  EXPECT_THROW(run(40), RunError);
  std::size_t notes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    notes += entry.path().extension() == ".note";
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    if (entry.path().extension() == ".note")
      file.seekp(-200, std::ios::end);
    else  // within one of the pieces
      file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file.put('#');
  }
  EXPECT_GE(notes, 1U);
  std::filesystem::resize_file(path / "journal", std::filesystem::file_size(path / "journal") - 7);
  {
    const Checkpoint damaged({.folder = path, .resume = true}, identity);
    EXPECT_EQ(damaged.pieces_done_again(), 1U);
  }
  EXPECT_EQ(run(1000000), expected);
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

TEST(Checkpoint, OfAShortRunLeavesNothing) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "kept";
  CompareOptions options{.smc = SmcOptions{.particles = 128}, .seed = 4, .islands = 0};
  Checkpoint checkpoint({.folder = path, .after = 1000}, comparison_identity(candidates(), options));
  options.checkpoint = &checkpoint;
  compare(candidates(), options);
  EXPECT_FALSE(checkpoint.is_written());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Checkpoint, LeavesForeignFilesAlone) {
  const TemporaryFolder folder;
  folder.write("mine.txt", "x");
  Checkpoint checkpoint({.folder = folder.path()}, JournalIdentity{});
  EXPECT_TRUE(Checkpoint::is_begun(folder.path()));
  checkpoint.finish();
  EXPECT_FALSE(Checkpoint::is_begun(folder.path()));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "mine.txt"));
  folder.write("file", "x");
  EXPECT_THROW(Checkpoint({.folder = folder.path() / "file"}, JournalIdentity{}), InputError);
  EXPECT_THROW(Checkpoint({.folder = folder.path() / "file", .after = 1000}, JournalIdentity{}), InputError)
      << "before any work";
}

TEST(Checkpoint, ReplacesNoJournalOfSomebodyElse) {
  const TemporaryFolder folder;
  const CheckpointOptions options{.folder = folder.path(), .replace = true};
  folder.write("journal", "Monday: rain");
  folder.write("my.note", "n");
  folder.write("0123456789abcdef.note", "n");
  EXPECT_THAT(message_of<InputError>([&] { const Checkpoint checkpoint(options, JournalIdentity{}); }),
              HasSubstr("is not a journal of evident"));
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "journal"), 12U);
  std::filesystem::remove(folder.path() / "journal");
  { const Checkpoint begun(options, JournalIdentity{}); }
  Checkpoint again(options, JournalIdentity{});
  again.finish();
  EXPECT_FALSE(Checkpoint::is_begun(folder.path()));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "my.note"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "0123456789abcdef.note"));
}

}  // namespace
}  // namespace evident
