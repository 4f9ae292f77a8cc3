#include "imaging/pet/io/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/io/sidecar.hpp"
#include "imaging/pet/io/tacs.hpp"
#include "imaging/pet/io/units.hpp"

namespace evident::imaging {
namespace {

[[noreturn]] void missing(const std::string& where, const std::string& field, const std::string& other) {
  throw InputError(fmt::format("{}: '{}' is missing; add it, or give {}", where, field, other));
}

// Times of the sidecar are in seconds unless the user says otherwise.
double sidecar_second(const ScanOptions& options) {
  return options.time_unit.empty() ? 1.0 : time_factor(options.time_unit, "the time unit");
}

ScanTiming timing_of(const Sidecar& sidecar, const ScanOptions& options) {
  const std::string table = option("frames", "FILE") + ", a table with the columns start and duration";
  if (!sidecar.frame_times_start) missing(sidecar.where(), "FrameTimesStart", table);
  if (!sidecar.frame_duration) missing(sidecar.where(), "FrameDuration", table);
  ScanTiming timing{*sidecar.frame_times_start, *sidecar.frame_duration, !options.time_unit.empty()};
  const double k = sidecar_second(options);
  for (double& t : timing.start) t *= k;
  for (double& t : timing.duration) t *= k;
  return timing;
}

void read_nuclide(Scan& scan, const Sidecar& sidecar, const ScanOptions& options) {
  if (options.nuclide.empty() && !sidecar.radionuclide) {
    missing(scan.source, "TracerRadionuclide", option("nuclide") + ", for example " + option("nuclide", "C11"));
  }
  const bool given = !options.nuclide.empty();
  scan.nuclide = given ? options.nuclide : *sidecar.radionuclide;
  scan.decay_constant =
      decay_constant(scan.nuclide, given ? option("nuclide") : sidecar.where() + ": 'TracerRadionuclide'");
}

void read_decay(Scan& scan, const Sidecar& sidecar, const ScanOptions& options, bool curves) {
  if (!options.decay_corrected && !sidecar.decay_corrected) {
    if (!curves) missing(scan.source, "ImageDecayCorrected", option("decay_corrected", "yes") + " (or no)");
    scan.warnings.push_back("the curves are taken as corrected for decay; if not, give " +
                            option("decay_corrected", "no"));
  }
  scan.image_corrected = options.decay_corrected ? *options.decay_corrected : sidecar.decay_corrected.value_or(true);
  if (!scan.image_corrected) return;
  if (options.decay_reference) {
    scan.image_reference = *options.decay_reference - scan.injection_start;
  } else if (sidecar.decay_correction_time) {
    scan.image_reference = *sidecar.decay_correction_time * sidecar_second(options) - scan.injection_start;
  } else if (curves || sidecar.files.empty()) {
    scan.notes.push_back("the data are taken as decay-corrected to injection");
  } else {
    missing(scan.source, "ImageDecayCorrectionTime", option("decay_reference", "SECONDS"));
  }
  if (std::abs(scan.image_reference) * scan.decay_constant > 25) {
    throw InputError(fmt::format("{}: the decay reference is {} s away from injection, more than 36 half-lives of {}",
                                 scan.source, scan.image_reference, scan.nuclide));
  }
}

void read_injection(Scan& scan, const Sidecar& sidecar, const ScanOptions& options, bool curves) {
  if (options.injection_start) {
    scan.injection_start = *options.injection_start;
  } else if (sidecar.injection_start) {
    scan.injection_start = *sidecar.injection_start * sidecar_second(options);
  } else if (curves || sidecar.files.empty()) {
    scan.notes.push_back("times are taken as seconds from injection");
  } else {
    missing(scan.source, "InjectionStart", option("injection_start", "SECONDS") + " (after time zero)");
  }
  if (scan.injection_start != 0) {
    scan.notes.push_back(
        fmt::format("injection at {} s after time zero: all times are shifted to injection", scan.injection_start));
  }
}

// Shifts to injection and drops frames before it.
void use_frames(Scan& scan, const ScanTiming& all) {
  scan.image_frames = all.size();
  scan.timing.unit_given = all.unit_given;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double start = all.start[i] - scan.injection_start;
    if (start + all.duration[i] / 2 <= 0) continue;
    scan.used.push_back(i);
    scan.timing.start.push_back(start);
    scan.timing.duration.push_back(all.duration[i]);
  }
  if (scan.used.empty()) throw InputError(fmt::format("{}: all frames lie before the injection", scan.source));
  if (const std::size_t dropped = all.size() - scan.used.size(); dropped > 0) {
    scan.warnings.push_back(fmt::format("{} frame{} before the injection {} left out", dropped, dropped == 1 ? "" : "s",
                                        dropped == 1 ? "is" : "are"));
  }
}

void set_factors(Scan& scan, double unit) {
  const double lambda = scan.decay_constant;
  const bool correct = scan.target == DecayTarget::corrected;
  if (scan.image_corrected && std::abs(scan.image_reference) > 1e-9) {
    scan.notes.push_back(fmt::format("decay reference moved from {} s to injection: values times {:.6g}",
                                     scan.image_reference, std::exp(lambda * scan.image_reference)));
  }
  if (scan.image_corrected != correct) {
    scan.notes.push_back(fmt::format("values were {}corrected for decay and are now {}, with {}",
                                     scan.image_corrected ? "" : "not ",
                                     correct ? "corrected to injection" : "as counted", scan.nuclide));
  }
  for (std::size_t i = 0; i < scan.timing.size(); ++i) {
    double factor = unit;
    if (scan.image_corrected) factor *= std::exp(lambda * scan.image_reference);
    const double duration = scan.mid_times_only ? 0 : scan.timing.duration[i];
    const double start = scan.mid_times_only ? scan.timing.middle(i) : scan.timing.start[i];
    const double decay = frame_decay_factor(start, duration, lambda);
    if (!scan.image_corrected && correct) factor *= decay;
    if (scan.image_corrected && !correct) factor /= decay;
    if (!std::isfinite(decay) || decay > 1e12) {
      throw InputError(
          fmt::format("{}: frame {} is at {} s, where nothing is left of {} (wrong radionuclide or time "
                      "unit?)",
                      scan.source, scan.used[i] + 1, scan.timing.middle(i), scan.nuclide));
    }
    scan.frame_factor.push_back(factor);
  }
}

void describe(Scan& scan, const Sidecar& sidecar) {
  scan.tracer = sidecar.tracer.value_or("");
  scan.warnings.insert(scan.warnings.end(), sidecar.warnings.begin(), sidecar.warnings.end());
  if (sidecar.injected_activity && sidecar.injected_units) {
    scan.tracer +=
        fmt::format("{}{} {}", scan.tracer.empty() ? "" : ", ", *sidecar.injected_activity, *sidecar.injected_units);
  }
  const std::string mode = sidecar.mode_of_administration.value_or("");
  if (!mode.empty()) scan.tracer += (scan.tracer.empty() ? "" : ", ") + mode;
}

// What an image must say, a table of curves may leave out: it rarely has a sidecar of its own.
Scan begin(const Sidecar& sidecar, const std::string& data_file, const ScanOptions& options, bool curves) {
  Scan scan;
  scan.source = sidecar.files.empty() ? data_file : sidecar.where();
  scan.target = options.target;
  scan.noise_dt = options.noise_dt;
  describe(scan, sidecar);
  read_injection(scan, sidecar, options, curves);
  read_nuclide(scan, sidecar, options);
  read_decay(scan, sidecar, options, curves);
  return scan;
}

}  // namespace

double frame_decay_factor(double start, double duration, double decay_constant) {
  const double x = decay_constant * duration;
  return std::exp(decay_constant * start) * (x > 0 ? x / -std::expm1(-x) : 1.0);
}

Scan read_scan(const std::string& image, std::size_t image_frames, const ScanOptions& options) {
  const auto files = options.json.empty() ? find_sidecars(image) : std::vector<std::string>{options.json};
  if (files.empty() && options.frames.empty()) {
    throw InputError(
        fmt::format("{}: there is no sidecar (a file of the same name with .json) that says when the frames "
                    "were taken; add one, or give {}, a table with the columns start and duration",
                    image, option("frames", "FILE")));
  }
  const Sidecar sidecar = read_sidecar(files);
  const bool own_frames = !options.frames.empty();
  const ScanTiming all = own_frames ? read_frames(options.frames, options.time_unit) : timing_of(sidecar, options);
  const std::string where = own_frames ? options.frames : sidecar.where();
  check_frame_counts(image_frames, all, where);
  std::vector<std::string> notes;
  check_frames(all, where, notes);

  if (options.units.empty() && !sidecar.units)
    missing(files.empty() ? image : sidecar.where(), "Units",
            option("units") + ", for example " + option("units", "Bq/mL"));
  Scan scan = begin(sidecar, image, options, false);
  scan.notes.insert(scan.notes.end(), notes.begin(), notes.end());
  if (!own_frames && sidecar.scan_start && std::abs(*sidecar.scan_start * sidecar_second(options) - all.start[0]) > 1) {
    scan.warnings.push_back(
        fmt::format("{}: ScanStart is {} s but the first frame begins at {} s; both should count from TimeZero",
                    sidecar.where(), *sidecar.scan_start, all.start[0]));
  }
  scan.units = options.units.empty() ? *sidecar.units : options.units;
  const double unit =
      activity_factor(scan.units, options.units.empty() ? sidecar.where() + ": 'Units'" : option("units"));
  use_frames(scan, all);
  set_factors(scan, unit);
  return scan;
}

Scan read_scan(const TacTable& tacs, const ScanOptions& options) {
  const Sidecar sidecar =
      read_sidecar(options.json.empty() ? find_sidecars(tacs.file) : std::vector<std::string>{options.json});
  ScanTiming all = options.frames.empty() ? tacs.timing : read_frames(options.frames, options.time_unit);
  const bool middles = all.start.empty();
  std::vector<std::string> notes;
  if (middles) {
    for (std::size_t i = 0; i < tacs.middle.size(); ++i) {
      const double before = i > 0 ? tacs.middle[i - 1] : tacs.middle[0] > 0 ? 0.0 : tacs.middle[0] - 1;
      const double step = tacs.middle[i] - before;
      if (!(step > 0))
        throw InputError(
            fmt::format("{}: frame {} at {} s does not come after the one before", tacs.file, i + 1, tacs.middle[i]));
      all.start.push_back(tacs.middle[i] - step / 2);
      all.duration.push_back(step);
    }
    if (!all.unit_given && all.size() > 10 && tacs.middle.back() < 200) check_frames(all, tacs.file, notes);
    notes = {"only the middles of the frames are known: the steps between them stand for the durations"};
  } else {
    check_frame_counts(tacs.frames(), all, options.frames.empty() ? tacs.file : options.frames);
    check_frames(all, tacs.file, notes);
  }
  Scan scan = begin(sidecar, tacs.file, options, true);
  scan.mid_times_only = middles;
  scan.notes.insert(scan.notes.end(), notes.begin(), notes.end());
  scan.notes.insert(scan.notes.end(), tacs.notes.begin(), tacs.notes.end());
  scan.warnings.insert(scan.warnings.end(), tacs.warnings.begin(), tacs.warnings.end());
  scan.units = "kBq/mL";
  use_frames(scan, all);
  set_factors(scan, 1);
  return scan;
}

}  // namespace evident::imaging
