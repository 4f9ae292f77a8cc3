#include "imaging/pet/fit/priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/suggest.hpp"
#include "evident/base/error.hpp"
#include "study/section.hpp"

namespace evident::imaging {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"wide", "zhou2013-n", "zhou2013-i"};
constexpr double kPerMinute = 1.0 / 60;

PetOptions wide(std::size_t compartments) {
  PetOptions options;
  options.compartments = compartments;
  options.noise = PetNoise::student;
  options.phi = {{1e-4 * kPerMinute, 1 * kPerMinute}};
  options.theta = {{1e-3 * kPerMinute, 0.5 * kPerMinute}, {1e-3 * kPerMinute, 1.5 * kPerMinute}};
  options.activity_floor = 0.1;
  return options;
}

// Without decay.
PetOptions preset(const std::string& name, std::size_t compartments) {
  if (name == "zhou2013-n") return zhou2013_n(compartments);
  if (name == "zhou2013-i") return zhou2013_i(compartments, 0);
  return wide(compartments);
}

// Rates of data as counted include the decay. The published priors raise the lower bounds alone.
void add_decay(PetOptions& options, double decay, bool lower_only) {
  options.decay = decay;
  for (PetBounds& b : options.theta) {
    b.lower += decay;
    if (!lower_only) b.upper += decay;
  }
}

std::vector<PetBounds> read_bounds(const study::Section& file, const std::string& what, double unit,
                                   std::vector<PetBounds> present) {
  const auto lower = file.numbers(what + "_lower", study::at_least(0));
  const auto upper = file.numbers(what + "_upper", study::above(0));
  const std::size_t count = std::max({lower ? lower->size() : 1, upper ? upper->size() : 1, present.size()});
  present.resize(count, present.back());
  for (std::size_t d = 0; d < count; ++d) {
    if (lower) present[d].lower = unit * (*lower)[std::min(d, lower->size() - 1)];
    if (upper) present[d].upper = unit * (*upper)[std::min(d, upper->size() - 1)];
    if (!(present[d].lower < present[d].upper)) {
      file.fail(lower ? what + "_lower" : what + "_upper",
                fmt::format("leaves no room for {}{}: from {} to {}", what, d + 1, present[d].lower / unit,
                            present[d].upper / unit));
    }
    if (what == "theta" && !(present[d].lower > 0)) {
      file.fail("theta_lower", "must be above 0: a rate of 0 has no V_T");
    }
    if (what == "theta" && d > 0 && present[d].upper < present[d - 1].upper) {
      file.fail(upper ? "theta_upper" : "theta_lower", "must not decrease, because the rates are ordered");
    }
  }
  return present;
}

PetOptions from_file(const std::string& name, std::size_t compartments, double decay) {
  constexpr std::array<std::string_view, 10> keys = {"preset",          "unit",          "phi_lower", "phi_upper",
                                                     "theta_lower",     "theta_upper",   "noise",     "precision_shape",
                                                     "precision_scale", "activity_floor"};
  constexpr std::array<std::string_view, 2> units = {"1/min", "1/s"}, noises = {"student", "normal"};
  const study::Section file = study::read_toml(name);
  file.check_keys(keys);
  const std::string base = file.choice("preset", kNames).value_or("wide");
  PetOptions options = preset(base, compartments);
  const bool bounds =
      file.has("phi_lower") || file.has("phi_upper") || file.has("theta_lower") || file.has("theta_upper");
  const auto unit_name = file.choice("unit", units);
  if (bounds && !unit_name) file.fail("needs unit = \"1/min\" or unit = \"1/s\", the unit of the bounds");
  const double unit = unit_name == "1/min" ? kPerMinute : 1.0;
  options.phi = read_bounds(file, "phi", unit, options.phi);
  options.theta = read_bounds(file, "theta", unit, options.theta);
  if (const auto noise = file.choice("noise", noises)) {
    options.noise = *noise == "student" ? PetNoise::student : PetNoise::normal;
  }
  options.precision_shape = file.number("precision_shape", study::above(0)).value_or(options.precision_shape);
  options.precision_scale = file.number("precision_scale", study::above(0)).value_or(options.precision_scale);
  options.activity_floor = file.number("activity_floor", study::at_least(0)).value_or(options.activity_floor);
  add_decay(options, decay, false);
  return options;
}

std::string bounds_text(const std::vector<PetBounds>& bounds, double decay, std::size_t compartments) {
  std::string out;
  for (std::size_t d = 0; d < std::min(bounds.size(), compartments); ++d) {
    out += fmt::format("{}{:.4g} to {:.4g}", out.empty() ? "" : "; ", (bounds[d].lower - decay) / kPerMinute,
                       (bounds[d].upper - decay) / kPerMinute);
  }
  return out + " per minute";
}

}  // namespace

std::span<const std::string_view> pet_prior_names() { return kNames; }

PetOptions pet_prior(const std::string& name, std::size_t compartments, double decay) {
  if (compartments == 0) throw InputError("a PET model needs at least 1 compartment");
  if (!(decay >= 0 && decay < 1))
    throw InputError(fmt::format("a decay constant of {} per second is not possible", decay));
  if (std::ranges::find(kNames, name) != kNames.end()) {
    PetOptions options = preset(name, compartments);
    add_decay(options, decay, name != "wide");
    return options;
  }
  std::error_code ignored;
  const bool file_like = name.ends_with(".toml") || name.find('/') != std::string::npos;
  if (!file_like && !std::filesystem::exists(name, ignored)) {
    throw InputError(fmt::format("'{}' is neither a prior ({}) nor a file{}", name, fmt::join(kNames, ", "),
                                 did_you_mean(name, kNames)));
  }
  return from_file(name, compartments, decay);
}

std::vector<std::string> prior_lines(const PetOptions& o) {
  std::vector<std::string> lines;
  lines.push_back("phi:      uniform, " + bounds_text(o.phi, 0, o.compartments));
  lines.push_back("theta:    uniform and increasing, " + bounds_text(o.theta, o.decay, o.compartments) +
                  (o.decay > 0 ? ", above the decay" : ""));
  lines.push_back(fmt::format(
      "noise:    {}, lambda ~ Gamma(shape {:.4g}, scale {:.4g}) per kBq/mL and second{}",
      o.noise == PetNoise::student ? "Student t, 1/nu uniform to 0.5" : "Normal", o.precision_shape, o.precision_scale,
      o.activity_floor > 0 ? fmt::format(", activity at least {:.4g} kBq/mL", o.activity_floor) : ""));
  return lines;
}

}  // namespace evident::imaging
