#include "imaging/pet/blood/blood_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/option.hpp"
#include "base/statistics.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/blood/series.hpp"

namespace evident::imaging {
namespace {

double largest(const BloodSeries& s) { return s.empty() ? 0.0 : std::ranges::max(s.value); }

}  // namespace

bool continuous(const BloodFile& f) { return f.plasma.empty() && !f.blood.empty(); }

void check_plasma(const std::vector<BloodFile>& files, const BloodSeries& plasma, const BloodSeries& blood,
                  const BloodOptions& options) {
  for (const BloodFile& f : files) {
    if (f.plasma_avail == true && !f.has_plasma) {
      throw InputError(
          fmt::format("{}: its JSON says PlasmaAvail, but there is no column 'plasma_radioactivity'; it has {}", f.file,
                      f.columns));
    }
  }
  if (!plasma.empty()) return;
  if (options.plasma_from_blood && !blood.empty()) return;
  std::string found;
  for (const BloodFile& f : files) found += fmt::format("{}{} has {}", found.empty() ? "" : "; ", f.file, f.columns);
  throw InputError(
      fmt::format("there is no plasma: no column 'plasma_radioactivity' with values ({}){}", found,
                  blood.empty() ? "" : "; to take whole blood for plasma, give " + option("plasma_from_blood")));
}

BloodSeries whole_blood(const std::vector<BloodFile>& files, std::vector<std::string>& warnings) {
  BloodSeries dense, rest;
  for (const BloodFile& f : files) {
    if (continuous(f)) dense = merged(dense, f.blood);
  }
  std::vector<double> ratios;
  for (const BloodFile& f : files) {
    if (continuous(f)) continue;
    BloodSeries kept;
    for (std::size_t i = 0; i < f.blood.size(); ++i) {
      const double t = f.blood.time[i];
      if (dense.empty() || t < dense.time.front() || t > dense.time.back()) {
        kept.time.push_back(t);
        kept.value.push_back(f.blood.value[i]);
      } else if (linear_at(dense, t) > 0.05 * largest(dense) && f.blood.value[i] > 0) {
        ratios.push_back(f.blood.value[i] / linear_at(dense, t));
      }
    }
    rest = merged(rest, kept);
  }
  if (ratios.size() >= 2) {
    const double ratio = median(ratios);
    if (ratio < 0.8 || ratio > 1.25) {
      warnings.push_back(
          fmt::format("manual whole blood is {:.2f} times the autosampler's where both were taken; check "
                      "calibration and units",
                      ratio));
    }
  }
  return merged(dense, rest);
}

BloodSeries plasma_ratio(const std::vector<BloodFile>& files, const BloodSeries& blood) {
  BloodSeries all;
  const double floor = 0.01 * largest(blood);
  for (const BloodFile& f : files) {
    BloodSeries ratio;
    for (std::size_t i = 0; i < f.plasma.size(); ++i) {
      const double t = f.plasma.time[i];
      const auto own = std::ranges::lower_bound(f.blood.time, t);
      const bool beside = own != f.blood.time.end() && *own == t;
      if (!beside && (blood.empty() || t < blood.time.front() || t > blood.time.back())) continue;
      const double b =
          beside ? f.blood.value[static_cast<std::size_t>(own - f.blood.time.begin())] : linear_at(blood, t);
      if (!(b > floor) || !(f.plasma.value[i] > 0)) continue;
      ratio.time.push_back(t);
      ratio.value.push_back(f.plasma.value[i] / b);
    }
    all = merged(all, ratio);
  }
  return all;
}

BloodSeries with_derived_plasma(const std::vector<BloodFile>& files, const BloodSeries& plasma,
                                const BloodSeries& blood, const BloodSeries& ratio, InputFunction& out) {
  BloodSeries derived;
  for (const BloodFile& f : files) {
    if (continuous(f)) derived = merged(derived, f.blood);
  }
  if (derived.empty() || plasma.empty()) return plasma;
  if (ratio.empty()) {
    out.warnings.emplace_back("whole blood from the autosampler is not used for plasma: no sample has both");
    return plasma;
  }
  for (std::size_t i = 0; i < derived.size(); ++i)
    derived.value[i] = linear_at(blood, derived.time[i]) * linear_at(ratio, derived.time[i]);
  out.notes.push_back(
      fmt::format("plasma at {} times is whole blood times the plasma-over-blood ratio of {} samples "
                  "({:.3g} at {:.4g} s)",
                  derived.size(), ratio.size(), ratio.value.front(), ratio.time.front()));
  return merged(plasma, derived);
}

BloodSeries parent_fraction(const std::vector<BloodFile>& files, InputFunction& out) {
  BloodSeries parent;
  bool promised = false;
  std::string file;
  for (const BloodFile& f : files) {
    parent = merged(parent, f.parent);
    if (f.metabolite_avail == true) {
      promised = true;
      file = f.file;
    }
  }
  if (!parent.empty()) return parent;
  if (promised) {
    throw InputError(
        fmt::format("{}: its JSON says MetaboliteAvail, but no file has a column "
                    "'metabolite_parent_fraction' with values",
                    file));
  }
  out.warnings.emplace_back("no parent fraction: all plasma activity is taken as parent tracer");
  return parent;
}

void apply_parent(BloodSeries& plasma, const BloodSeries& parent, InputFunction& out) {
  if (parent.empty()) return;
  BloodSeries samples = parent;
  if (samples.time.front() > 0) {
    samples.time.insert(samples.time.begin(), 0.0);
    samples.value.insert(samples.value.begin(), 1.0);
    out.notes.emplace_back("parent fraction is 1 at injection");
  }
  if (parent.time.back() < plasma.time.back()) {
    out.notes.push_back(fmt::format("parent fraction stays at {:.3g} after its last sample at {:.6g} s",
                                    parent.value.back(), parent.time.back()));
  }
  const MonotoneCurve curve(samples);
  for (std::size_t i = 0; i < plasma.size(); ++i) plasma.value[i] *= curve(plasma.time[i]);
}

void continue_blood(BloodSeries& blood, const BloodSeries& plasma, const BloodSeries& ratio, InputFunction& out) {
  if (blood.empty() || ratio.empty() || plasma.empty() || blood.time.back() >= plasma.time.back()) return;
  const double last = blood.time.back();
  for (std::size_t i = 0; i < plasma.size(); ++i) {
    if (plasma.time[i] <= last) continue;
    blood.time.push_back(plasma.time[i]);
    blood.value.push_back(plasma.value[i] / linear_at(ratio, plasma.time[i]));
  }
  out.notes.push_back(fmt::format("whole blood after {:.6g} s is plasma over the plasma-over-blood ratio", last));
}

}  // namespace evident::imaging
