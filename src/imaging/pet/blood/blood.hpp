// Blood samples to the input function: parent tracer in arterial plasma, in kBq/mL, seconds from injection.
//
//   InputFunction input = read_blood({"sub-01_recording-manual_blood.tsv", "sub-01_recording-autosampler_blood.tsv"},
//                                    blood_options(scan));
//   PetInput plasma = input.pet_input();            // linear between samples
//
// How several files become one curve:
//  1. Whole blood: within the time range of a file that has no plasma (an autosampler's), that file counts; elsewhere
//     the samples of the others.
//  2. Plasma: the samples as measured. At the times of a file without plasma, plasma is whole blood times the ratio
//     plasma / whole blood of the samples that have both, linear in time between them and constant outside.
//  3. Parent fraction: monotone cubic between samples, 1 at time 0 unless a sample says otherwise, constant after the
//     last one. The input function is plasma times parent fraction.
//  4. Blood that ends before the last frame is continued with one exponential, fitted to the last samples, but only
//     over `tail_limit` of the scan (20 %); a longer tail is an error.
//
// Activities are taken as corrected for decay to the files' time zero, as BIDS asks, unless the options say otherwise,
// and brought to the same reference as the image.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "imaging/pet/io/scan.hpp"
#include "models/pet/input.hpp"

namespace evident::imaging {

struct BloodOptions {
  double injection_start = 0;  ///< seconds after the files' time zero
  double scan_end = 0;         ///< seconds from injection; 0: the blood may end when it likes
  double decay_constant = 0;   ///< 1/s, needed when the decay reference changes
  DecayTarget target = DecayTarget::corrected;
  bool decay_corrected = true;
  double decay_reference = 0;  ///< seconds after the files' time zero
  bool plasma_from_blood = false;
  double tail_limit = 0.2;                         ///< of scan_end
  std::string time_unit = {}, activity_unit = {};  ///< where the files say nothing
};

/// What the blood must fit to.
BloodOptions blood_options(const Scan& scan);

struct BloodSeries {
  std::vector<double> time, value;  ///< seconds from injection, increasing
  bool empty() const { return time.empty(); }
  std::size_t size() const { return time.size(); }
};

struct InputFunction {
  std::vector<double> time, plasma;                           ///< parent tracer in plasma, kBq/mL: the input function
  std::vector<double> blood_time, blood;                      ///< whole blood, kBq/mL; empty when there is none
  BloodSeries plasma_samples, blood_samples, parent_samples;  ///< as measured (parent: fractions), for plots
  double measured_to = 0;                                     ///< time of the last sample; what follows is extrapolated
  std::vector<std::string> files, notes, warnings;

  /// Linear interpolation is the safe choice for measured blood: a spline overshoots around the peak.
  PetInput pet_input(PetInterpolation interpolation = PetInterpolation::linear) const;
  /// The whole blood as an input; throws InputError when there is none.
  PetInput blood_input() const;
  /// The input `seconds` later (earlier when negative), zero before its first sample. The end stays where it was: a
  /// curve that moves to earlier times is continued with one exponential.
  InputFunction shifted(double seconds) const;
};

/// BIDS _blood.tsv files with their JSON, or PMOD tables ("sample-time[seconds]", "plasma[kBq/cc]").
InputFunction read_blood(const std::vector<std::string>& files, const BloodOptions& options = {});
/// A finished input function: bloodstream's _inputfunction.tsv (its column AIF) or a PMOD table of two columns.
InputFunction read_input_function(const std::string& file, const BloodOptions& options = {});

}  // namespace evident::imaging
