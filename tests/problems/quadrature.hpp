// Logarithms of integrals, by Gauss and Legendre's rule on many panels.
//
//   log_integral([](double x) { return -0.5 * x * x; }, panels(-9, 9, 40));   // log sqrt(2 pi)
//
// Put the edges of panels where a function jumps or bends. Wherever it is analytic in between, an integral of a few
// panels a bend is good to rounding; tests compare with twice as many.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace evident::problems {

/// Edges of equal panels.
std::vector<double> panels(double low, double high, std::size_t count);
/// The edges, each panel cut in `parts` equal ones.
std::vector<double> finer(std::span<const double> edges, std::size_t parts);

/// The points of the rule with the logarithms of their weights: 16 a panel.
std::vector<std::pair<double, double>> rule(std::span<const double> edges);

double log_integral(const std::function<double(double)>& log_f, std::span<const double> edges);

}  // namespace evident::problems
