#include "evident/smc/sampler.hpp"

#include <cmath>
#include <string>

#include "evident/base/error.hpp"

namespace evident {
namespace {

constexpr std::size_t kMostDraws = 1'000'000'000;  // four times as many are numbered by 32 bits

void require(bool ok, const std::string& what, double was) {
  if (!ok) throw InputError(what + ", was " + std::to_string(was));
}

void check_waste_free(const SmcOptions& o) {
  const std::size_t length = o.waste_free;
  if (length == 0) return;
  const std::string was = ", was " + std::to_string(length);
  if (length < 2) throw InputError("waste_free must be 0 (off) or at least 2 states a chain" + was);
  if (o.particles % length != 0)
    throw InputError("waste_free must divide the number of particles, " + std::to_string(o.particles) + was);
  if (o.particles / length < 2) throw InputError("waste_free must leave at least 2 chains" + was);
  if (o.kernel.until_mixed)
    throw InputError("waste_free keeps every state, so it does not go with until_mixed: give passes between states");
}

}  // namespace

void require_whole_populations(const SmcOptions& o, const std::string& sampler) {
  if (o.waste_free > 0)
    throw InputError(sampler + " cannot be waste-free; waste_free must be 0, was " + std::to_string(o.waste_free));
}

void check(const SmcOptions& o) {
  if (o.particles < 2) throw InputError("particles must be at least 2, was " + std::to_string(o.particles));
  if (o.particles > 0xFFFFFFFFU) throw InputError("particles must be below 2^32, was " + std::to_string(o.particles));
  check_waste_free(o);
  check(o.schedule);
  require(o.resample_threshold >= 0 && o.resample_threshold <= 1, "resample_threshold must lie between 0 and 1",
          o.resample_threshold);
  require(o.nan_limit >= 0 && o.nan_limit <= 1, "nan_limit must lie between 0 and 1", o.nan_limit);
  if (o.max_prior_draws > kMostDraws)
    throw InputError("max_prior_draws must be at most 10^9, was " + std::to_string(o.max_prior_draws));
  if (o.max_steps == 0) throw InputError("max_steps must be at least 1, was 0");
  const KernelOptions& k = o.kernel;
  if (k.passes == 0 || k.passes > 10000)
    throw InputError("passes must lie between 1 and 10000, was " + std::to_string(k.passes));
  if (k.until_mixed) {
    const UntilMixed& u = *k.until_mixed;
    require(u.log_likelihood > 0 && u.log_likelihood <= 1, "correlation of the log likelihood must lie between 0 and 1",
            u.log_likelihood);
    require(u.coordinate > 0 && u.coordinate <= 1, "correlation of a coordinate must lie between 0 and 1",
            u.coordinate);
    if (u.least == 0 || u.least > u.most || u.most > 10000)
      throw InputError("limits of the passes must have 1 <= least <= most <= 10000, were " + std::to_string(u.least) +
                       " and " + std::to_string(u.most));
  }
  if (k.mixture_components == 0 || k.mixture_components > 100)
    throw InputError("mixture_components must lie between 1 and 100, was " + std::to_string(k.mixture_components));
  if (k.own_every == 0) throw InputError("own_every must be at least 1, was 0");
  require(std::isfinite(k.scale) && k.scale >= 0, "scale must be above 0", k.scale);
  require(k.band_low > 0 && k.band_low < k.band_high && k.band_high < 1,
          "band must be two numbers with 0 < low < high < 1; low", k.band_low);
}

}  // namespace evident
