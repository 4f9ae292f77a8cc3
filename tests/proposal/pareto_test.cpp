#include "proposal/pareto.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "evident/base/random.hpp"

namespace evident {
namespace {

TEST(ParetoShape, FindsTheShapeOfKnownTails) {
  const std::size_t n = 20000;
  BlockStorage u(1, n);
  Streams({.seed = 77}).fill_uniform({.step = 9, .purpose = Purpose::other}, u);
  for (const double k : {0.2, 0.6, 1.0}) {
    std::vector<double> log_w;
    for (const double v : u.row(0)) log_w.push_back(-k * std::log(v));
    EXPECT_NEAR(pareto_shape(log_w), k, 0.2) << k;
  }
  std::vector<double> bounded(u.row(0).begin(), u.row(0).end());
  EXPECT_LT(pareto_shape(bounded), 0.1);
  EXPECT_EQ(pareto_shape(std::vector<double>(1000, -3.0)), -kInf);
  EXPECT_EQ(pareto_shape(std::vector<double>(1000, -kInf)), kInf);
}

}  // namespace
}  // namespace evident
