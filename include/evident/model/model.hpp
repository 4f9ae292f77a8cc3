// The model contract: what a sampler needs to know of a model. It works on blocks (base/block.hpp): one virtual call
// evaluates many particles.
//
//   class Level final : public Model {  // one observation, y = 3, of a normal distribution
//    public:
//     Level() { space_.add("mu", normal(0, 10)); }
//     const ParameterSpace& parameters() const override { return space_; }
//     void log_likelihood(ConstBlock theta, std::span<double> out) const override {
//       for (std::size_t i = 0; i < out.size(); ++i) out[i] = normal(theta(0, i), 1).log_density(3);
//     }
//
//    private:
//     ParameterSpace space_;
//   };
//
// The result for a particle must depend on that particle alone, never on its neighbours in the block. All functions are
// called from several threads at once and must not change the model.
//
// A function of one parameter vector is lifted to a model; so is an object with parameters() and log_likelihood(theta):
//
//   ParameterSpace space;
//   space.add("mu", normal(0, 10));
//   const auto level = lift(space, [](std::span<const double> theta) { return normal(theta[0], 1).log_density(3); });
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "evident/base/block.hpp"
#include "evident/base/estimate.hpp"
#include "evident/base/random.hpp"
#include "evident/model/parameters.hpp"

namespace evident {

/// The particles of one block as a model's own move sees them. All of it may be changed.
struct MoveState {
  Block theta;
  std::span<double> log_prior;       ///< of theta, without the Jacobian of the transform
  std::span<double> log_likelihood;  ///< must be kept true to theta
};

/// Where the random numbers of a model's own move come from.
struct MoveRandom {
  const Streams& streams;
  std::uint32_t step;
  std::uint32_t first_particle;  ///< the particle in column 0
  std::uint32_t pass;
};

/// Observations that a likelihood describes: a column of the data, or a curve.
struct Observed {
  std::string name = {};  ///< "y"
  std::vector<double> values = {};
  std::string axis_name = {};     ///< what they are best drawn against, "t" say; empty: their order
  std::vector<double> axis = {};  ///< as many as values, or empty
  bool discrete = false;          ///< counts or categories
};

class Model {
 public:
  virtual ~Model() = default;

  // REQUIRED -----------------------------------------------------------------------------------------------------
  /// Names, priors and supports.
  virtual const ParameterSpace& parameters() const = 0;
  /// out[i] = log p(y | theta_i), normalised. -inf is a value; NaN counts as -inf and is reported.
  virtual void log_likelihood(ConstBlock theta, std::span<double> out) const = 0;

  // OPTIONAL -----------------------------------------------------------------------------------------------------
  /// By default the priors of parameters(); override for a prior that they cannot express.
  virtual void draw_prior(const Streams& streams, std::uint32_t first, Block theta) const;
  virtual void log_prior(ConstBlock theta, std::span<double> out) const;

  /// The initial distribution nu, when it is not the prior: then W_0 is proportional to prior / nu.
  virtual bool has_initial() const { return false; }
  virtual void draw_initial(const Streams& streams, std::uint32_t first, Block theta) const;
  virtual void log_initial(ConstBlock theta, std::span<double> out) const;

  /// Gradients in theta of the log prior and of the log likelihood.
  virtual bool has_gradient() const { return false; }
  virtual void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const;

  /// Groups of rows of z that are moved together; empty: all at once.
  virtual std::vector<std::vector<std::size_t>> groups() const { return {}; }

  /// A move of the model's own (Gibbs, say) that leaves prior x likelihood^alpha invariant. It must give each particle
  /// its own random numbers, from `random`. Returns how many likelihood evaluations it cost.
  virtual bool has_own_move() const { return false; }
  virtual std::size_t own_move(double alpha, const MoveState& state, const MoveRandom& random) const;

  /// How many observations the likelihood has; 0 when the model cannot tell. BIC and data tempering need it.
  virtual std::size_t observation_count() const { return 0; }
  /// The likelihood of observations first .. first+count-1 given the earlier ones, so that the sum over all of them is
  /// log_likelihood. Data tempering needs it.
  virtual bool has_sequence() const { return false; }
  virtual void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const;

  /// The observations, for predictions; empty when the model makes none. Several are joined one after another below.
  virtual std::vector<Observed> observed() const { return {}; }
  /// Column i of `out`: a data set drawn from p(y | theta_i), a row per observation. Random numbers: one stream per
  /// particle.
  virtual void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const;
  /// Column i of `out`: the mean of each observation given theta_i; NaN where there is none.
  virtual void predict(ConstBlock theta, Block out) const;

  /// Quantities computed from theta and summarised with the posterior (a volume of distribution, say).
  virtual std::vector<std::string> derived_names() const { return {}; }
  virtual void derive(ConstBlock theta, Block out) const;
};

using ScalarLikelihood = std::function<double(std::span<const double>)>;

/// One draw at a time; `log_likelihood` may return -inf. Called from several threads at once.
template <class M>
concept ScalarModel = requires(const M& m, std::span<const double> theta) {
  { m.parameters() } -> std::convertible_to<ParameterSpace>;
  { m.log_likelihood(theta) } -> std::convertible_to<double>;
};

std::shared_ptr<const Model> lift(ParameterSpace space, ScalarLikelihood log_likelihood);

template <ScalarModel M>
std::shared_ptr<const Model> lift(M model) {
  ParameterSpace space = model.parameters();
  return lift(std::move(space),
              [m = std::move(model)](std::span<const double> theta) -> double { return m.log_likelihood(theta); });
}

/// Chib's method (Chib 1995): log p(y) = log p(y | theta*) + log p(theta*) - log p(theta* | y), the last term by
/// averaging full conditionals. When labels can be exchanged, the average runs over all of them (Marin and Robert
/// 2008).
struct ChibOptions {
  std::size_t burn_in = 1000;  ///< sweeps that are thrown away
  std::size_t draws = 10000;   ///< sweeps that are kept
  std::stop_token stop = {};   ///< asks the run to end early
};

struct ChibEstimate {
  Estimate log_evidence;                ///< with the correction for exchanged labels; its error is of batch means
  double log_evidence_uncorrected = 0;  ///< as Chib (1995): too low, by up to log k!, when the sampler keeps labels
  std::vector<double> point;            ///< theta*, in the order of the model's parameters
  std::size_t label_orders = 1;         ///< how many orders of the labels were averaged over
  std::size_t sweeps = 0;               ///< Gibbs sweeps in all, reduced runs included
};

/// A model with a Gibbs sampler that offers Chib's method derives from this too.
class ChibModel {
 public:
  virtual ~ChibModel() = default;
  virtual ChibEstimate chib(const ChibOptions& options, const Streams& streams) const = 0;
};

}  // namespace evident
