#include "problems/quadrature.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "evident/base/log_math.hpp"

namespace evident::problems {
namespace {

constexpr std::size_t kPoints = 16;

struct GaussLegendre {
  std::array<double, kPoints> at{}, weight{};  ///< on (-1, 1)

  GaussLegendre() {
    constexpr auto n = static_cast<double>(kPoints);
    for (std::size_t k = 0; k < kPoints; ++k) {
      double x = std::cos(std::numbers::pi * (static_cast<double>(k) + 0.75) / (n + 0.5)), slope = 1;
      for (int newton = 0; newton < 50; ++newton) {
        double here = 1, before = 0;
        for (std::size_t j = 1; j <= kPoints; ++j) {
          const auto order = static_cast<double>(j);
          const double next = ((2 * order - 1) * x * here - (order - 1) * before) / order;
          before = here;
          here = next;
        }
        slope = n * (x * here - before) / (x * x - 1);
        x -= here / slope;
      }
      at[k] = x;
      weight[k] = 2 / ((1 - x * x) * slope * slope);
    }
  }
};

}  // namespace

std::vector<double> panels(double low, double high, std::size_t count) {
  return finer(std::vector<double>{low, high}, count);
}

std::vector<double> finer(std::span<const double> edges, std::size_t parts) {
  std::vector<double> out;
  for (std::size_t e = 0; e + 1 < edges.size(); ++e)
    for (std::size_t k = 0; k < parts; ++k)
      out.push_back(edges[e] + (edges[e + 1] - edges[e]) * static_cast<double>(k) / static_cast<double>(parts));
  out.push_back(edges.back());
  return out;
}

std::vector<std::pair<double, double>> rule(std::span<const double> edges) {
  static const GaussLegendre gauss;
  std::vector<std::pair<double, double>> out;
  for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
    const double half = 0.5 * (edges[e + 1] - edges[e]), middle = 0.5 * (edges[e + 1] + edges[e]);
    if (!(half > 0)) continue;
    for (std::size_t k = 0; k < kPoints; ++k)
      out.emplace_back(middle + half * gauss.at[k], std::log(half * gauss.weight[k]));
  }
  return out;
}

double log_integral(const std::function<double(double)>& log_f, std::span<const double> edges) {
  std::vector<double> terms;
  for (const auto& [x, log_weight] : rule(edges)) terms.push_back(log_f(x) + log_weight);
  return log_sum_exp(terms);
}

}  // namespace evident::problems
