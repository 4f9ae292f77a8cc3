// The data of the three applications, read from a folder.
//
// Known names: goodwin/simple.csv, goodwin/complex.csv, gmm/observations.csv, pet/time-activity.csv with
// pet/plasma-input.csv; or, for a trial, those of the examples: goodwin/data.csv, mixture/data.csv, pet/data.csv with
// pet/plasma.csv.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "models/goodwin/goodwin.hpp"
#include "models/pet/compartments.hpp"

namespace zhou2016 {

/// Throws InputError when there are no data.
std::vector<double> mixture_data(const std::filesystem::path& folder);
evident::GoodwinData goodwin_data(const std::filesystem::path& folder, const std::string& name);
evident::PetCompartments pet_model(const std::filesystem::path& folder, std::size_t compartments);
/// The published data themselves, not a stand-in: only then published numbers and reference values mean anything.
bool published_data(const std::filesystem::path& folder);

}  // namespace zhou2016
