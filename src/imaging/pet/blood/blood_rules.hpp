// How several files of blood become one curve: the rules 1 to 3 of imaging/pet/blood/blood.hpp.
#pragma once

#include <string>
#include <vector>

#include "imaging/pet/blood/blood_file.hpp"

namespace evident::imaging {

/// An autosampler's file: whole blood and no plasma.
bool continuous(const BloodFile& f);

/// Refuses, with what to do, when there is no plasma and whole blood is not allowed to stand for it.
void check_plasma(const std::vector<BloodFile>& files, const BloodSeries& plasma, const BloodSeries& blood,
                  const BloodOptions& options);

/// Rule 1: the autosampler's whole blood in its range, the others' elsewhere.
BloodSeries whole_blood(const std::vector<BloodFile>& files, std::vector<std::string>& warnings);

/// Plasma over whole blood, where both were sampled.
BloodSeries plasma_ratio(const std::vector<BloodFile>& files, const BloodSeries& blood);

/// Rule 2: the plasma as measured, and derived at the times of files that have whole blood only.
BloodSeries with_derived_plasma(const std::vector<BloodFile>& files, const BloodSeries& plasma,
                                const BloodSeries& blood, const BloodSeries& ratio, InputFunction& out);

/// Rule 3: the samples of the parent fraction; none, with a warning, when the files do not promise any.
BloodSeries parent_fraction(const std::vector<BloodFile>& files, InputFunction& out);
/// Multiplies plasma with the fraction between the samples.
void apply_parent(BloodSeries& plasma, const BloodSeries& parent, InputFunction& out);

/// Where whole blood ends before the plasma does, plasma over the ratio carries on.
void continue_blood(BloodSeries& blood, const BloodSeries& plasma, const BloodSeries& ratio, InputFunction& out);

}  // namespace evident::imaging
