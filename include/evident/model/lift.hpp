// From a function of one parameter vector to a model.
//
//   ParameterSpace space;
//   space.add("mu", normal(0, 10));
//   auto model = lift(space, [&](std::span<const double> theta) { return log_likelihood_of(theta[0]); });
//
// or from a class with parameters() and log_likelihood(theta).
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "evident/model/model.hpp"

namespace evident {

using ScalarLikelihood = std::function<double(std::span<const double>)>;

/// One draw at a time; `log_likelihood` may return -inf. Called from several threads at once.
template <class M>
concept ScalarModel = requires(const M& m, std::span<const double> theta) {
  { m.parameters() } -> std::convertible_to<ParameterSpace>;
  { m.log_likelihood(theta) } -> std::convertible_to<double>;
};

std::shared_ptr<const Model> lift(ParameterSpace space, ScalarLikelihood log_likelihood);

template <ScalarModel M>
std::shared_ptr<const Model> lift(M model) {
  ParameterSpace space = model.parameters();
  return lift(std::move(space),
              [m = std::move(model)](std::span<const double> theta) -> double { return m.log_likelihood(theta); });
}

}  // namespace evident
