// All that a PET scan says about itself besides its voxels: timing, units, decay, tracer.
//
//   Scan scan = read_scan("sub-01_pet.nii.gz", frames_of_image, options);
//   kbq = raw * scan.frame_factor[i];               // raw is the image's value in frame scan.used[i]
//   PetFrames frames = pet_frames(scan);            // for the compartment model
//   for (const std::string& line : understood(scan)) ...             // --dry-run
//
// Times are shifted to injection. Activities are brought to one decay reference, the injection: an image that is not
// corrected for decay is corrected with the frame average of the decay, one with another reference time is multiplied
// by a constant. With DecayTarget::uncorrected the reverse is done: data as they were counted.
//
// Noise. A frame's variance is proportional to its counts' uncertainty: for data as counted it is C / dt; corrected
// for decay by the factor e^(lambda t), it is C e^(lambda t) / dt. The model has C / dt_i, so dt_i is dt times the
// frame's mean e^(-lambda t). Leaving that out gives the last frame of a 90 minute carbon-11 scan some 20 times the
// weight that it should have.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "imaging/pet/io/timing.hpp"
#include "models/pet/convolution_table.hpp"

namespace evident::imaging {

struct InputFunction;
struct TacTable;

enum class DecayTarget {
  corrected,    ///< everything is decay-corrected to injection; the default
  uncorrected,  ///< everything as counted, as in Zhou, Aston and Johansen (2013): the model knows the decay
};

enum class NoiseDt {
  duration,      ///< the length of the frame
  midtime_diff,  ///< the difference of the middles of successive frames, as in the published analysis
};

struct ScanOptions {
  std::string json = {};    ///< sidecar to use instead of the one beside the image
  std::string frames = {};  ///< table of frames to use instead of the sidecar's
  // What is given here overrides the sidecar.
  std::string time_unit = {}, units = {}, nuclide = {};
  std::optional<bool> decay_corrected = {};
  std::optional<double> decay_reference = {};  ///< seconds after time zero
  std::optional<double> injection_start = {};  ///< seconds after time zero
  DecayTarget target = DecayTarget::corrected;
  NoiseDt noise_dt = NoiseDt::duration;
};

struct Scan {
  ScanTiming timing;                 ///< of the frames in use, seconds from injection
  std::vector<std::size_t> used;     ///< their numbers in the image, from 0: frames before injection are left out
  std::vector<double> frame_factor;  ///< an image value times this is in kBq/mL at the common decay reference
  std::size_t image_frames = 0;
  bool mid_times_only = false;  ///< from a table without frame lengths: durations are differences of middles

  double injection_start = 0;   ///< seconds after the files' time zero
  std::string nuclide;          ///< as written
  double decay_constant = 0;    ///< 1/s
  bool image_corrected = true;  ///< as it came
  double image_reference = 0;   ///< seconds from injection; the image's own decay reference
  DecayTarget target = DecayTarget::corrected;
  NoiseDt noise_dt = NoiseDt::duration;

  std::string units;  ///< of the image, as written
  std::string tracer, source;
  std::vector<std::string> notes;     ///< what was done to the data
  std::vector<std::string> warnings;  ///< what the user should look at

  /// Decay that is left in the data, for PetOptions::decay: 0 when they are corrected.
  double remaining_decay() const { return target == DecayTarget::corrected ? 0.0 : decay_constant; }
};

/// `image_frames` is the size of the image's fourth dimension. Throws InputError with the field, the file, and what to
/// do, when something is missing or contradicts itself.
Scan read_scan(const std::string& image, std::size_t image_frames, const ScanOptions& options = {});
/// The same for a table of curves, whose values are in kBq/mL already; timing and decay fields may come from its
/// sidecar or from options.json.
Scan read_scan(const TacTable& tacs, const ScanOptions& options = {});

/// Middles of the frames and the dt of the noise model, see the top of this file.
PetFrames pet_frames(const Scan& scan);

/// Factor between a frame's average as counted and its value corrected to time 0.
double frame_decay_factor(double start, double duration, double decay_constant);

/// What was understood, one line each: frames, units, decay, tracer, and the blood when there is any.
std::vector<std::string> understood(const Scan& scan, const InputFunction* input = nullptr);

}  // namespace evident::imaging
