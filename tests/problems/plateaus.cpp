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

/// On U(-1, 1)^d: exp(rise k) where the largest coordinate is between 2^-(k+1) and 2^-k, up to k = most.
Problem nested_boxes(const std::string& name, std::size_t d, double rise, int most) {
  auto model = lift(alike(d, uniform(-1, 1)), [=](std::span<const double> t) {
    double largest = 0;
    for (const double x : t) largest = std::max(largest, std::abs(x));
    int k = 0;
    while (k < most && std::ldexp(largest, k + 1) < 1) ++k;
    return rise * k;
  });
  double sum = 0;
  for (int k = 0; k <= most; ++k) {
    const double outer = std::ldexp(1.0, -k * static_cast<int>(d));
    const double inner = k < most ? std::ldexp(1.0, -(k + 1) * static_cast<int>(d)) : 0;
    sum += std::exp(rise * k) * (outer - inner);
  }
  return {name, model, std::log(sum), 0, "closed form: a sum over the boxes"};
}

/// y_i ~ N(a + b t_i, noise^2) with a and b rounded down to quarters, both U(-5, 5).
Problem rounded_line(const std::string& name, double noise, std::uint64_t instance) {
  constexpr int kCells = 40;
  Stream stream = numbers_of(name, instance);
  std::vector<double> times, y;
  for (int i = 0; i < 8; ++i) {
    times.push_back(2 * stream.uniform() - 1);
    y.push_back(1.1 - 0.7 * times.back() + noise * stream.normal());
  }
  const auto log_likelihood = [=](double a, double b) {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += log_normal_density(y[i], a + b * times[i], noise);
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

SuiteEntry heights(const std::string& family, const std::string& name, std::size_t d, std::size_t cells, double sd) {
  return drawn_entry(family, name,
                     [=](std::uint64_t instance) { return random_heights(name, instance, d, cells, sd); });
}

SuiteEntry boxes(const std::string& family, const std::string& name, std::size_t d, double rise, int most) {
  return fixed_entry(family, name, [=] { return nested_boxes(name, d, rise, most); });
}

SuiteEntry rounded(const std::string& family, const std::string& name, double noise) {
  return drawn_entry(family, name, [=](std::uint64_t instance) { return rounded_line(name, noise, instance); });
}

}  // namespace

SuiteEntries plateaus() {
  const std::string family = "plateaus";
  return {heights(family, "plateaus d=3", 3, 4, 2), heights(family, "steps d=1", 1, 30, 3),
          boxes(family, "nested boxes d=5", 5, 4, 6), rounded(family, "rounded line d=2", 0.5)};
}

SuiteEntries more_plateaus(ParameterDraws& draws) {
  const std::size_t d = draws.whole(2, 4), cells = draws.whole(3, 5);
  const double sd = draws.between(1, 4);
  const std::size_t boxed = draws.whole(2, 5), most = draws.whole(3, 6);
  const double rise = draws.between(2, 5), noise = draws.between(0.2, 1);
  return {
      heights(draws.family(),
              "plateaus d=" + std::to_string(d) + " cells=" + std::to_string(cells) + " sd=" + shown(sd), d, cells, sd),
      boxes(draws.family(),
            "nested boxes d=" + std::to_string(boxed) + " boxes=" + std::to_string(most) + " rise=" + shown(rise),
            boxed, rise, static_cast<int>(most)),
      rounded(draws.family(), "rounded line noise=" + shown(noise), noise)};
}

}  // namespace evident::problems
