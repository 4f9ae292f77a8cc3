#include "base/suggest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace evident {
namespace {

constexpr std::array<std::string_view, 5> kKnown = {"particles", "seed", "half-normal", "normal", "p"};

TEST(Suggest, FindsTheNearestName) {
  EXPECT_EQ(nearest("partciles", kKnown), "particles");
  EXPECT_EQ(nearest("sede", kKnown), "seed");  // two letters swapped
  EXPECT_EQ(nearest("nromal", kKnown), "normal");
  EXPECT_EQ(nearest("half_normal", kKnown), "half-normal");
  EXPECT_EQ(nearest("Particles", kKnown), "particles");
  EXPECT_EQ(nearest("halfnormal", kKnown), "half-normal");
}

TEST(Suggest, SaysNothingWhenNothingIsClose) {
  EXPECT_EQ(nearest("temperature", kKnown), "");
  EXPECT_EQ(nearest("x", kKnown), "");
  EXPECT_EQ(nearest("", kKnown), "");
  EXPECT_EQ(nearest("seed", {}), "");
}

TEST(Suggest, WritesTheEndOfAMessage) {
  EXPECT_EQ(did_you_mean("seeed", kKnown), "; did you mean 'seed'?");
  EXPECT_EQ(did_you_mean("zzz", kKnown), "");
}

}  // namespace
}  // namespace evident
