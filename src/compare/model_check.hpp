// Is a model sound? What can be told before a long run, from draws of its prior.
//
//   const ModelCheck c = check_model(*model, {}, context);
//   for (const Finding& f : c.findings) puts(f.text.c_str());
//
// Nothing of it depends on the number of threads; apart from times, and the forecast that rests on them, the same seed
// gives the same check.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/log_math.hpp"
#include "evident/compare/compare.hpp"
#include "evident/model/model.hpp"
#include "evident/smc/sampler.hpp"
#include "model/prior_check.hpp"
#include "scout/scout.hpp"

namespace evident {

/// What many numbers look like. NaN when there are none.
struct Spread {
  double mean = kNaN, sd = kNaN, q05 = kNaN, q50 = kNaN, q95 = kNaN;
};
/// Of the numbers that are finite.
Spread spread_of(std::vector<double> values);

struct PriorOfParameter {
  std::string name = {}, prior = {};  ///< "normal(mean=0, sd=10)"
  Spread draws = {};
};

/// Data sets drawn from the prior against the real one, by a number that tells something of each.
struct PriorPredictive {
  std::string observed = {};   ///< whose: "y"
  std::string statistic = {};  ///< "mean", "sd", "smallest", "largest"
  double of_data = kNaN;
  Spread of_draws = {};
  double share_below = kNaN;  ///< share of the drawn data sets with a smaller number, ties by half
};

/// The gradient against differences of the density, on the scale on which parameters are moved.
struct GradientCheck {
  std::size_t tested = 0, wrong = 0;  ///< derivatives
  double largest_error = 0;           ///< relative
  std::string where = {};             ///< the coordinate with the largest error
};

/// A part of a comparison.
struct StageForecast {
  std::string name = {};  ///< "modes", "pilot", "islands", "checks", "probe", "referee", "again"; or "runs", "checks"
  double evaluations = 0, seconds = 0;  ///< on one thread
};

/// Of all that is done for one model.
struct CostForecast {
  double evaluations = 0;
  double cpu_seconds = 0;  ///< on one thread
  double seconds = 0;      ///< with the threads that there are
};

/// What a comparison by the direct method will cost, as one in small lets one guess.
struct Forecast {
  double steps = kNaN, evaluations = kNaN;  ///< of one run, without its bridge
  std::size_t runs = 1;                     ///< of this model: a pilot and its islands, or replicates
  CostForecast whole = {};
  /// Where the runs agree, and where they never do. Where there is no forecast, `least` is what the easiest models
  /// take.
  CostForecast least = {}, most = {};
  bool referee = false, again = false;     ///< does `whole` have a referee, and a second round?
  std::vector<StageForecast> stages = {};  ///< that add up to `whole`
  std::size_t particles = 0;               ///< of the small comparison
  std::string why_not = {};                ///< when there is no forecast
};

/// Draws of the prior at which the log likelihood is NaN; more are drawn than for the rest of the check, where that
/// takes no time, because rare ones matter, too.
struct NanOfPrior {
  std::size_t draws = 0, nan = 0;
  std::vector<NanPlace> places = {};  ///< of the first few
  std::string shown = {};             ///< one of them, in words
};

struct Finding {
  bool is_problem = true;  ///< false: something to know
  std::string text = {};
};

struct ModelCheckOptions {
  std::size_t draws = 1000;
  bool forecast = true;       ///< costs a run with few particles
  double forecast_limit = 5;  ///< seconds that it may take
  bool modes = true;          ///< look for them, unless that would take longer than a forecast may
  SmcOptions smc = {};        ///< of the run that is forecast
  std::size_t islands = 0, replicates = 1;
};

struct ModelCheck {
  std::vector<PriorOfParameter> parameters = {};
  PriorCheck prior = {};
  std::size_t draws = 0, impossible = 0, nan = 0;  ///< of the prior; log likelihood -inf, and NaN
  Spread log_likelihood = {};                      ///< of the others
  NanOfPrior nan_of_prior = {};
  std::size_t unsteady = 0;  ///< draws whose log likelihood depends on the others in their block, or on the call
  std::vector<PriorPredictive> predictive = {};
  std::optional<GradientCheck> gradient = {};
  double seconds_per_likelihood = kNaN;  ///< on one thread
  std::optional<Scouted> modes = {};
  std::optional<Forecast> forecast = {};
  std::vector<Finding> findings = {};

  bool has_problem() const;
};

/// Throws RunError when the model itself fails.
ModelCheck check_model(const Model& model, const ModelCheckOptions& options, const Context& context);

}  // namespace evident
