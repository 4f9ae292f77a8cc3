// Narrow spikes in or beside something broad, which holds less of the evidence.
#include <cmath>
#include <numbers>

#include "dist/special.hpp"
#include "evident/base/log_math.hpp"
#include "problems/families.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

struct Spike {
  std::size_t d;
  double sd, odds, offset;
};
constexpr Spike kSpikes[] = {{3, 0.15, 100, 3}, {5, 0.2, 100, 3}, {10, 0.4, 100, 0}, {10, 0.3, 100, 0},
                             {10, 0.1, 100, 0}, {8, 0.3, 3, 0},   {5, 0.1, 10, 3},   {4, 0.05, 3, 3}};

struct Needle {
  std::size_t d;
  double sd;
};
constexpr Needle kNeedles[] = {{1, 1e-4}, {2, 1e-3}, {2, 1e-4}};

/// A normal has 95 % of its mass within so many standard deviations, by its dimension.
double radius_of_bulk(std::size_t d) {
  constexpr double kChiSquared[] = {3.8415,  5.9915,  7.8147,  9.4877,  11.0705, 12.5916, 14.0671,
                                    15.5073, 16.9190, 18.3070, 19.6751, 21.0261, 22.3620, 23.6848,
                                    24.9958, 26.2962, 27.5871, 28.8693, 30.1435, 31.4104};
  return std::sqrt(kChiSquared[d - 1]);
}

double ball(std::size_t d, double radius) {
  const auto n = static_cast<double>(d);
  return std::exp(0.5 * n * std::log(std::numbers::pi) - dist::log_gamma(0.5 * n + 1) + n * std::log(radius));
}

/// As suite.hpp says; the box has sides of length `side`, and climbs of the rest end `away` from the middle of the
/// spike.
bool hidden(std::size_t d, double sd, double side, double away) {
  const double radius = radius_of_bulk(d) * sd;
  return away > radius && ball(d, radius) / std::pow(side, static_cast<double>(d)) < 1e-6;
}

constexpr std::size_t kSkillingD = 20;
constexpr double kSkillingSd = 0.01, kSkillingOffset = 0.031;

/// Skilling 2006: N(0.031, 0.01^2) with a hundred times the mass of N(0, 0.1^2), on U(-0.5, 0.5)^20.
Problem skilling_spike() {
  auto model = by_point(
      alike(kSkillingD, uniform(-0.5, 0.5)),
      [](std::span<const double> t) {
        double broad = 0, narrow = std::log(100.0);
        for (const double x : t) {
          broad += log_normal_density(x, 0, 0.1);
          narrow += log_normal_density(x, kSkillingOffset, kSkillingSd);
        }
        return log_add_exp(broad, narrow);
      },
      [](std::span<const double> t, std::span<double> out) {
        double broad = 0, narrow = std::log(100.0);
        for (const double x : t) {
          broad += log_normal_density(x, 0, 0.1);
          narrow += log_normal_density(x, kSkillingOffset, kSkillingSd);
        }
        const double share = 1 / (1 + std::exp(broad - narrow));
        for (std::size_t j = 0; j < t.size(); ++j)
          out[j] = -(1 - share) * t[j] / (0.1 * 0.1) - share * (t[j] - kSkillingOffset) / (kSkillingSd * kSkillingSd);
      });
  const double inside = std::exp(static_cast<double>(kSkillingD) * log_normal_mass(-0.5, 0.5, 0, 0.1));
  return {"Skilling's spike d=20", model, std::log(inside + 100), 0, "closed form: two densities within a box"};
}

/// 1, and ten times a normal density at a drawn place, on U(0, 1)^d: nothing leads there.
Problem needle(const std::string& name, std::size_t d, double sd, std::uint64_t instance) {
  constexpr double kOdds = 10;
  Stream stream = numbers_of(name, instance);
  std::vector<double> place(d);
  for (double& p : place) p = 0.1 + 0.8 * stream.uniform();
  auto model = lift(alike(d, uniform(0, 1)), [=](std::span<const double> t) {
    double narrow = std::log(kOdds);
    for (std::size_t j = 0; j < t.size(); ++j) narrow += log_normal_density(t[j], place[j], sd);
    return log_add_exp(0, narrow);
  });
  return {name, model, std::log1p(kOdds), 0, "closed form: a density within a box"};
}

SuiteEntry spike_entry(const std::string& family, const std::string& name, const Spike& s) {
  SuiteEntry out = fixed_entry(family, name, [s] { return spike_in_normal(s.d, s.sd, s.odds, s.offset); });
  out.out_of_reach = hidden(s.d, s.sd, 12, s.offset * std::sqrt(static_cast<double>(s.d)));
  return out;
}

SuiteEntry needle_entry(const std::string& family, const Needle& n) {
  const std::string name = "needle d=" + std::to_string(n.d) + " sd=" + shown(n.sd);
  SuiteEntry out = drawn_entry(family, name, [=](std::uint64_t instance) { return needle(name, n.d, n.sd, instance); });
  out.out_of_reach = hidden(n.d, n.sd, 1, kInf);  // the rest has no slope
  return out;
}

/// The text all names of spikes begin with.
std::string spike_name(const Spike& s) {
  return "spike in normal d=" + std::to_string(s.d) + " sd=" + shown(s.sd) + " off=" + shown(s.offset);
}

}  // namespace

SuiteEntries spikes() {
  const std::string family = "spikes";
  SuiteEntries out;
  for (const Spike& s : kSpikes) out.push_back(spike_entry(family, spike_name(s), s));
  out.push_back(fixed_entry(family, "Skilling's spike d=20", skilling_spike));
  out.back().out_of_reach =
      hidden(kSkillingD, kSkillingSd, 1, kSkillingOffset * std::sqrt(static_cast<double>(kSkillingD)));
  for (const Needle& n : kNeedles) out.push_back(needle_entry(family, n));
  return out;
}

SuiteEntries more_spikes(ParameterDraws& draws) {
  SuiteEntries out;
  for (int k = 0; k < 3; ++k) {
    Spike s{};
    s.d = draws.whole(2, 8);
    s.sd = draws.by_factor(0.05, 0.4);
    s.odds = draws.by_factor(3, 300);
    s.offset = draws.whole(0, 1) == 0 ? 0 : 3;
    out.push_back(spike_entry(draws.family(), spike_name(s) + " odds=" + shown(s.odds), s));
  }
  const std::size_t d = draws.whole(1, 2);
  const double sd = draws.by_factor(1e-4, 1e-2);
  out.push_back(needle_entry(draws.family(), {d, sd}));
  return out;
}

}  // namespace evident::problems
