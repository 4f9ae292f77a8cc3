// Where in the parameter space something was seen, in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "evident/model/model.hpp"

namespace evident {

/// Theta at one z.
std::vector<double> parameters_at(const ParameterSpace& space, std::span<const double> z);
/// "a = 0.25, b = 3": the values can be typed again, to the last digit.
std::string place_text(const ParameterSpace& space, std::span<const double> theta);
/// "a = 0.25, b = 3 and 8 more", with three digits.
std::string short_place_text(const ParameterSpace& space, std::span<const double> theta);
/// Where the log likelihood is NaN, and why where the model can tell: "at a = 0.25: 0 / 0 in ...".
std::string nan_text(const Model& model, std::span<const double> theta);

}  // namespace evident
