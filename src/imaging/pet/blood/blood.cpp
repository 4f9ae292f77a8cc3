#include "imaging/pet/blood/blood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/blood/blood_rules.hpp"
#include "imaging/pet/blood/series.hpp"
#include "imaging/pet/io/limits.hpp"

namespace evident::imaging {
namespace {

std::string minutes_hint(double last, double scan_end) {
  const bool likely = last * 60 > 0.5 * scan_end && last * 60 < 3 * scan_end;
  return likely ? " (are the times of the blood in minutes?)" : "";
}

// Checks that every input function must pass.
void check_input(const InputFunction& out) {
  if (out.time.size() < 2) throw InputError(fmt::format("{}: at least 2 plasma samples are needed", out.files.front()));
  if (out.time.back() <= 0)
    throw InputError(fmt::format("{}: all samples lie before the injection", out.files.front()));
  check_activities(out.plasma, fmt::format("{}: plasma", out.files.front()));
  check_activities(out.blood, fmt::format("{}: whole blood", out.files.front()));
  if (!(std::ranges::max(out.plasma) > 0)) {
    throw InputError(fmt::format("{}: the plasma has no activity above 0", out.files.front()));
  }
}

// Rule 4 for the plasma.
void extend_plasma(InputFunction& out, const BloodOptions& options) {
  out.measured_to = out.time.back();
  const double first = out.time.front();
  if (first > 60) {
    out.warnings.push_back(fmt::format("the first plasma sample is at {:.4g} s: the peak may be missed", first));
  }
  const double missing = options.scan_end - out.measured_to;
  if (options.scan_end > 0 && missing > 0) {
    const Tail tail = fit_tail(out.time, out.plasma);
    if (missing > options.tail_limit * options.scan_end || tail.samples < 2) {
      throw InputError(fmt::format(
          "{}: the plasma ends at {:.6g} s but the last frame at {:.6g} s, and no more than {:.3g} % of the scan are "
          "extrapolated; leave out late frames, or raise {}{}",
          out.files.front(), out.measured_to, options.scan_end, 100 * options.tail_limit, option("blood_tail"),
          minutes_hint(out.measured_to, options.scan_end)));
    }
    append_tail(out.time, out.plasma, options.scan_end, tail);
    out.warnings.push_back(fmt::format(
        "plasma from {:.6g} to {:.6g} s is extrapolated with one exponential{}", out.measured_to, options.scan_end,
        tail.rate > 0 ? fmt::format(" (half-life {:.4g} min)", std::log(2.0) / tail.rate / 60)
                      : ", which does not decline"));
  }
}

// Rule 4 for whole blood, which can do without.
void extend_blood(InputFunction& out, const BloodOptions& options) {
  if (out.blood.size() < 2 || options.scan_end <= 0 || out.blood_time.back() >= options.scan_end) return;
  const Tail tail = fit_tail(out.blood_time, out.blood);
  const double gap = options.scan_end - out.blood_time.back();
  if (gap > options.tail_limit * options.scan_end || tail.samples < 2) {
    out.warnings.push_back(
        fmt::format("whole blood ends at {:.6g} s, too early for the scan: it cannot be used for a "
                    "blood volume",
                    out.blood_time.back()));
    out.blood_time.clear();
    out.blood.clear();
    return;
  }
  append_tail(out.blood_time, out.blood, options.scan_end, tail);
}

void finish(InputFunction& out, const BloodOptions& options) {
  check_input(out);
  extend_plasma(out, options);
  extend_blood(out, options);
}

// Blood comes with the decay reference of BIDS, time zero, which need not be the injection.
void note_decay(InputFunction& out, const BloodOptions& options) {
  const double reference = options.decay_reference - options.injection_start;
  if (!options.decay_corrected || options.decay_constant <= 0 || reference == 0) return;
  out.notes.push_back(
      fmt::format("blood is corrected for decay to {}; brought to injection: times {:.6g}",
                  options.decay_reference == 0 ? "time zero" : fmt::format("{} s", options.decay_reference),
                  std::exp(options.decay_constant * reference)));
}

void shift(std::vector<double>& time, std::vector<double>& value, double seconds) {
  if (time.empty()) return;
  const double end = time.back();
  const Tail tail = fit_tail(time, value);
  if (time.front() > 0) {
    time.insert(time.begin(), 0.0);
    value.insert(value.begin(), 0.0);
  }
  for (double& t : time) t += seconds;
  if (seconds > 0) {
    time.insert(time.begin(), 0.0);
    value.insert(value.begin(), 0.0);
    if (time[1] <= 0) {  // samples from before the injection
      time.erase(time.begin());
      value.erase(value.begin());
    }
  }
  if (seconds < 0) append_tail(time, value, end, tail.samples >= 2 ? tail : Tail{value.back(), 0, 0});
}

}  // namespace

BloodOptions blood_options(const Scan& scan) {
  BloodOptions options;
  options.injection_start = scan.injection_start;
  options.scan_end = scan.mid_times_only ? scan.timing.middle(scan.timing.size() - 1) : scan.timing.last_end();
  options.decay_constant = scan.decay_constant;
  options.target = scan.target;
  return options;
}

InputFunction read_blood(const std::vector<std::string>& names, const BloodOptions& options) {
  if (names.empty()) throw InputError("no blood files are given");
  InputFunction out;
  note_decay(out, options);
  out.files = names;
  std::vector<BloodFile> files;
  for (const std::string& name : names) {
    BloodFile f = read_blood_file(name, options);
    if (!f.single.empty()) {  // a PMOD table of "value"
      f.plasma = std::move(f.single);
      f.has_plasma = true;
    }
    out.warnings.insert(out.warnings.end(), f.warnings.begin(), f.warnings.end());
    if (f.dispersion_corrected == false && continuous(f)) {
      out.notes.push_back(fmt::format("{}: not corrected for dispersion", name));
    }
    out.plasma_samples = merged(out.plasma_samples, f.plasma);
    files.push_back(std::move(f));
  }
  BloodSeries blood = whole_blood(files, out.warnings);
  out.blood_samples = blood;
  check_plasma(files, out.plasma_samples, blood, options);
  const BloodSeries ratio = plasma_ratio(files, blood);
  BloodSeries plasma = with_derived_plasma(files, out.plasma_samples, blood, ratio, out);
  if (plasma.empty()) {
    plasma = blood;
    out.warnings.emplace_back("whole blood is taken for plasma, as asked for");
  } else {
    continue_blood(blood, plasma, ratio, out);
  }
  out.parent_samples = parent_fraction(files, out);
  apply_parent(plasma, out.parent_samples, out);
  out.time = std::move(plasma.time);
  out.plasma = std::move(plasma.value);
  out.blood_time = std::move(blood.time);
  out.blood = std::move(blood.value);
  finish(out, options);
  return out;
}

InputFunction read_input_function(const std::string& file, const BloodOptions& options) {
  BloodFile f = read_blood_file(file, options);
  InputFunction out;
  note_decay(out, options);
  out.files = {file};
  out.warnings = f.warnings;
  BloodSeries input = !f.aif.empty() ? f.aif : f.single;
  const bool made = input.empty() && !f.plasma.empty() && !f.parent.empty();
  const bool alone = input.empty() && !f.plasma.empty() && !f.has_parent && f.blood.empty();
  if (made || alone) input = f.plasma;
  if (input.empty()) {
    throw InputError(
        fmt::format("{}: an input function needs the column AIF (or CP), or plasma_radioactivity with "
                    "metabolite_parent_fraction; it has {}",
                    file, f.columns));
  }
  if (made) apply_parent(input, f.parent, out);
  if (alone || !f.single.empty()) out.notes.emplace_back("the values are taken as parent tracer in plasma");
  out.plasma_samples = f.plasma.empty() ? input : f.plasma;
  out.blood_samples = f.blood;
  out.parent_samples = f.parent;
  out.time = std::move(input.time);
  out.plasma = std::move(input.value);
  out.blood_time = f.blood.time;
  out.blood = f.blood.value;
  finish(out, options);
  return out;
}

PetInput InputFunction::pet_input(PetInterpolation interpolation) const {
  return PetInput(time, plasma, interpolation);
}

PetInput InputFunction::blood_input() const {
  if (blood.size() < 2)
    throw InputError("a blood volume needs whole blood, and the blood files have none for the scan");
  return PetInput(blood_time, blood, PetInterpolation::linear);
}

InputFunction InputFunction::shifted(double seconds) const {
  if (!std::isfinite(seconds) || std::abs(seconds) > 3600) {
    throw InputError(
        fmt::format("a delay of {} s is not possible; delays are seconds, a minute at most as a rule", seconds));
  }
  InputFunction out = *this;
  if (seconds == 0) return out;
  shift(out.time, out.plasma, seconds);
  shift(out.blood_time, out.blood, seconds);
  out.notes.push_back(fmt::format("the input is {:.4g} s {}", std::abs(seconds), seconds > 0 ? "later" : "earlier"));
  return out;
}

}  // namespace evident::imaging
