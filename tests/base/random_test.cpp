#include "evident/base/random.hpp"

#include <gtest/gtest.h>

#include <Random123/philox.h>
#undef philox4x32  // a macro there, a function here

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "base/philox.hpp"
#include "base/random_fill.hpp"
#include "support/every_target.hpp"

namespace evident {
namespace {

// Random123's kat_vectors for philox4x32 with 10 rounds.
TEST(Philox, KnownAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, EqualsRandom123OnManyCounters) {
  r123::Philox4x32 reference;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::array<std::uint32_t, 4> counter = {i * 2654435761U, i, ~i, i << 7};
    const std::array<std::uint32_t, 2> key = {i ^ 0xdeadbeef, i * 40503U};
    r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
    r123::Philox4x32::key_type k = {{key[0], key[1]}};
    const auto expected = reference(c, k);
    const auto got = philox4x32(counter, key);
    for (std::size_t j = 0; j < 4; ++j) ASSERT_EQ(got[j], expected[j]);
  }
}

const DrawIdentity kId{.step = 3, .particle = 17, .purpose = Purpose::proposal, .pass = 2};

class Fills : public test::EveryTarget {};
INSTANTIATE_TEST_SUITE_P(Simd, Fills, test::targets());

TEST_P(Fills, UniformsAreTheBitsOfTheStream) {
  const Streams streams({.seed = 42, .data_set = 1, .model = 2, .replicate = 3});
  for (std::size_t n = 1; n <= 17; ++n) {
    BlockStorage out(5, n);
    streams.fill_uniform(kId, out);
    for (std::uint32_t i = 0; i < n; ++i) {
      DrawIdentity id = kId;
      id.particle += i;
      Stream s = streams.at(id);
      for (std::size_t j = 0; j < 5; ++j) ASSERT_EQ(out(j, i), s.uniform()) << n << " " << i << " " << j;
    }
  }
}

TEST_P(Fills, NormalsAgreeWithTheStream) {
  const Streams streams({.seed = 42});
  for (std::size_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 64}) {
    BlockStorage out(4, n);
    streams.fill_normal(kId, out);
    for (std::uint32_t i = 0; i < n; ++i) {
      DrawIdentity id = kId;
      id.particle += i;
      Stream s = streams.at(id);
      for (std::size_t j = 0; j < 4; ++j) ASSERT_NEAR(out(j, i), s.normal(), 2e-14) << n << " " << i << " " << j;
    }
  }
}

// The words of Philox with few rounds, for the particle `place` after the first.
std::array<std::uint32_t, 4> rough_words(const Streams& streams, std::size_t place, std::uint32_t draw) {
  DrawIdentity id = kId;
  id.particle += static_cast<std::uint32_t>(place);
  return philox4x32(philox::counter(id, draw), streams.key(), philox::kFewRounds);
}

// Four rows at a time, through the functions of the standard library. Of one or two rows that are left over, the
// second half of the particles gets the other pair of words of the first.
TEST_P(Fills, RoughNormalsAgreeWithThePlainFormula) {
  const Streams streams({.seed = 42});
  for (std::size_t n : {1, 7, 8, 9, 16, 17, 24, 33, 40, 64})
    for (std::size_t rows = 1; rows <= 9; ++rows) {
      BlockStorage out(rows, n);
      random_fill::rough_normal(streams.key(), kId, out);
      const std::size_t half = random_fill::rough_part(padded(n), 2);
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < rows; ++j) {
          const bool shared = rows - j / 4 * 4 <= 2, second = shared && i >= half;
          const auto words = rough_words(streams, second ? i - half : i, j / 4);
          const std::uint32_t pair = second ? 1 : j / 2 % 2;
          const double u = static_cast<double>(words[pair] >> 1) * 0x1p-31 + 0x1p-32;
          const double angle = 2 * std::numbers::pi * 0x1p-32 * static_cast<std::int32_t>(words[2 + pair]);
          const double wanted = std::sqrt(-2 * std::log(u)) * (j % 2 == 0 ? std::cos(angle) : std::sin(angle));
          ASSERT_NEAR(out(j, i), wanted, 4e-6) << n << " " << i << " " << j;
        }
    }
}

TEST_P(Fills, RoughUniformsAgreeWithThePlainFormula) {
  const Streams streams({.seed = 43});
  for (std::size_t n : {1, 8, 9, 31, 33, 40, 64}) {
    AlignedVector<double> out(n);
    random_fill::rough_uniform(streams.key(), kId, out.data(), n);
    const std::size_t quarter = random_fill::rough_part(padded(n), 4);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t word = rough_words(streams, i % quarter, 0)[i / quarter];
      ASSERT_EQ(out[i], (static_cast<double>(word) + 0.5) * 0x1p-32) << n << " " << i;
    }
  }
}

TEST(Streams, EveryPartOfTheIdentityMatters) {
  std::set<std::uint64_t> seen;
  const auto note = [&](const RunIdentity& run, const DrawIdentity& id) { seen.insert(Streams(run).at(id).bits()); };
  note({}, {});
  note({.seed = 1}, {});
  note({.seed = std::uint64_t{1} << 40}, {});
  note({.data_set = 1}, {});
  note({.data_set = std::uint64_t{1} << 40}, {});
  note({.model = 1}, {});
  note({.replicate = 1}, {});
  note({}, {.step = 1});
  note({}, {.particle = 1});
  note({}, {.purpose = Purpose::prior});
  note({}, {.pass = 1});
  EXPECT_EQ(seen.size(), 11U);
}

TEST(Streams, UniformsFitTheUniformDistribution) {
  constexpr std::size_t kN = 100000;
  BlockStorage out(1, kN);
  Streams({.seed = 9}).fill_uniform({.purpose = Purpose::other}, out);
  std::vector<double> u(out.row(0).begin(), out.row(0).end());
  std::sort(u.begin(), u.end());
  EXPECT_GT(u.front(), 0.0);
  EXPECT_LT(u.back(), 1.0);
  double distance = 0;
  for (std::size_t i = 0; i < kN; ++i)
    distance = std::max(
        {distance, std::abs(u[i] - static_cast<double>(i) / kN), std::abs(u[i] - static_cast<double>(i + 1) / kN)});
  EXPECT_LT(distance * std::sqrt(static_cast<double>(kN)), 2.2);  // p = 1e-4
}

void expect_normal(const BlockStorage& out);

TEST(Streams, NormalsFitTheNormalDistribution) {
  BlockStorage out(4, 50000);
  Streams({.seed = 10}).fill_normal({.purpose = Purpose::other}, out);
  expect_normal(out);
  random_fill::rough_normal(Streams({.seed = 10}).key(), {.purpose = Purpose::other}, out);
  expect_normal(out);
}

void expect_normal(const BlockStorage& out) {
  std::vector<double> x;
  for (std::size_t j = 0; j < 4; ++j) x.insert(x.end(), out.row(j).begin(), out.row(j).end());
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double distance = 0, squares = 0, fourth = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double cdf = 0.5 * std::erfc(-x[i] / std::sqrt(2.0));
    distance = std::max(
        {distance, std::abs(cdf - static_cast<double>(i) / n), std::abs(cdf - static_cast<double>(i + 1) / n)});
    squares += x[i] * x[i];
    fourth += std::pow(x[i], 4);
  }
  EXPECT_LT(distance * std::sqrt(n), 2.2);
  EXPECT_NEAR(squares / n, 1.0, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(fourth / n, 3.0, 4 * std::sqrt(96 / n));
}

TEST(Streams, NeighbouringParticlesAreUncorrelated) {
  constexpr std::size_t kN = 100000;
  BlockStorage out(2, kN);
  Streams({.seed = 11}).fill_normal({.purpose = Purpose::other}, out);
  double lag = 0, rows = 0;
  for (std::size_t i = 0; i + 1 < kN; ++i) {
    lag += out(0, i) * out(0, i + 1);
    rows += out(0, i) * out(1, i);
  }
  EXPECT_LT(std::abs(lag) / std::sqrt(static_cast<double>(kN)), 4);
  EXPECT_LT(std::abs(rows) / std::sqrt(static_cast<double>(kN)), 4);
}

}  // namespace
}  // namespace evident
