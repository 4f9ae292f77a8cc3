// Models from functions that are written by hand: of one parameter vector or of a block, with a gradient or without.
//
//   const auto model = by_point(space, [](auto t) { return -t[0] * t[0]; }, [](auto t, auto out) { out[0] = -2 * t[0];
//   });
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "evident/model/model.hpp"

namespace evident::problems {

/// The gradient in theta of the log likelihood; the prior's is that of the parameter space.
using PointGradient = std::function<void(std::span<const double> theta, std::span<double> out)>;
using BlockLikelihood = std::function<void(ConstBlock theta, std::span<double> out)>;
using BlockGradient = std::function<void(ConstBlock theta, Block out)>;

std::shared_ptr<const Model> by_point(ParameterSpace space, ScalarLikelihood log_likelihood, PointGradient gradient);
std::shared_ptr<const Model> by_block(ParameterSpace space, BlockLikelihood log_likelihood,
                                      BlockGradient gradient = {});

/// "x1", "x2", ...: d parameters of one prior.
ParameterSpace alike(std::size_t d, const Distribution& prior, const std::string& name = "x");

double log_normal_density(double x, double mean, double sd);
/// Of the standard normal.
double normal_cdf(double x);
double log_normal_mass(double low, double high, double mean, double sd);

}  // namespace evident::problems
