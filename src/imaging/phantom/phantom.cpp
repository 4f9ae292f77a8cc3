#include "imaging/phantom/phantom.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "evident/base/error.hpp"
#include "imaging/phantom/prior_draws.hpp"

namespace evident::imaging {

double noise_precision(std::string_view level) {
  if (level == "none") return std::numeric_limits<double>::infinity();
  if (level == "low") return 3;
  if (level == "medium") return 0.3;
  if (level == "high") return 0.03;
  throw InputError("noise level '" + std::string(level) + "' is unknown; it is none, low, medium or high");
}

Phantom::Phantom(PhantomOptions options, std::uint64_t seed)
    : options_(std::move(options)), streams_({.seed = seed}), anatomy_(make_anatomy(options_.kind, options_.voxels)) {
  if (!(options_.precision > 0)) throw InputError("PET phantom: the precision of the noise must be above 0");
  if (!(options_.blood_volume >= 0 && options_.blood_volume < 1))
    throw InputError("PET phantom: the blood volume must be from 0 to below 1");
  const double decay = std::log(2.0) / kHalfLife;
  double start = 0;
  for (const auto& [count, seconds] : {std::pair{6, 10.0}, {4, 30.0}, {6, 60.0}, {6, 120.0}, {7, 300.0}, {3, 600.0}})
    for (int i = 0; i < count; ++i, start += seconds) {
      starts_.push_back(start);
      durations_.push_back(seconds);
      decay_factors_.push_back((std::exp(-decay * start) - std::exp(-decay * (start + seconds))) / (decay * seconds));
    }
  whole_blood_ = whole_blood_averages(options_.blood, starts_, durations_);
  if (options_.kind == PhantomKind::prior) {
    draw_voxels();
    return;
  }
  curves_.resize(anatomy_.regions.size());
  for (std::size_t r = 0; r < curves_.size(); ++r)
    for (std::size_t v = 0; v < kVariants; ++v)
      curves_[r][v] = tissue_averages(variant_rates(r, v), options_.blood, starts_, durations_);
  for (std::uint32_t i = 0; i < anatomy_.indices.size(); ++i) {
    Stream stream = streams_.at({.particle = i, .purpose = Purpose::prior});
    const double inflow = 0.9 + 0.2 * stream.uniform();
    const auto variant = static_cast<std::uint8_t>(stream.uniform() * kVariants);
    voxels_.push_back({static_cast<float>(inflow), std::min<std::uint8_t>(variant, kVariants - 1)});
  }
}

void Phantom::draw_voxels() {
  anatomy_.regions = {
      {1, "one compartment", {.K1 = 1, .k2 = 1}, "drawn from the prior"},
      {2, "two compartments", {.K1 = 1, .k2 = 1, .k3 = 1, .k4 = 1}, "drawn from the prior"},
      {3, "three compartments", {.K1 = 1, .k2 = 1, .k3 = 1, .k4 = 1, .k5 = 1, .k6 = 1}, "drawn from the prior"}};
  for (std::uint32_t i = 0; i < anatomy_.indices.size(); ++i) {
    Stream stream = streams_.at({.particle = i, .purpose = Purpose::prior});
    own_rates_.push_back(draw_rates(stream));
    own_curves_.push_back(tissue_averages(own_rates_.back(), options_.blood, starts_, durations_));
    anatomy_.region[i] = static_cast<std::uint8_t>(own_rates_.back().order() - 1);
  }
}

RateConstants Phantom::variant_rates(std::size_t region, std::size_t variant) const {
  RateConstants k = anatomy_.regions[region].rates;
  const std::size_t column = variant % 3, row = variant / 3;
  k.k2 *= 1 + 0.05 * (static_cast<double>(column) - 1);
  k.k3 *= 1 + 0.1 * (static_cast<double>(row) - 1);
  return k;
}

RateConstants Phantom::rates(std::size_t voxel) const {
  if (!own_rates_.empty()) return own_rates_[voxel];
  RateConstants k = variant_rates(anatomy_.region[voxel], voxels_[voxel].variant);
  k.K1 *= static_cast<double>(voxels_[voxel].inflow);
  return k;
}

double Phantom::activity(std::size_t voxel, std::size_t frame) const {
  // The equations are linear in the input, so K1 scales the curve.
  const double tissue = own_curves_.empty() ? static_cast<double>(voxels_[voxel].inflow) *
                                                  curves_[anatomy_.region[voxel]][voxels_[voxel].variant][frame]
                                            : own_curves_[voxel][frame];
  return (1 - options_.blood_volume) * tissue + options_.blood_volume * whole_blood_[frame];
}

double Phantom::variance(std::size_t voxel, std::size_t frame) const {
  return activity(voxel, frame) / (options_.precision * durations_[frame] * decay_factors_[frame]);
}

void Phantom::frame(std::size_t frame, std::span<float> volume) const {
  constexpr double kBqPerMl = 1000;  // the blood is in kBq/mL, as in many data sets
  std::fill(volume.begin(), volume.end(), 0.0f);
  for (std::size_t i = 0; i < anatomy_.indices.size(); ++i) {
    Stream stream = streams_.at({.step = static_cast<std::uint32_t>(frame),
                                 .particle = static_cast<std::uint32_t>(i),
                                 .purpose = Purpose::simulate});
    const double value = activity(i, frame) + std::sqrt(variance(i, frame)) * stream.normal();
    volume[anatomy_.indices[i]] = static_cast<float>(kBqPerMl * value);
  }
}

}  // namespace evident::imaging
