// The sampler from the prior to the posterior finds the narrow mode that made the data; see docs/goodwin.md.
#include <gtest/gtest.h>

#include "evident/smc/sampler.hpp"
#include "models/goodwin/goodwin.hpp"
#include "models/goodwin/problems.hpp"

namespace evident {
namespace {

double share_in_mode(std::size_t components, std::uint32_t replicate) {
  const Goodwin model(test::typical_data(components), {.components = components});
  const auto truth = test::typical(components).theta;
  std::vector<double> at_truth(1);
  model.log_likelihood(test::as_block({truth}), at_truth);
  const Executor executor;
  const Run run = direct_evidence(model, {.particles = 600, .schedule = CessSchedule{0.995}},
                                  {Streams({.seed = 5, .replicate = replicate}), executor});
  // Four numbers are fitted: nearly all the posterior is within ten of the truth. Steady states are a hundred below.
  double share = 0;
  const auto& ll = run.particles.log_likelihood;
  for (std::size_t i = 0; i < run.particles.size(); ++i)
    share += (ll[i] > at_truth[0] - 10 && std::abs(run.particles.theta(0, i) / truth[0] - 1) < 0.1);
  return share / static_cast<double>(run.particles.size());
}

TEST(GoodwinMode, IsFoundForThreeComponents) {
  for (std::uint32_t replicate = 0; replicate < 2; ++replicate) EXPECT_GT(share_in_mode(3, replicate), 0.9);
}

}  // namespace
}  // namespace evident
