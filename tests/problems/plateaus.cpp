// Likelihoods that are constant on pieces: many particles have the same one.
#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// The cell of [0, 1) cut in `cells` that holds x.
std::size_t cell_of(double x, std::size_t cells) {
  const double at = std::clamp(std::floor(x * static_cast<double>(cells)), 0.0, static_cast<double>(cells - 1));
  return static_cast<std::size_t>(at);
}

/// On U(0, 1)^d, cut in `cells` along each axis: a log likelihood N(0, sd^2) for each cell.
Problem random_heights(const std::string& name, std::uint64_t instance, std::size_t d, std::size_t cells, double sd) {
  Stream stream = numbers_of(name, instance);
  std::size_t all = 1;
  for (std::size_t j = 0; j < d; ++j) all *= cells;
  std::vector<double> heights(all);
  for (double& h : heights) h = sd * stream.normal();
  auto model = lift(alike(d, uniform(0, 1)), [=](std::span<const double> t) {
    std::size_t index = 0;
    for (const double x : t) index = index * cells + cell_of(x, cells);
    return heights[index];
  });
  return {name, model, log_mean_exp(heights), 0, "closed form: a mean over the pieces"};
}

/// On U(-1, 1)^5: exp(4 k) where the largest coordinate is between 2^-(k+1) and 2^-k, up to k = 6.
Problem nested_boxes() {
  constexpr std::size_t kD = 5;
  constexpr int kMost = 6;
  constexpr double kRise = 4;
  auto model = lift(alike(kD, uniform(-1, 1)), [](std::span<const double> t) {
    double largest = 0;
    for (const double x : t) largest = std::max(largest, std::abs(x));
    int k = 0;
    while (k < kMost && std::ldexp(largest, k + 1) < 1) ++k;
    return kRise * k;
  });
  double sum = 0;
  for (int k = 0; k <= kMost; ++k) {
    const double outer = std::ldexp(1.0, -k * static_cast<int>(kD));
    const double inner = k < kMost ? std::ldexp(1.0, -(k + 1) * static_cast<int>(kD)) : 0;
    sum += std::exp(kRise * k) * (outer - inner);
  }
  return {"nested boxes d=5", model, std::log(sum), 0, "closed form: a sum over the boxes"};
}

/// y_i ~ N(a + b t_i, 0.5^2) with a and b rounded down to quarters, both U(-5, 5).
Problem rounded_line(std::uint64_t instance) {
  constexpr double kNoise = 0.5;
  constexpr int kCells = 40;
  const std::string name = "rounded line d=2";
  Stream stream = numbers_of(name, instance);
  std::vector<double> times, y;
  for (int i = 0; i < 8; ++i) {
    times.push_back(2 * stream.uniform() - 1);
    y.push_back(1.1 - 0.7 * times.back() + kNoise * stream.normal());
  }
  const auto log_likelihood = [=](double a, double b) {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += log_normal_density(y[i], a + b * times[i], kNoise);
    return sum;
  };
  auto model = lift(alike(2, uniform(-5, 5)), [=](std::span<const double> t) {
    return log_likelihood(std::floor(4 * t[0]) / 4, std::floor(4 * t[1]) / 4);
  });
  std::vector<double> terms;
  for (int a = 0; a < kCells; ++a)
    for (int b = 0; b < kCells; ++b) terms.push_back(log_likelihood(-5 + 0.25 * a, -5 + 0.25 * b));
  return {name, model, log_mean_exp(terms), 0, "closed form: a mean over the pieces"};
}

}  // namespace

SuiteEntries plateaus() {
  const std::string family = "plateaus";
  return {drawn_entry(family, "plateaus d=3",
                      [](std::uint64_t instance) { return random_heights("plateaus d=3", instance, 3, 4, 2); }),
          drawn_entry(family, "steps d=1",
                      [](std::uint64_t instance) { return random_heights("steps d=1", instance, 1, 30, 3); }),
          fixed_entry(family, "nested boxes d=5", nested_boxes), drawn_entry(family, "rounded line d=2", rounded_line)};
}

}  // namespace evident::problems
