// The files of a finished PET analysis, named as the draft of BIDS for PET derivatives has it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "imaging/fit/fit_many.hpp"
#include "imaging/pet/fit/plan.hpp"

namespace evident::imaging {

/// Maps with sidecars (of an image) or the table of regions, and the input function; into `folder`. Returns the names.
std::vector<std::filesystem::path> write_outputs(const PetPlan& plan, const FitTable& table,
                                                 const std::filesystem::path& folder);
/// The names that write_outputs makes, in its order.
std::vector<std::filesystem::path> output_names(const PetPlan& plan);

/// The page of the report: what web/src/pet shows.
std::string pet_report(const PetPlan& plan, const CurveSetup& setup, const FitResults& results,
                       const CurveFit& mean_fit);

/// dataset_description.json and .bidsignore of a folder of derivatives, where they are not there yet. They are made in
/// the folder `work` first.
void describe_derivatives(const std::filesystem::path& root, const std::filesystem::path& work);

/// One row a region: of a table of curves, or means over the voxels of an atlas.
std::string regions_tsv(const PetPlan& plan, const FitTable& table);

/// What one region of an atlas holds.
struct RegionMean {
  std::string name;
  std::size_t voxels = 0;
  double vt = 0, vt_sd = 0;          ///< mean over voxels of the averaged V_T, and their spread
  std::vector<double> order_shares;  ///< share of the voxels for which each model is best
};
std::vector<RegionMean> region_means(const PetPlan& plan, const FitTable& table);

}  // namespace evident::imaging
