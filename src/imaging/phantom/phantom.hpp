// A dynamic PET image with a known truth.
//
//   const Phantom phantom({.kind = PhantomKind::brain, .voxels = 20000, .precision = noise_precision("medium")}, 1);
//   std::vector<float> volume(phantom.anatomy().geometry.voxels());
//   for (std::size_t f = 0; f < phantom.starts().size(); ++f) phantom.frame(f, volume);   // in Bq/mL
//
// Carbon-11, corrected for decay to the injection at time 0; 32 frames over 86 minutes. A voxel's rate constants are
// those of its region (or its own, drawn from a prior) but for a small change: K1 by up to 10 %, at random; k2 by -5, 0
// or 5 % and k3 by -10, 0 or 10 %. The activity of a frame is the average over it of (1-V_B) C_tissue + V_B C_WB. Noise
// is Normal with variance
//   C / (precision * duration * d),   d the average over the frame of exp(-decay t), C in kBq/mL and time in s,
// which is that of Poisson counts after correction for decay. Outside of the ellipsoid there is 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "evident/base/random.hpp"
#include "imaging/phantom/anatomy.hpp"
#include "imaging/phantom/kinetics.hpp"

namespace evident::imaging {

/// Of "low", "medium" and "high" noise: 3, 0.3 and 0.03 per kBq/mL and second, in the middle of the scan some 2, 6 and
/// 20 % of the activity. "none" is infinite.
double noise_precision(std::string_view level);

struct PhantomOptions {
  PhantomKind kind = PhantomKind::small;
  std::size_t voxels = 300;
  double precision = 0.3;  ///< above 0; infinity for no noise
  double blood_volume = 0;
  PhantomBlood blood = feng_blood();
};

class Phantom {
 public:
  /// A value depends on seed, voxel and frame only. Throws InputError when the options make no image.
  Phantom(PhantomOptions options, std::uint64_t seed);

  static constexpr double kHalfLife = 1221.84;  ///< of carbon-11, in s
  const PhantomOptions& options() const { return options_; }
  const Anatomy& anatomy() const { return anatomy_; }
  const std::vector<double>& starts() const { return starts_; }
  const std::vector<double>& durations() const { return durations_; }
  /// The average of exp(-decay t) over each frame; 1/d is what data are multiplied by to correct for decay.
  const std::vector<double>& decay_factors() const { return decay_factors_; }

  /// Of the voxel with this place in anatomy().indices.
  RateConstants rates(std::size_t voxel) const;
  double activity(std::size_t voxel, std::size_t frame) const;  ///< without noise, in kBq/mL
  double variance(std::size_t voxel, std::size_t frame) const;  ///< of the noise, in (kBq/mL)^2
  /// The image of one frame in Bq/mL, x fastest; `volume` holds geometry.voxels() values.
  void frame(std::size_t frame, std::span<float> volume) const;

 private:
  static constexpr std::size_t kVariants = 9;
  struct Voxel {
    float inflow;  ///< K1 over that of the region
    std::uint8_t variant;
  };
  RateConstants variant_rates(std::size_t region, std::size_t variant) const;

  PhantomOptions options_;
  Streams streams_;
  Anatomy anatomy_;
  std::vector<double> starts_, durations_, decay_factors_, whole_blood_;
  std::vector<Voxel> voxels_;
  std::vector<std::array<std::vector<double>, kVariants>> curves_;  ///< of each region, for its own K1
  std::vector<RateConstants> own_rates_;                            ///< of each voxel, when they come from a prior
  std::vector<std::vector<double>> own_curves_;

  void draw_voxels();
};

}  // namespace evident::imaging
