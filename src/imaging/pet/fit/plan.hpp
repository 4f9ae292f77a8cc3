// A request with its files read and checked: everything that is needed to run, before any of it is run.
//
//   PetPlan plan = make_plan(request);
//   for (const std::string& line : plan.understood()) ...          // --dry-run
//   CurveFitter fitter(plan.setup());
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "imaging/fit/curve_fit.hpp"
#include "imaging/fit/fit_many.hpp"
#include "imaging/nifti/geometry.hpp"
#include "imaging/nifti/mask.hpp"
#include "imaging/pet/blood/blood.hpp"
#include "imaging/pet/fit/request.hpp"
#include "imaging/pet/fit/voxels.hpp"
#include "imaging/pet/io/scan.hpp"
#include "journal/journal.hpp"

namespace evident::imaging {

struct PetPlan {
  PetRequest request;
  Scan scan;
  InputFunction input;  ///< shifted by the delay already
  double delay = 0;
  bool delay_found = false;  ///< on the mean curve, not given
  std::vector<PetOptions> models;
  Curves curves;                                         ///< kBq/mL
  std::vector<double> mean_curve;                        ///< of all finite curves
  std::vector<std::string> regions;                      ///< names of the curves, of a table
  Geometry geometry = {};                                ///< of an image
  Labels atlas = {};                                     ///< empty without one
  std::map<std::int32_t, std::string> label_names = {};  ///< of the atlas, as far as they are known
  std::vector<std::string> notes, warnings;              ///< options in them are marked, base/option.hpp
  std::optional<std::uint64_t> sum_of_curves = {};       ///< of those that were forgotten

  /// The voxels of an image are nearly all that a plan holds. Of many plans, all but one may forget theirs.
  void forget_voxels();
  /// Reads again what was forgotten. Throws InputError when that fails, RunError when the curves are others by now.
  void read_voxels();

  bool is_image() const { return regions.empty(); }
  /// Predictions are averages over the frames, not values in their middles.
  bool averages_frames() const { return request.average_frames.value_or(!scan.mid_times_only); }
  std::vector<std::string> written_warnings() const;  ///< as files have them
  std::vector<std::string> model_names() const;       ///< "1TCM", ...
  FitColumns columns() const;
  /// Curves that one thread does at a time, and that the journal keeps together.
  std::size_t chunk() const;
  CurveSetup setup() const;
  /// What the results depend on, for the journal.
  JournalIdentity identity() const;
  /// One line each: timing, units, decay, blood, priors, noise, voxels.
  std::vector<std::string> understood() const;
};

/// Reads all files. Throws InputError when they make no analysis.
PetPlan make_plan(const PetRequest& request);

}  // namespace evident::imaging
