// Kind "pet-compartments": how many tissue compartments does a time-activity curve show?
#include <fmt/format.h>

#include <array>

#include "models/pet/compartments.hpp"
#include "study/kinds/all.hpp"

namespace evident::study {
namespace {

constexpr std::array<Field, 23> kFields = {{
    {"compartments", "whole number", "", "number of tissue compartments, 1 to 10"},
    {"input", "file", "", "table of the plasma input, beside the study"},
    {"preset", "choice", "\"zhou2013-n\"",
     "priors to start from: zhou2013-n (simulated) or zhou2013-i (measured C-11)"},
    {"noise", "choice", "of the preset", "normal or student"},
    {"decay", "number", "of the preset", "decay constant in 1/s of data that are not corrected for decay"},
    {"phi_lower", "list of numbers", "of the preset", "lower bounds of phi; the last serves all that follow"},
    {"phi_upper", "list of numbers", "of the preset", "upper bounds of phi"},
    {"theta_lower", "list of numbers", "of the preset", "lower bounds of theta"},
    {"theta_upper", "list of numbers", "of the preset", "upper bounds of theta"},
    {"precision_shape", "number", "0.1", "shape of the gamma prior of lambda"},
    {"precision_scale", "number", "10", "scale of the gamma prior of lambda"},
    {"precision", "choice", "\"sample\"", "sample, gibbs or marginal: how lambda is treated (normal noise)"},
    {"activity_floor", "number", "0", "a predicted activity below this counts as this much"},
    {"vb", "number", "0", "share of each voxel that is blood; needs a column of whole blood in the input"},
    {"interpolation", "choice", "\"spline\"", "spline or linear, between the samples of the input"},
    {"input_time", "text", "\"time\"", "column of the input's times, in seconds"},
    {"input_column", "text", "\"CP\"", "column of the plasma activity"},
    {"blood_column", "text", "\"CB\"", "column of the whole blood's activity in the input, for vb"},
    {"time", "text", "\"time\"", "column of the frames' times, in seconds"},
    {"dt", "text", "\"dt\", else differences of time", "column of the frames' lengths"},
    {"start", "text", "no averages", "column of the frames' starts: predictions are then averages over the frames"},
    {"duration", "text", "\"duration\"", "column of the frames' durations, for averages"},
    {"column", "text", "[data] column, else y", "column of the measured activity"},
}};

std::vector<PetBounds> read_bounds(const Section& section, const std::string& what, std::vector<PetBounds> present) {
  const auto lower = section.numbers(what + "_lower", at_least(0));
  const auto upper = section.numbers(what + "_upper", above(0));
  const std::size_t count = std::max({lower ? lower->size() : 1, upper ? upper->size() : 1, present.size()});
  present.resize(count, present.back());
  for (std::size_t d = 0; d < count; ++d) {
    if (lower) present[d].lower = (*lower)[std::min(d, lower->size() - 1)];
    if (upper) present[d].upper = (*upper)[std::min(d, upper->size() - 1)];
    if (!(present[d].lower < present[d].upper)) {
      section.fail(
          lower ? what + "_lower" : what + "_upper",
          fmt::format("leaves no room for {}{}: from {} to {}", what, d + 1, present[d].lower, present[d].upper));
    }
  }
  return present;
}

PetOptions read_options(const Section& section) {
  constexpr std::array<std::string_view, 2> presets = {"zhou2013-n", "zhou2013-i"};
  constexpr std::array<std::string_view, 2> noises = {"normal", "student"};
  constexpr std::array<std::string_view, 3> precisions = {"sample", "gibbs", "marginal"};
  const auto compartments = section.integer("compartments", 1, 10);
  if (!compartments)
    section.fail("[[model]] of kind \"pet-compartments\" needs compartments, for example compartments = 2");
  const auto decay = section.number("decay", at_least(0));
  PetOptions options = zhou2013_n(*compartments);
  if (section.choice("preset", presets) == "zhou2013-i") {
    options = decay ? zhou2013_i(*compartments, *decay) : zhou2013_i(*compartments);
  }
  if (decay) options.decay = *decay;
  if (const auto noise = section.choice("noise", noises)) {
    options.noise = *noise == "student" ? PetNoise::student : PetNoise::normal;
  }
  if (const auto precision = section.choice("precision", precisions)) {
    if (*precision != "sample" && options.noise == PetNoise::student) {
      section.fail("precision", fmt::format("= \"{}\" needs noise = \"normal\"", *precision));
    }
    options.marginal_precision = *precision == "marginal";
    options.gibbs_precision = *precision == "gibbs";
  }
  options.phi = read_bounds(section, "phi", options.phi);
  options.theta = read_bounds(section, "theta", options.theta);
  options.precision_shape = section.number("precision_shape", above(0)).value_or(options.precision_shape);
  options.precision_scale = section.number("precision_scale", above(0)).value_or(options.precision_scale);
  options.activity_floor = section.number("activity_floor", at_least(0)).value_or(options.activity_floor);
  return options;
}

/// One column of the input's table: plasma or whole blood.
PetInput read_input(const Section& section, DataFiles& files, const std::string& column) {
  constexpr std::array<std::string_view, 2> interpolations = {"spline", "linear"};
  if (!section.has("input"))
    section.fail("[[model]] of kind \"pet-compartments\" needs input, for example input = \"plasma.csv\"");
  const Table& table = files.table(section, "input");
  const bool linear = section.choice("interpolation", interpolations) == "linear";
  return PetInput(table.numbers(section.text("input_time").value_or("time")), table.numbers(column),
                  linear ? PetInterpolation::linear : PetInterpolation::spline);
}

PetFrames read_frames(const Section& section, const Table& table) {
  const std::vector<double> times = table.numbers(section.text("time").value_or("time"));
  const std::optional<std::string> named = section.text("dt"), start = section.text("start");
  PetFrames frames = frames_from_midtimes(times);
  if (named || table.has("dt")) frames.dt = table.numbers(named.value_or("dt"));
  if (start) {
    frames.start = table.numbers(*start);
    frames.duration = table.numbers(section.text("duration").value_or("duration"));
  } else if (section.has("duration")) {
    section.fail("duration", "needs start, the column of the frames' starts");
  }
  return frames;
}

std::shared_ptr<const Model> make(const Section& section, DataFiles& files) {
  const PetOptions options = read_options(section);
  const PetInput input = read_input(section, files, section.text("input_column").value_or("CP"));
  const std::vector<double> activity = files.main().numbers(observed_column(section, "column", files));
  const PetFrames frames = read_frames(section, files.main());
  const double volume = section.number("vb", at_least(0)).value_or(0);
  if (volume >= 1) section.fail("vb", "must be below 1; it is a share, for example 0.05");
  const std::optional<std::string> blood_column = section.text("blood_column");
  if (volume == 0) return std::make_shared<PetCompartments>(options, input, frames, activity);
  const PetInput whole_blood = read_input(section, files, blood_column.value_or("CB"));
  return std::make_shared<PetCompartments>(options, input, frames, activity, make_blood(volume, whole_blood, frames));
}

ManualScale manual_scale(const Section&, const Model& model) {
  const std::size_t m = dynamic_cast<const PetCompartments&>(model).options().compartments;
  return [m](std::size_t j, double alpha) { return pet_manual_scale(m, j, alpha); };
}

}  // namespace

const Kind kPetCompartments = {"pet-compartments",
                               "Positron emission tomography: linear compartments driven by a plasma input", kFields,
                               make, manual_scale};

}  // namespace evident::study
