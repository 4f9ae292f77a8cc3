// Positron emission tomography: the linear compartment model of one time-activity curve.
//
//   C(t) = | sum_d phi_d K(theta_d, t) |,  K(theta, t) = integral over 0..t of CP(s) exp(-theta (t-s)) ds
//   y_i ~ N(C(t_i), C(t_i) / (lambda dt_i)), or Student t; see options.hpp for the priors
//
// A fixed volume of blood makes it C = | (1-V_B) sum_d phi_d K + V_B C_WB |; with frames that have a start and a
// duration, K and C_WB are averages over them (frames.hpp). phi, theta, V_D and K1 are those of the tissue in either
// case.
//
//   const PetInput plasma(times, activity);
//   const PetFrames frames = frames_from_midtimes(midtimes);
//   const PetCompartments model(zhou2013_n(2), plasma, frames, curve);
//
// Parameters: phi1 .. phim, theta1 .. thetam, lambda (unless integrated out), inverse_nu (Student t only).
// inverse_nu = 1/nu ~ U(0, 1/2) moves on the log scale, which is a multiplicative move of nu.
//
// Many curves of one study share a table:
//
//   const auto table = make_table(plasma, frames, options);
//   for (const auto& curve : curves) models.emplace_back(options, table, curve);
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "evident/model/model.hpp"
#include "model/quick_model.hpp"
#include "models/pet/convolution_table.hpp"
#include "models/pet/input.hpp"
#include "models/pet/options.hpp"

namespace evident {

/// A table that covers the prior's rates.
std::shared_ptr<const ConvolutionTable> make_table(const PetInput& input, const PetFrames& frames,
                                                   const PetOptions& options, const PetBlood& blood = {});

class PetCompartments final : public Model, public QuickModel {
 public:
  /// Throws InputError when options, table and activity do not fit together.
  PetCompartments(PetOptions options, std::shared_ptr<const ConvolutionTable> table, std::span<const double> activity);
  PetCompartments(const PetOptions& options, const PetInput& input, const PetFrames& frames,
                  std::span<const double> activity, const PetBlood& blood = {});
  ~PetCompartments() override;
  PetCompartments(PetCompartments&&) noexcept;
  PetCompartments& operator=(PetCompartments&&) noexcept;

  const ParameterSpace& parameters() const override;
  /// A rate outside the table is convolved exactly, which takes some 0.1 ms; unless it lies outside the prior, too:
  /// then the result is -inf at once, because nobody needs it.
  void log_likelihood(ConstBlock theta, std::span<double> out) const override;
  void draw_prior(const Streams& streams, std::uint32_t first, Block theta) const override;
  void log_prior(ConstBlock theta, std::span<double> out) const override;
  bool constrain(ConstBlock z, Block theta, std::span<double> log_prior, std::span<double> log_jacobian) const override;
  /// {phi}, {theta}, {lambda}, {inverse_nu}; without lambda when the model's own move draws it.
  std::vector<std::vector<std::size_t>> groups() const override;

  bool has_own_move() const override;
  /// lambda from its conditional under prior x likelihood^alpha. One evaluation a particle, for its residuals; the new
  /// likelihood follows from them.
  std::size_t own_move(double alpha, const MoveState& state, const MoveRandom& random) const override;

  /// Frames one after another; not when the precision is integrated out, which ties them together.
  std::size_t observation_count() const override;
  bool has_sequence() const override { return !options().marginal_precision; }
  void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const override;

  /// V_D and K1 = sum phi_d.
  std::vector<std::string> derived_names() const override { return {"V_D", "K1"}; }
  void derive(ConstBlock theta, Block out) const override;

  /// The activities of the frames. When the precision is integrated out, new observations have one that is drawn given
  /// theta and the activities: without them it would be that of the prior.
  std::vector<Observed> observed() const override;
  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override;
  void predict(ConstBlock theta, Block out) const override;

  const PetOptions& options() const;
  const std::shared_ptr<const ConvolutionTable>& table() const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// By hand, as Zhou, Johansen and Aston (2016) set it (KernelOptions::manual): standard deviation of the proposal of
/// row j of z at alpha. Rows: phi, theta (m of each), log lambda, log inverse_nu.
inline double pet_manual_scale(std::size_t m, std::size_t j, double alpha) {
  if (j < m) return (j == 0 ? 5e-4 : 1e-3) * 30 / (1 + 30 * alpha);
  if (j < 2 * m) return (j == m ? 5e-5 : 1e-2) * 5 / (1 + 5 * alpha);
  return 0.3 * 80 / (1 + 20 * alpha);
}

}  // namespace evident
