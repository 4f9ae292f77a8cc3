#include "evident/dist/distribution.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "evident/base/error.hpp"

namespace evident {
namespace {

/// Could these arguments be valid for some value of the parameters among them? Tried with a few typical values, far
/// apart enough to lie on either side of any constant.
bool could_be_valid(const Family& family, const std::vector<Argument>& arguments, std::vector<double>& values,
                    std::size_t k) {
  if (k == arguments.size()) return family.valid(values.data());
  if (arguments[k].is_constant()) {
    values[k] = arguments[k].value;
    return could_be_valid(family, arguments, values, k + 1);
  }
  return std::ranges::any_of(std::array{1.0, 0.5, 0.0, 1e-300, -1e300, 1e300}, [&](double guess) {
    values[k] = guess;
    return could_be_valid(family, arguments, values, k + 1);
  });
}

/// The shortest text that reads back as the same number.
std::string number_text(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace

Distribution::Distribution(const Family& family, std::vector<Argument> arguments)
    : family_(&family), arguments_(std::move(arguments)) {
  const std::size_t expected = family.arguments().size();
  if (arguments_.size() != expected) {
    throw InputError(std::string(family.name()) + " takes " + std::to_string(expected) + " argument" +
                     (expected == 1 ? "" : "s") + ", was given " + std::to_string(arguments_.size()));
  }
  values_.resize(expected);
  if (!could_be_valid(family, arguments_, values_, 0)) {
    const bool is_extreme = std::ranges::any_of(arguments_, [](const Argument& a) {
      return std::abs(a.value) > 1e150 || (a.value != 0 && std::abs(a.value) < 1e-300);
    });
    throw InputError(text() + ": needs " + family.requirement() + (is_extreme ? ", and less extreme numbers" : ""));
  }
}

bool Distribution::is_constant() const { return std::ranges::all_of(arguments_, &Argument::is_constant); }

std::string Distribution::text() const {
  std::string out = std::string(family_->name()) + "(";
  for (std::size_t k = 0; k < arguments_.size(); ++k) {
    out += (k == 0 ? "" : ", ") + std::string(family_->arguments()[k]) + "=";
    out += arguments_[k].is_constant() ? number_text(arguments_[k].value) : arguments_[k].parameter;
  }
  return out + ")";
}

double Distribution::log_density(double x) const { return family_->log_density(x, values_.data()); }
double Distribution::draw(Stream& stream) const { return family_->draw(stream, values_.data()); }
Support Distribution::support() const { return family_->support(values_.data()); }

void Distribution::add_log_density(std::span<const double> x, std::span<double> out) const {
  std::array<ArgumentValues, 8> views;
  for (std::size_t k = 0; k < values_.size(); ++k) views[k].data = &values_[k];
  family_->add_log_density(x, {views.data(), values_.size()}, out);
}

}  // namespace evident
