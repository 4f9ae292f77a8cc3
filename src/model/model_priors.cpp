#include "model/model_priors.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "dist/special.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {

ListedModels::ListedModels(const std::map<ModelIndex, double>& weights) {
  double total = 0;
  for (const auto& [k, weight] : weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) throw InputError("the weight of a model must be 0 or more");
    total += weight;
  }
  if (!(total > 0)) throw InputError("all models have weight 0");
  for (const auto& [k, weight] : weights)
    if (weight > 0) log_.emplace(k, std::log(weight / total));
}

double ListedModels::log_probability(ModelIndex k) const {
  const auto found = log_.find(k);
  return found == log_.end() ? -kInf : found->second;
}

ModelIndex ListedModels::draw(Stream& random) const {
  double left = random.uniform();
  for (const auto& [k, log_probability] : log_) {
    left -= std::exp(log_probability);
    if (left < 0) return k;
  }
  return log_.rbegin()->first;
}

CountPrior CountPrior::uniform(ModelIndex lowest, ModelIndex highest) {
  if (lowest < 1 || highest < lowest) throw InputError("uniform(a, b) for a number needs whole numbers 1 <= a <= b");
  return {Law::uniform, static_cast<double>(lowest), static_cast<double>(highest)};
}

CountPrior CountPrior::poisson(double mean) {
  if (!(mean > 0) || !(mean <= 1e6)) throw InputError("poisson(mean) for a number needs a mean above 0, at most 1e6");
  return {Law::poisson, mean, 0};
}

CountPrior CountPrior::geometric(double success) {
  if (!(success > 0) || !(success < 1)) throw InputError("geometric(p) for a number needs p between 0 and 1");
  return {Law::geometric, success, 0};
}

double CountPrior::log_probability(ModelIndex k) const {
  const auto n = static_cast<double>(k);
  if (k == 0) return -kInf;
  switch (law_) {
    case Law::uniform:
      return n < a_ || n > b_ ? -kInf : -std::log(b_ - a_ + 1);
    case Law::poisson:
      return n * std::log(a_) - a_ - dist::log_gamma(n + 1) - std::log(-std::expm1(-a_));
    case Law::geometric:
      return std::log(a_) + (n - 1) * std::log1p(-a_);
  }
  return -kInf;
}

ModelIndex CountPrior::draw(Stream& random) const {
  if (law_ == Law::uniform) return static_cast<ModelIndex>(a_ + std::floor(random.uniform() * (b_ - a_ + 1)));
  if (law_ == Law::geometric)
    return 1 + static_cast<ModelIndex>(std::floor(std::log(random.uniform()) / std::log1p(-a_)));
  double left = random.uniform();  // by inversion; far in the tail the sum ends where probabilities vanish
  ModelIndex k = 1;
  for (; left > 0; ++k) {
    const double p = std::exp(log_probability(k));
    left -= p;
    if (left <= 0 || (static_cast<double>(k) > a_ && p < 1e-300)) return k;
  }
  return k;
}

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw InputError("\"" + std::string(text) +
                   "\" is no prior for a number of components; write \"uniform(1, 10)\", \"poisson(mean=3)\" or "
                   "\"geometric(p=0.5)\"");
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// "mean=3" or "3"
double number(std::string_view whole, std::string_view part, std::string_view name) {
  part = trimmed(part);
  if (const auto equals = part.find('='); equals != std::string_view::npos) {
    if (trimmed(part.substr(0, equals)) != name) refuse(whole);
    part = trimmed(part.substr(equals + 1));
  }
  double value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || end != part.data() + part.size()) refuse(whole);
  return value;
}

}  // namespace

CountPrior CountPrior::parse(std::string_view text) {
  const std::string_view whole = text;
  text = trimmed(text);
  const auto open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') refuse(whole);
  const std::string_view law = trimmed(text.substr(0, open)), inside = text.substr(open + 1, text.size() - open - 2);
  if (law == "poisson") return poisson(number(whole, inside, "mean"));
  if (law == "geometric") return geometric(number(whole, inside, "p"));
  const auto comma = inside.find(',');
  if (law != "uniform" || comma == std::string_view::npos) refuse(whole);
  const double lowest = number(whole, inside.substr(0, comma), "lower"),
               highest = number(whole, inside.substr(comma + 1), "upper");
  if (!(lowest >= 1) || !(highest >= lowest) || highest > 1e15 || lowest != std::floor(lowest) ||
      highest != std::floor(highest))
    refuse(whole);
  return uniform(static_cast<ModelIndex>(lowest), static_cast<ModelIndex>(highest));
}

}  // namespace evident
