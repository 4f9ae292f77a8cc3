// Likelihoods that are zero on most of the prior, with a sharp border.
#include <cmath>
#include <numbers>

#include "dist/special.hpp"
#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

/// possible_square at a drawn place.
Problem drawn_square(const std::string& name, double share, std::uint64_t instance) {
  Stream stream = numbers_of(name, instance);
  const double room = 1 - std::sqrt(share);
  const double left = room * stream.uniform(), low = room * stream.uniform();
  Problem out = possible_square(share, left, low);
  out.name = name;
  return out;
}

/// On U(0, 1)^d: the product of the squares of the coordinates and of what is left to 1; impossible where nothing is.
Problem within_simplex(std::size_t d) {
  auto model = lift(alike(d, uniform(0, 1)), [](std::span<const double> t) {
    double left = 1, sum = 0;
    for (const double x : t) left -= x;
    if (!(left > 0)) return -kInf;
    for (const double x : t) sum += 2 * std::log(x);
    return sum + 2 * std::log(left);
  });
  const auto parts = static_cast<double>(d + 1);
  return {"within a simplex d=" + std::to_string(d), model, parts * std::log(2.0) - dist::log_gamma(3 * parts), 0,
          "closed form: Dirichlet's integral"};
}

/// exp(x1) where the distance from 0 is within `thick` of 1, on U(-2, 2)^3; impossible elsewhere.
Problem thin_shell(const std::string& name, double thick) {
  auto model = lift(alike(3, uniform(-2, 2)), [thick](std::span<const double> t) {
    const double r = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    return std::abs(r - 1) < thick ? t[0] : -kInf;
  });
  // Over a sphere of radius r the mean of exp(x1) is sinh(r) / r; r sinh(r) has the integral r cosh(r) - sinh(r).
  const auto up_to = [](double r) { return r * std::cosh(r) - std::sinh(r); };
  return {name, model, std::log(4 * std::numbers::pi * (up_to(1 + thick) - up_to(1 - thick)) / 64), 0,
          "closed form: a mean over spheres"};
}

/// Standard normals that must be in increasing order: all that are have the same likelihood.
Problem in_order(const std::string& name, std::size_t d) {
  auto model = lift(alike(d, normal(0, 1)), [](std::span<const double> t) {
    for (std::size_t j = 1; j < t.size(); ++j)
      if (!(t[j] > t[j - 1])) return -kInf;
    return 0.0;
  });
  double orders = 1;
  for (std::size_t j = 2; j <= d; ++j) orders *= static_cast<double>(j);
  return {name, model, -std::log(orders), 0, "closed form: one order of all"};
}

SuiteEntry mostly_impossible(const std::string& name, double share) {
  return drawn_entry("impossible regions", name,
                     [=](std::uint64_t instance) { return drawn_square(name, share, instance); });
}

SuiteEntry shell(const std::string& family, const std::string& name, double thick) {
  return fixed_entry(family, name, [=] { return thin_shell(name, thick); });
}

SuiteEntry ordered(const std::string& family, std::size_t d) {
  const std::string name = "in order d=" + std::to_string(d);
  return fixed_entry(family, name, [=] { return in_order(name, d); });
}

SuiteEntry simplex(const std::string& family, std::size_t d) {
  return fixed_entry(family, "within a simplex d=" + std::to_string(d), [d] { return within_simplex(d); });
}

}  // namespace

SuiteEntries impossible_regions() {
  const std::string family = "impossible regions";
  SuiteEntries out = {mostly_impossible("impossible on 99 %", 1e-2), mostly_impossible("impossible on 99.9 %", 1e-3),
                      mostly_impossible("impossible on 99.999 %", 1e-5), shell(family, "thin shell d=3", 0.01),
                      ordered(family, 6)};
  for (const std::size_t d : {4, 7}) out.push_back(simplex(family, d));
  return out;
}

SuiteEntries more_impossible_regions(ParameterDraws& draws) {
  const double share = draws.by_factor(1e-5, 0.1);
  const std::size_t d = draws.whole(2, 8, {4, 7}), order = draws.whole(4, 7, {6});
  const double thick = draws.by_factor(0.003, 0.1);
  return {mostly_impossible("possible on a share of " + shown(share), share), simplex(draws.family(), d),
          ordered(draws.family(), order), shell(draws.family(), "thin shell d=3 thick=" + shown(thick), thick)};
}

}  // namespace evident::problems
