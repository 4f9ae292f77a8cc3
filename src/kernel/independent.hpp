// Independent proposals from a mixture fitted to the particles, among other ways.
//
// Where the mixture is near to the target a proposal is accepted nearly always, wherever the particle was: from one
// mode to another, along a curved valley. Where it is not, Crank-Nicolson proposals and random walks take over: the
// three ways share the passes in proportion to how far they jump. Some of the draws are from a component wider than the
// particles with heavy tails, so that no particle is left behind in a place that the mixture never proposes.
#pragma once

#include "evident/base/context.hpp"
#include "kernel/crank_nicolson.hpp"

namespace evident {

class Independent final : public CrankNicolson {
 public:
  Independent(const KernelOptions& options, const Model& model);
  /// Each half of the particles gets a mixture fitted to the other, as it gets its moments.
  void calibrate(const Population& x, double alpha) override;
  /// With one that is fitted to all of them, made when it is asked for.
  Calibration calibration() const override;

 private:
  enum : int { kFitted = kFurther };
  static std::vector<Way> all_ways(const KernelOptions& options, const Model& model);
  double default_scale(const Group& group) const override;
  double largest_scale(const Group& group) const override;
  void propose(const Proposing& from, Scratch& s) const override;
  const double* log_correction(const Proposing& from, Scratch& s) const override;
  /// Some of the particles, with their weights.
  struct Points {
    BlockStorage z;
    std::vector<double> weights;
  };
  static Points points(const Population& x, Range range);
  /// To some rows of the points. Null when they span no density.
  std::shared_ptr<const FittedMixture> fit(const Points& points, const std::vector<std::size_t>& rows) const;

  std::size_t components_;
  std::shared_ptr<const FittedMixture> modes_;  ///< where a fit begins; null: anywhere
  Executor executor_{1};
  Points all_;  ///< of the last calibration, where the halves were fitted one by one
};

}  // namespace evident
