#include "particles/resample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/suggest.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"multinomial", "residual", "stratified", "systematic",
                                                    "residual-stratified"};

// Inverse of the cumulative weights at increasing points u in (0, 1); the sum is taken as the whole, so rounding cannot
// run past the last particle. Particles of weight zero are never chosen.
std::vector<std::uint32_t> invert(std::span<const double> weights, std::span<const double> points) {
  std::vector<std::uint32_t> parents;
  parents.reserve(points.size());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t last = weights.size();
  while (last > 1 && weights[last - 1] <= 0) --last;
  std::size_t i = 0;
  double cumulative = weights[0];
  for (const double u : points) {
    while (i + 1 < last && cumulative < u * total) cumulative += weights[++i];
    parents.push_back(static_cast<std::uint32_t>(i));
  }
  return parents;
}

std::vector<double> uniforms(const Streams& streams, std::uint32_t step, std::size_t count) {
  BlockStorage draws(1, count);
  streams.fill_uniform({.step = step, .purpose = Purpose::resample}, draws);
  return {draws.row(0).begin(), draws.row(0).end()};
}

// One point in each of `count` equal strata.
std::vector<double> stratified_points(std::vector<double> u) {
  const auto n = static_cast<double>(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = (static_cast<double>(i) + u[i]) / n;
  return u;
}

std::vector<double> systematic_points(std::size_t count, double u) {
  std::vector<double> points(count);
  for (std::size_t i = 0; i < count; ++i) points[i] = (static_cast<double>(i) + u) / static_cast<double>(count);
  return points;
}

// floor(N W_i) copies for certain, the rest drawn from the fractions.
std::vector<std::uint32_t> residual(std::span<const double> weights, std::size_t count, const Streams& streams,
                                    std::uint32_t step, bool stratified) {
  std::vector<std::uint32_t> parents;
  std::vector<double> rest(weights.size());
  const auto n = static_cast<double>(count);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double copies = std::floor(n * weights[i]);
    rest[i] = n * weights[i] - copies;
    parents.insert(parents.end(), static_cast<std::size_t>(copies), static_cast<std::uint32_t>(i));
  }
  if (parents.size() > count) parents.resize(count);  // weights that sum to a little more than one
  const std::size_t open = count - parents.size();
  if (open > 0) {
    std::vector<double> points = uniforms(streams, step, open);
    if (stratified) {
      points = stratified_points(std::move(points));
    } else {
      std::sort(points.begin(), points.end());
    }
    const auto drawn = invert(rest, points);
    parents.insert(parents.end(), drawn.begin(), drawn.end());
  }
  std::sort(parents.begin(), parents.end());  // copies of one parent are neighbours: kernels count on it
  return parents;
}

}  // namespace

std::string_view name(ResampleScheme scheme) { return kNames[static_cast<std::size_t>(scheme)]; }

ResampleScheme resample_scheme(std::string_view text) {
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end())
    throw InputError("unknown resampling scheme '" + std::string(text) + "'" + did_you_mean(text, kNames));
  return static_cast<ResampleScheme>(found - kNames.begin());
}

std::vector<std::uint32_t> resample(ResampleScheme scheme, std::span<const double> weights, std::size_t count,
                                    const Streams& streams, std::uint32_t step) {
  switch (scheme) {
    case ResampleScheme::multinomial: {
      std::vector<double> points = uniforms(streams, step, count);
      std::sort(points.begin(), points.end());
      return invert(weights, points);
    }
    case ResampleScheme::stratified:
      return invert(weights, stratified_points(uniforms(streams, step, count)));
    case ResampleScheme::systematic:
      return invert(weights, systematic_points(count, uniforms(streams, step, 1)[0]));
    case ResampleScheme::residual:
      return residual(weights, count, streams, step, false);
    case ResampleScheme::residual_stratified:
      return residual(weights, count, streams, step, true);
  }
  return {};
}

}  // namespace evident
