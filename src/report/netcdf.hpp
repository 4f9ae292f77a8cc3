// The draws of a comparison as netCDF files that ArviZ opens: idata = az.from_netcdf("study.nc").
//
//   const std::vector<std::string> names = {"one", "two"};
//   check_netcdf("study.nc", names, force);                       // before the run: could they be written?
//   write_netcdf("study.nc", document, candidates, options);      // study.one.nc and study.two.nc
//
// A file holds one model, as ArviZ wants it; of several models each gets a file of its own. Groups: posterior (draws of
// equal weight), sample_stats (log densities), prior, and where the model tells them observed_data, constant_data,
// posterior_predictive and log_likelihood. Evidence, error, probability and verdict are attributes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "evident/report/document.hpp"

namespace evident::report {

/// FILE.nc for one model, FILE.NAME.nc for each of several.
std::vector<std::filesystem::path> netcdf_files(const std::filesystem::path& wanted,
                                                const std::vector<std::string>& names);

/// Throws InputError when this build has no netCDF, when the folder cannot be written, or when a file exists and
/// `force` is false. `names` may be empty when they are not known yet.
void check_netcdf(const std::filesystem::path& wanted, const std::vector<std::string>& names, bool force);

}  // namespace evident::report
