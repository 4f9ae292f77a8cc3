// The sidecar of a PET image, _pet.json of BIDS, with its inheritance.
//
//   Sidecar sidecar = read_sidecar(find_sidecars("sub-01/pet/sub-01_pet.nii.gz"));
//
// A field comes from the file nearest to the image that has it. Names of fields are matched without regard to case, as
// InjectedRadioActivity and InjectedRadioactivity are both in use. What is missing stays empty here; scan.hpp decides
// whether it can do without.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "imaging/pet/io/timing.hpp"

namespace evident::imaging {

struct Sidecar {
  std::vector<std::string> files;  ///< nearest to the image first; empty when there is none
  std::optional<std::vector<double>> frame_times_start, frame_duration;  ///< seconds after TimeZero
  std::optional<std::string> time_zero;                                  ///< "hh:mm:ss"
  std::optional<double> scan_start, injection_start;                     ///< seconds after TimeZero
  std::optional<bool> decay_corrected;
  std::optional<double> decay_correction_time;  ///< seconds after TimeZero
  std::optional<std::string> units, radionuclide, tracer, mode_of_administration;
  std::optional<double> injected_activity;  ///< in injected_units
  std::optional<std::string> injected_units;
  std::vector<std::string> warnings;

  /// "a.json", or "a.json (and 2 more)", for messages.
  std::string where() const;
};

/// The JSON files that apply to an image or a table, nearest first: same name, or fewer entities in the same folder or
/// in one above, up to the root of the data set (the folder of dataset_description.json). A file without a BIDS name
/// has its own name with .json only.
std::vector<std::string> find_sidecars(const std::filesystem::path& file);

/// Throws InputError, with file and field, for a file that is no JSON object and for a value of the wrong type.
Sidecar read_sidecar(const std::vector<std::string>& files);

}  // namespace evident::imaging
