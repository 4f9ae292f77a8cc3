// Fits that travel between ranks and in checkpoints: the same to the last bit, or refused.
#include "kernel/pack_calibration.hpp"

#include <gtest/gtest.h>

#include "evident/base/error.hpp"

namespace evident {
namespace {

TEST(PackFit, TheSameToTheLastBit) {
  const auto fit = std::make_shared<const FittedMixture>(
      FittedMixture({{.weight = 1, .df = 5, .mean = {0.1, -2}, .root = {1, 0, 0.3, 2}},
                     {.weight = 3, .df = 50, .mean = {1, 1}, .root = {0.5, 0, 0, 0.5}}},
                    {{.centre = 1, .scale = 2, .bent = true, .skew = 0.3, .tail = 1.1}, {.centre = -1}}));
  Packer out;
  put_value(out, fit);
  put_value(out, std::shared_ptr<const FittedMixture>());
  const auto bytes = out.finish();
  Unpacker in(bytes);
  std::shared_ptr<const FittedMixture> again, none = fit;
  get_value(in, again);
  get_value(in, none);
  EXPECT_EQ(none, nullptr);
  in.end();
  ASSERT_NE(again, nullptr);
  BlockStorage z(2, 3);
  z(0, 0) = 0.7, z(1, 0) = -1.2, z(0, 1) = 3, z(1, 1) = 0, z(0, 2) = -40, z(1, 2) = 1e3;
  AlignedVector<double> before(3), after(3);
  fit->log_density(z, before);
  again->log_density(z, after);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(before[i], after[i]) << i;
}

TEST(PackFit, RefusesWhatIsNoFit) {
  const auto refused = [](std::uint64_t marginals, std::uint64_t components, double weight) {
    Packer out;
    out.put(static_cast<char>(1));
    out.put(marginals);
    for (std::uint64_t k = 0; k < marginals; ++k) {
      for (const double v : {0.0, 1.0}) out.put(v);
      out.put(static_cast<char>(0));
      for (const double v : {0.0, 1.0}) out.put(v);
    }
    out.put(components);
    for (std::uint64_t k = 0; k < components; ++k) {
      out.put(weight);
      out.put(5.0);
      out.put_doubles(std::vector<double>{0});
      out.put_doubles(std::vector<double>{1});
    }
    const auto bytes = out.finish();
    Unpacker in(bytes);
    try {
      std::shared_ptr<const FittedMixture> fit;
      get_value(in, fit);
      return false;
    } catch (const RunError&) {
      return true;
    }
  };
  EXPECT_FALSE(refused(1, 1, 1));
  EXPECT_TRUE(refused(1, 0, 1));
  EXPECT_TRUE(refused(0, 1, 1));
  EXPECT_TRUE(refused(2, 1, 1));
  EXPECT_TRUE(refused(1, 1, 0));
}

}  // namespace
}  // namespace evident
