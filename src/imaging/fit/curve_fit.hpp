// One time-activity curve: every compartment model's evidence, and V_T and K1 with their uncertainty.
//
//   const CurveFitter fitter(setup);                     // one for a whole scan, with its table of convolutions
//   const CurveFit fit = fitter.fit(voxel_index, curve);
//   fit.models[1].probability;                           // of the second model
//   fit.vt.mean;                                         // averaged over the models
//
// The result is a function of the setup, the index and the curve alone, so that voxels may be done by any thread in any
// order. It never throws for a curve that cannot be fitted: `status` says why there is no result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "imaging/fit/quantity.hpp"
#include "models/pet/compartments.hpp"
#include "proposal/importance.hpp"

namespace evident::imaging {

/// What happened to a curve; a sum of bits.
enum Status : std::uint32_t {
  kFitted = 1,         ///< there is a result
  kNotFinite = 2,      ///< NaN or infinity in the curve: not fitted
  kConstant = 4,       ///< all values equal: not fitted
  kFailed = 8,         ///< the sampler gave up, for at least one model
  kIrreversible = 16,  ///< washout is too slow to see within the scan: V_T is not defined
  kAtBound = 32,       ///< a parameter of the best model piles up at a bound of its prior
  kUncertain = 64,     ///< the standard error of a log evidence that matters is above 1, or is not known
  kNegative = 128,     ///< some values are negative; they are used as they are
};
struct StatusBit {
  Status bit;
  std::string_view name, meaning;
};
std::span<const StatusBit> status_bits();

struct ModelFit {
  Estimate log_evidence = {};
  double probability = kNaN;
  Quantity vt = {}, k1 = {};
  double steps = kNaN, acceptance = kNaN;
  std::size_t evaluations = 0;          ///< of the likelihood
  std::vector<double> prediction = {};  ///< posterior mean of every frame, when asked for
};

struct CurveFit {
  std::uint32_t status = 0;
  std::size_t best = 0;          ///< number in `models`; meaningful when fitted
  std::vector<ModelFit> models;  ///< in the order of the setup
  Quantity vt = {}, k1 = {};     ///< averaged over the models by their probabilities
};

struct CurveSetup {
  std::vector<PetOptions> models;  ///< one a model; equally probable beforehand
  PetFrames frames;
  PetInput input;
  PetBlood blood = {};
  SmcOptions smc = {};
  /// How importance sampling makes the evidence of the sampler's last particles precise; none: the sampler's own alone.
  std::optional<ImportanceOptions> importance = ImportanceOptions{};
  std::uint64_t seed = 1;
  double scan_seconds = 0;  ///< length of the scan, to judge washout; 0: the middle of the last frame
};

/// The published setting: 1000 particles, CESS 0.999, one pass of the adaptive random walk over the blocks.
SmcOptions paper_preset();
/// Particles enough to find the posterior, in a small part of the time; importance sampling does the rest.
SmcOptions fast_preset();

class CurveFitter {
 public:
  /// Throws InputError when the setup makes no model.
  explicit CurveFitter(CurveSetup setup);
  ~CurveFitter();
  CurveFitter(CurveFitter&&) noexcept;
  CurveFitter& operator=(CurveFitter&&) noexcept;

  /// May be called by several threads at once. Throws only when `stop` asks for it.
  CurveFit fit(std::uint64_t index, std::span<const double> activity, bool keep_predictions = false,
               const std::stop_token& stop = {}) const;

  const CurveSetup& setup() const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace evident::imaging
