#include "models/goodwin/goodwin.hpp"

#include <string>

#include "evident/base/error.hpp"
#include "models/goodwin/lazy_map.hpp"

namespace evident {
namespace {

std::string name(std::size_t j) {
  constexpr std::size_t kRates = 3;
  std::string text(1, j < kRates ? 'a' : 'k');
  text += std::to_string(j < kRates ? j : j - kRates + 1);
  return text;
}

ParameterSpace make_space(const GoodwinOptions& options) {
  const std::size_t size = options.components + 2, given = options.priors.size();
  if (given > 1 && given != size)
    throw InputError("goodwin: " + std::to_string(options.components) + " components have " + std::to_string(size) +
                     " parameters, but there are " + std::to_string(given) + " priors");
  ParameterSpace space;
  for (std::size_t j = 0; j < size; ++j) {
    const Distribution prior =
        given == 0 ? gamma_rate(options.prior_shape, options.prior_rate) : options.priors[given == 1 ? 0 : j];
    space.add(name(j), prior, Scale::log);
  }
  return space;
}

}  // namespace

Goodwin::Goodwin(const GoodwinData& data, const GoodwinOptions& options)
    : problem_(data, options.components, options.rho, options.sigma, options.max_steps),
      space_(make_space(options)),
      own_tries_(options.own_tries),
      observations_(data.times.size() * data.states.size()),
      map_(std::make_shared<Map>()) {}

void Goodwin::log_likelihood(ConstBlock theta, std::span<double> out) const {
  goodwin_log_likelihood(problem_, theta, out);
}

}  // namespace evident
