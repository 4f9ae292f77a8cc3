#include "evident/path/trace.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "evident/base/error.hpp"
#include "path/pack_trace.hpp"

namespace evident {
namespace {

/// Every number is another one.
Trace made_up() {
  Trace t;
  t.steps = {{.alpha = 0}, {.alpha = 0.25}, {.alpha = 1}};
  t.log_initial = -1.5;
  t.first = {5000, 40, 0.0078};
  t.steps[1].log_ratio = -2.5;
  t.steps[1].resampled = true;
  t.steps[1].acceptance = 0.4;
  t.steps[1].evaluations = 64;
  t.steps[1].finer = {1, 2, 3, 4, 5, 6, 7};
  t.steps[1].groups = {.upper = 0.5, .distance = 3.5, .valley = 0.125};
  t.steps[2].acceptance = 0.2;
  t.steps[2].evaluations = 32;
  t.particles = 64;
  t.evaluations = 160;
  t.nan_evaluations = 3;
  t.nan_points = {{0.5, -2}, {1, 7}};
  t.gradients = 5;
  t.waste_free = 8;
  t.generations = {{.back = {{.squares = 0.1, .spread = 0.2, .log_pairs = 0.3}}, .eve = {.squares = 0.4}, .eves = 17}};
  return t;
}

std::vector<std::byte> packed(const Trace& trace) {
  Packer out;
  put_trace(out, trace);
  return out.finish();
}

Trace unpacked(const std::vector<std::byte>& bytes) {
  Unpacker in(bytes);
  Trace t = get_trace(in);
  in.end();
  return t;
}

TEST(Trace, CountsResamplings) {
  Trace t = made_up();
  EXPECT_EQ(t.resamplings(), 1u);
  t.steps[2].resampled = true;
  EXPECT_EQ(t.resamplings(), 2u);
  EXPECT_EQ(Trace().resamplings(), 0u);
}

TEST(Trace, MeanAcceptanceIsOfStepsThatMoved) {
  Trace t = made_up();
  t.steps[0].acceptance = 1;  // of the initial population, which has not moved
  t.steps[0].evaluations = 64;
  EXPECT_DOUBLE_EQ(t.mean_acceptance(), 0.3);
  t.steps.push_back({.alpha = 1});
  EXPECT_DOUBLE_EQ(t.mean_acceptance(), 0.3);
  t.steps.back().evaluations = 64;  // all of its proposals were refused
  EXPECT_DOUBLE_EQ(t.mean_acceptance(), 0.2);
  EXPECT_EQ(Trace().mean_acceptance(), 0);
}

TEST(Trace, ComesBackFromItsBytes) {
  const Trace t = made_up(), back = unpacked(packed(t));
  EXPECT_EQ(packed(back), packed(t));
  ASSERT_EQ(back.steps.size(), 3u);
  EXPECT_EQ(back.steps[1].log_ratio, -2.5);
  EXPECT_TRUE(back.steps[1].resampled);
  EXPECT_EQ(back.steps[1].finer, t.steps[1].finer);
  EXPECT_EQ(back.steps[1].groups.valley, 0.125);
  EXPECT_EQ(back.steps[2].alpha, 1);
  EXPECT_EQ(back.log_initial, -1.5);
  EXPECT_EQ(back.first.made, 5000U);
  EXPECT_EQ(back.first.possible, 40U);
  EXPECT_EQ(back.first.share, 0.0078);
  EXPECT_EQ(back.particles, 64u);
  EXPECT_EQ(back.evaluations, 160u);
  EXPECT_EQ(back.nan_evaluations, 3u);
  EXPECT_EQ(back.nan_points, t.nan_points);
  EXPECT_EQ(back.gradients, 5u);
  EXPECT_EQ(back.waste_free, 8u);
  ASSERT_EQ(back.generations.size(), 1u);
  EXPECT_EQ(back.generations[0].back.at(0).spread, 0.2);
  EXPECT_EQ(back.generations[0].eve.squares, 0.4);
  EXPECT_EQ(back.generations[0].eves, 17u);
}

TEST(Trace, AFlagThatIsNoFlagIsRefused) {
  std::vector<std::byte> bytes = packed(made_up());
  const auto spoil = [&](std::byte flag) {  // of the first step, after the number of bytes; the sum at the end is right
    bytes[sizeof(std::uint64_t) + offsetof(Step, resampled)] = flag;
    const std::uint64_t sum = sum_of_bytes(std::span(bytes).first(bytes.size() - sizeof sum));
    std::memcpy(bytes.data() + bytes.size() - sizeof sum, &sum, sizeof sum);
  };
  spoil(std::byte{1});
  EXPECT_TRUE(unpacked(bytes).steps[0].resampled);
  spoil(std::byte{2});
  EXPECT_THROW(unpacked(bytes), RunError);
}

}  // namespace
}  // namespace evident
