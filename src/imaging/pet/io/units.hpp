// Units of activity and time, and the half-lives of positron emitters. Inside evident, PET data are in kBq/mL and in
// seconds from injection.
//
//   double k = activity_factor("Bq/mL", "sub-01_pet.json: 'Units'");   // 0.001: a value times k is in kBq/mL
//   double s = time_factor("min", option("time_unit"));                // 60
//   double d = decay_constant("[11C]", option("nuclide"));             // 0.000566852 per second
//
// Unknown words throw an InputError that says where the word stands and which words are known.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace evident::imaging {

/// Bq, kBq, MBq, GBq, nCi, uCi or mCi per mL, cc, cm3, dL or L, in any case that leaves no doubt; also DICOM's BQML.
std::optional<double> find_activity_factor(std::string_view unit);
/// s, sec, seconds, ms, min, minutes, h, hours.
std::optional<double> find_time_factor(std::string_view unit);
/// In 1/s; 0 for "none", data without decay. C11, C-11, 11C, [11C], Carbon-11 and ^11^Carbon are the same.
std::optional<double> find_decay_constant(std::string_view nuclide);

double activity_factor(std::string_view unit, const std::string& where);
double time_factor(std::string_view unit, const std::string& where);
double decay_constant(std::string_view nuclide, const std::string& where);

/// A column name with a unit: "start[seconds]", "plasma (kBq/mL)".
struct NameWithUnit {
  std::string name, unit;  ///< the unit is empty when there is none
};
NameWithUnit split_unit(std::string_view text);

}  // namespace evident::imaging
