#include "path/place.hpp"

#include <algorithm>
#include <charconv>

#include "base/number_text.hpp"
#include "model/explains_nan.hpp"

namespace evident {

std::vector<double> parameters_at(const ParameterSpace& space, std::span<const double> at) {
  BlockStorage z(at.size(), 1), theta(space.size(), 1);
  AlignedVector<double> log_jacobian(1);
  for (std::size_t j = 0; j < at.size(); ++j) z(j, 0) = at[j];
  space.constrain(z, theta, log_jacobian);
  std::vector<double> out;
  for (std::size_t j = 0; j < space.size(); ++j) out.push_back(theta(j, 0));
  return out;
}

std::string place_text(const ParameterSpace& space, std::span<const double> theta) {
  std::string text;
  for (std::size_t j = 0; j < space.size(); ++j) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, theta[j]).ptr;
    text += (j == 0 ? "" : ", ") + space.names()[j] + " = " + std::string(digits, end);
  }
  return text;
}

std::string short_place_text(const ParameterSpace& space, std::span<const double> theta) {
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t j = 0; j < std::min(theta.size(), kShown); ++j)
    out += (j > 0 ? ", " : "") + space.names()[j] + " = " + number(theta[j]);
  return theta.size() > kShown ? out + " and " + std::to_string(theta.size() - kShown) + " more" : out;
}

std::string nan_text(const Model& model, std::span<const double> theta) {
  const std::string out = "at " + short_place_text(model.parameters(), theta);
  const auto* explains = dynamic_cast<const ExplainsNan*>(&model);
  const std::string why = explains == nullptr ? "" : explains->why_nan(theta);
  return why.empty() ? out : out + ": " + why;
}

}  // namespace evident
