#include "smc/union_steps.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "particles/resample.hpp"
#include "path/nowhere_possible.hpp"

namespace evident {

std::vector<std::uint64_t> random_keys(std::size_t n, const Context& context, std::uint32_t step) {
  std::vector<std::uint64_t> keys(n);
  Stream random = context.streams.at({.step = step, .purpose = Purpose::other});
  for (std::uint64_t& key : keys) key = random.bits();
  return keys;
}

UnionPopulation draw_initial(const ModelFamily& family, const SmcOptions& options, const Context& context,
                             EvaluationCount& count) {
  std::map<ModelIndex, std::size_t> counts;
  for (std::size_t i = 0; i < options.particles; ++i) {
    Stream random = context.streams.at({.particle = static_cast<std::uint32_t>(i), .purpose = Purpose::jump});
    ++counts[family.prior().draw(random)];
  }
  UnionPopulation x;
  bool possible = false;
  for (const auto& entry : counts) {
    const ModelIndex k = entry.first;
    const std::size_t n = entry.second;
    const Model& model = family.model(k);
    const Streams streams = context.streams.part(k);
    Population own(model, n);
    const TemperedTarget target(model, 0.0, count);
    context.executor.for_each(block_count(n), [&](std::size_t b) {
      const std::size_t first = b * kBlockSize, m = std::min(kBlockSize, n - first);
      const Block theta = own.theta.block().columns(first, m), z = own.z.block().columns(first, m);
      model.draw_prior(streams, static_cast<std::uint32_t>(first), theta);
      model.parameters().unconstrain(theta, z);
      target.prior(z, theta, {own.log_prior.data() + first, m}, {own.log_jacobian.data() + first, m});
      target.likelihood(theta, {own.log_likelihood.data() + first, m});
    });
    for (const double l : own.log_likelihood) possible = possible || l > -kInf;
    x.members.push_back({k, std::move(own)});
  }
  x.weights.reset(options.particles);
  x.keys = random_keys(options.particles, context, 0);
  std::size_t first = 0;
  for (const UnionPopulation::Member& m : x.members) {
    std::ranges::sort(std::span(x.keys).subspan(first, m.x.size()));
    first += m.x.size();
  }
  if (!possible)
    throw RunError(nowhere_possible(options.particles, count) +
                   ": check that data and prior fit together, or use more particles");
  return x;
}

double choose_alpha(const Schedule& schedule, ScheduleView where, const UnionPopulation& x) {
  if (where.alpha >= 1) return 1;
  const AlignedVector<double> l = x.log_likelihood();
  where.weights = x.weights.values();
  where.log_likelihood = l;
  return next_alpha(schedule, where);
}

Step reweight(UnionPopulation& x, double alpha, double next) {
  return reweight(x.weights, x.log_likelihood(), alpha, next);
}

bool resample_if_needed(const ModelFamily& family, UnionPopulation& x, const SmcOptions& options,
                        const Context& context, std::uint32_t step) {
  const double threshold = options.resample_threshold;
  if (threshold < 1 && x.weights.ess() >= threshold) return false;
  x.select(family, resample(options.resample, x.weights.values(), x.size(), context.streams, step),
           random_keys(x.size(), context, step));
  return true;
}

}  // namespace evident
