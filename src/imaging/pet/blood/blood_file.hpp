// One file of blood samples, in kBq/mL and seconds from injection, at the common decay reference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "imaging/pet/blood/blood.hpp"

namespace evident::imaging {

struct BloodFile {
  std::string file;
  std::string columns;                     ///< as listed in messages
  BloodSeries plasma, blood, parent, aif;  ///< empty when there is no such column, or it has no values
  BloodSeries single;                      ///< the one column beside time, when there is just one and it is unknown
  bool has_plasma = false, has_parent = false;  ///< there is a column
  std::optional<bool> plasma_avail, metabolite_avail, dispersion_corrected;
  std::vector<std::string> warnings;
};

BloodFile read_blood_file(const std::string& file, const BloodOptions& options);

}  // namespace evident::imaging
