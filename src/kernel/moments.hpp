// Weighted moments of some coordinates, and a root of their covariance that always exists.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evident/particles/population.hpp"

namespace evident {

/// Particles first .. last-1; `first` is a multiple of kBlockSize.
struct Range {
  std::size_t first, last;
};

/// Fewer particles for each coordinate than this tell little of a covariance.
inline constexpr std::size_t kPerCoordinate = 10;

/// Weighted moments of some rows of z.
struct RowMoments {
  double share = 0;      ///< of the weight, that these particles have
  double effective = 0;  ///< effective number of these particles
  std::vector<double> mean;
  std::vector<double> second;  ///< covariance, row-major; lower triangle
};

/// Which moments are wanted: of some rows, from the particles of a range.
struct MomentsWanted {
  std::span<const std::size_t> rows;
  Range range;
};
/// All of them at once; the particles may be spread over ranks.
std::vector<RowMoments> row_moments(const Population& x, std::span<const MomentsWanted> wanted);
/// The moments of both sets of particles together.
RowMoments pooled(const RowMoments& a, const RowMoments& b);
/// Share of the correlations that is noise: the sum of their variances over the sum of their squares (Schaefer and
/// Strimmer 2005). 0 when there are ten particles a coordinate or more; 1 when next to nothing but noise is left.
/// Correlations above `largest` are not looked at.
double noise_of_correlations(const RowMoments& moments, double largest = 1);
/// Lower triangular L, row-major, with L L' = covariance, but for the share of the correlations that is noise. When the
/// covariance is degenerate (few distinct particles, a constant coordinate) they are shrunk until L exists.
std::vector<double> covariance_root(const RowMoments& moments);

/// Two halves of the population, each calibrated by the other. A particle that shapes its own proposal makes the
/// estimate of the evidence biased (by 0.8 nats for a 20-dimensional normal and 1000 particles); one that is moved by
/// the moments of others does not. Halves are contiguous because copies of one parent are neighbours after resampling.
/// A population too small to be halved is calibrated as a whole.
class Halves {
 public:
  explicit Halves(std::size_t particles);
  std::size_t count() const { return count_; }
  /// The particles whose moments serve the blocks of this half.
  Range calibrating(std::size_t half) const;
  /// The first block of the second half.
  std::size_t middle() const { return middle_; }

 private:
  std::size_t particles_, middle_, count_;
};

}  // namespace evident
