// What makes a run another one, so that a checkpoint refuses it: every option, the models and their data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>

#include "compare/identity.hpp"
#include "compare/option_fields.hpp"
#include "compare/stopping.hpp"
#include "dist/fitted_mixture.hpp"
#include "evident/base/error.hpp"
#include "evident/compare/checkpoint.hpp"
#include "journal/journal.hpp"
#include "support/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

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
  const auto fingerprint = [&] { return comparison_identity(two_models(), options).fingerprint(); };
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
  std::vector<Candidate> models = two_models();
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
  { const Checkpoint first({.folder = resume.folder}, comparison_identity(two_models(), options)); }
  const auto refusal = [&](const std::vector<Candidate>& models, const CompareOptions& o) {
    return message_of<InputError>([&] { const Checkpoint again(resume, comparison_identity(models, o)); });
  };
  options.seed = 5;
  EXPECT_THAT(refusal(two_models(), options), HasSubstr("seed = 4, this run has 5"));
  options.seed = 4;
  options.smc->kernel.passes = 7;
  EXPECT_THAT(refusal(two_models(), options), HasSubstr("sum of all options"));
  options.smc->kernel.passes = KernelOptions{}.passes;
  std::vector<Candidate> other = two_models();
  other[0].model = problems::conjugate_normal(11, 3).model;  // the same parameters, other data
  EXPECT_THAT(refusal(other, options), HasSubstr("log likelihood of model 'wide' at two draws"));
  EXPECT_THAT(message_of<InputError>([&] {
                const Checkpoint again({.folder = resume.folder}, comparison_identity(two_models(), options));
              }),
              HasSubstr("add option resume to go on with it, or option replace to begin again"));
  const Checkpoint same(resume, comparison_identity(two_models(), options));
}

}  // namespace
}  // namespace evident
