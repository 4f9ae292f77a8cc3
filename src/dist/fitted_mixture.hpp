// A density fitted to weighted draws: a mixture of multivariate Student t components, known up to nothing and quick to
// draw from. Bridge sampling compares a posterior with it; an independence sampler may propose from it.
//
//   const FittedMixture q = fit_mixture(z, weights, {.max_components = 6}, streams, executor);
//   q.draw(streams, {.step = 3, .particle = first, .purpose = Purpose::proposal}, out);
//   q.log_density(out, log_q);
//
// The components live on coordinates of their own: each z_j is centred, scaled and, where that fits better, made
// symmetric by x = sinh(tail asinh(y) - skew) (Jones and Pewsey 2009). Densities are always those of z.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/context.hpp"
#include "evident/base/random.hpp"

namespace evident {

struct MixtureComponent {
  double weight = 1;
  double df = std::numeric_limits<double>::infinity();  ///< degrees of freedom; infinite: normal
  std::vector<double> mean;
  std::vector<double> root;  ///< lower triangular, row-major; root root' is the scale matrix
};

/// One coordinate: y = (z - centre) / scale, then x = sinh(tail asinh(y) - skew) when `bent`.
struct Marginal {
  double centre = 0, scale = 1;
  bool bent = false;
  double skew = 0, tail = 1;

  double forward(double z) const;   ///< x
  double backward(double x) const;  ///< z
};

class FittedMixture {
 public:
  /// Weights are normalised here. Without marginals the components live on z itself. Throws InputError for shapes that
  /// do not fit together and for roots that are not invertible.
  explicit FittedMixture(std::vector<MixtureComponent> components, std::vector<Marginal> marginals = {});
  /// From the parts of one that was made before: the same bits, weights too.
  static FittedMixture from_parts(std::vector<MixtureComponent> components, std::vector<Marginal> marginals);

  std::size_t size() const { return marginals_.size(); }  ///< coordinates
  const std::vector<MixtureComponent>& components() const { return components_; }
  const std::vector<Marginal>& marginals() const { return marginals_; }

  /// out[i] = log density of z's column i; -inf for a column that is not finite.
  void log_density(ConstBlock z, std::span<double> out) const;
  /// Row k of `out`, one row a component: log of weight times density, and the squared distance from its centre.
  /// `x` is on the components' coordinates.
  void log_parts(ConstBlock x, Block out, Block square) const;
  /// Column i is drawn from the stream of particle id.particle + i.
  void draw(const Streams& streams, const DrawIdentity& id, Block z) const;
  /// Column i is drawn from component k.
  void draw_component(std::size_t k, Stream& stream, std::size_t i, Block z) const;
  /// The component whose part of the weights, laid end to end from 0 to 1, holds `place`.
  std::size_t component_at(double place) const;
  /// From z to the components' coordinates; adds log |dx/dz|.
  void forward(ConstBlock z, Block x, std::span<double> log_jacobian) const;

  /// With a share of its draws from one more component, which spans the points z: their mean and their covariance times
  /// `inflation`, with `df` degrees of freedom.
  FittedMixture widened(double share, ConstBlock z, double inflation, double df) const;

 private:
  struct Ready {
    std::vector<double> inverse;  ///< of the root
    double log_constant = 0;      ///< weight included
  };
  FittedMixture() = default;
  void make_ready();
  void distances(ConstBlock x, std::size_t k, Block scratch, double* square) const;
  void log_part(const double* square, std::size_t k, std::size_t n, double* out) const;

  std::vector<MixtureComponent> components_;
  std::vector<Marginal> marginals_;
  std::vector<Ready> ready_;
};

struct MixtureFitOptions {
  std::size_t max_components = 24;
  double least_gain = 0.01;           ///< nats a held-out draw must gain for one more component
  bool bend = true;                   ///< try marginals with a skew
  double held_out = 0.25;             ///< share of the draws that choose
  std::size_t max_iterations = 60;    ///< of EM
  double tolerance = 1e-4;            ///< nats a draw; EM ends when an iteration gains less
  double least_df = 3, most_df = 50;  ///< degrees of freedom are fitted between these
};

/// Fits by weighted EM. The number of components is the one with the highest density at draws left out of the fit;
/// neighbours are kept together there, since draws that have a parent in common stand side by side. Equal draws count
/// as one. Throws RunError when the draws do not span a density: fewer than 10 distinct ones, or a constant coordinate.
/// `weights` need not be normalised. The same bits for any number of threads.
FittedMixture fit_mixture(ConstBlock z, std::span<const double> weights, const MixtureFitOptions& options,
                          const Streams& streams, const Executor& executor);
/// The components of `start`, which has no bent marginals, moved to the draws by EM; and a share of the start as it
/// was, so that no component is lost where the draws are few. Throws RunError as above.
FittedMixture fit_mixture_from(const FittedMixture& start, ConstBlock z, std::span<const double> weights,
                               const MixtureFitOptions& options, const Executor& executor);

}  // namespace evident
