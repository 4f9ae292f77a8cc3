#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "dist/fitted_mixture.hpp"
#include "dist/mixture_em.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

using dist::EmPoints;

constexpr std::size_t kLeastPoints = 10;  // for a fit
constexpr std::size_t kToChoose = 40;     // fewer cannot spare any to choose with
constexpr int kPatience = 2;              // larger numbers of components to try without gain

// One component was tried before. Far up, one more is no longer worth a fit.
constexpr std::array<std::size_t, 9> kNumbers = {2, 3, 4, 6, 8, 12, 16, 24, 32};
constexpr const char* kTooFew = "a mixture cannot be fitted: the draws are too few for their dimension";

// Distinct columns of positive weight, in the order of their first copy; weights add up.
EmPoints distinct(ConstBlock z, std::span<const double> weights) {
  const std::size_t n = z.size(), d = z.rows();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < n; ++i)
    if (weights[i] > 0) order.push_back(i);
  const auto compare = [&](std::size_t a, std::size_t b) {
    for (std::size_t j = 0; j < d; ++j)
      if (z(j, a) != z(j, b)) return z(j, a) < z(j, b) ? -1 : 1;
    return 0;
  };
  for (const std::size_t i : order)
    for (std::size_t j = 0; j < d; ++j)
      if (!std::isfinite(z(j, i))) throw RunError("a mixture cannot be fitted: a draw is not finite");
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const int c = compare(a, b);
    return c != 0 ? c < 0 : a < b;
  });
  std::vector<double> mass(n, 0.0);
  for (std::size_t k = 0, owner = 0; k < order.size(); ++k) {
    if (k == 0 || compare(owner, order[k]) != 0) owner = order[k];
    mass[owner] += weights[order[k]];
  }
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < n; ++i)
    if (mass[i] > 0) kept.push_back(i);
  EmPoints out{BlockStorage(d, kept.size()), BlockStorage(1, kept.size())};
  for (std::size_t k = 0; k < kept.size(); ++k) {
    out.weights(0, k) = mass[kept[k]];
    for (std::size_t j = 0; j < d; ++j) out.x(j, k) = z(j, kept[k]);
  }
  return out;
}

EmPoints slice(const EmPoints& p, std::size_t first, std::size_t last) {
  EmPoints out{BlockStorage(p.x.rows(), last - first), BlockStorage(1, last - first)};
  double total = 0;
  for (std::size_t i = first; i < last; ++i) total += p.weights(0, i);
  for (std::size_t i = first; i < last; ++i) {
    out.weights(0, i - first) = p.weights(0, i) / total;
    for (std::size_t j = 0; j < p.x.rows(); ++j) out.x(j, i - first) = p.x(j, i);
  }
  return out;
}

std::vector<Marginal> fit_marginals(const EmPoints& z, bool bend) {
  std::vector<Marginal> out;
  for (std::size_t j = 0; j < z.x.rows(); ++j)
    out.push_back(bend ? dist::bent_marginal(z.x.row(j), z.weights.row(0))
                       : dist::plain_marginal(z.x.row(j), z.weights.row(0)));
  return out;
}

EmPoints mapped(const EmPoints& z, const std::vector<Marginal>& marginals) {
  EmPoints out{BlockStorage(z.x.rows(), z.size()), z.weights};
  for (std::size_t j = 0; j < z.x.rows(); ++j)
    for (std::size_t i = 0; i < z.size(); ++i) out.x(j, i) = marginals[j].forward(z.x(j, i));
  return out;
}

double score(const FittedMixture& q, const EmPoints& z) {
  AlignedVector<double> log_density(z.size());
  q.log_density(z.x, log_density);
  double mean = 0;
  for (std::size_t i = 0; i < z.size(); ++i) mean += z.weights(0, i) * log_density[i];
  return mean;
}

struct Search;

// Ever more components on the same coordinates, judged by draws that are left out.
struct Ladder {
  Ladder(const Search& with, const EmPoints& z, const EmPoints& by, bool bend);
  void climb(std::size_t most);

  const Search* search;
  const EmPoints* judge;
  FittedMixture best;
  double highest;
  EmPoints x, white;
  std::size_t rung = 0;
  int failures = 0;
};

struct Search {
  const MixtureFitOptions& options;
  const Streams& streams;
  const Executor& executor;

  FittedMixture fit(const EmPoints& x, const std::vector<Marginal>& marginals, BlockStorage start) const {
    std::vector<MixtureComponent> components = dist::run_em(x, std::move(start), options, executor);
    if (components.empty()) throw RunError(kTooFew);
    return FittedMixture(std::move(components), marginals);
  }
  FittedMixture single(const EmPoints& z, bool bend) const {
    const std::vector<Marginal> marginals = fit_marginals(z, bend);
    const EmPoints x = mapped(z, marginals);
    return fit(x, marginals, dist::cluster(x, 1, streams));
  }
  FittedMixture choose(const EmPoints& z, const EmPoints& judge) const {
    // Two modes look like a skew to a single component, so that two are tried before the marginals are settled.
    Ladder best(*this, z, judge, false);
    best.climb(std::min<std::size_t>(2, options.max_components));
    if (options.bend) {
      Ladder bent(*this, z, judge, true);
      bent.climb(std::min<std::size_t>(2, options.max_components));
      if (bent.highest > best.highest + options.least_gain) best = std::move(bent);
    }
    best.climb(options.max_components);
    return best.best;
  }
  // The chosen shape fitted to all the draws, from where the chosen fit stands.
  FittedMixture refit(const EmPoints& z, const FittedMixture& chosen) const {
    BlockStorage start, square;
    dist::expect(FittedMixture(chosen.components()), mapped(z, chosen.marginals()), executor, start, square);
    const std::vector<Marginal> marginals = fit_marginals(z, std::ranges::any_of(chosen.marginals(), &Marginal::bent));
    return fit(mapped(z, marginals), marginals, std::move(start));
  }
};

Ladder::Ladder(const Search& with, const EmPoints& z, const EmPoints& by, bool bend)
    : search(&with),
      judge(&by),
      best(with.single(z, bend)),
      highest(score(best, by)),
      x(mapped(z, best.marginals())),
      white(dist::whiten(x)) {}

void Ladder::climb(std::size_t most) {
  for (; rung < kNumbers.size() && kNumbers[rung] <= most && failures < kPatience; ++rung) {
    std::vector<MixtureComponent> more =
        dist::run_em(x, dist::cluster(white, kNumbers[rung], search->streams), search->options, search->executor);
    if (more.empty()) break;
    FittedMixture next(std::move(more), best.marginals());
    const double s = score(next, *judge);
    const bool gains = s > highest + search->options.least_gain;
    failures = gains ? 0 : failures + 1;
    if (gains) best = std::move(next), highest = s;
  }
}

// Points that span a density, their weights normalised.
EmPoints points_of(ConstBlock z, std::span<const double> weights) {
  if (z.rows() == 0) throw RunError("a mixture cannot be fitted: there is no coordinate");
  EmPoints all = distinct(z, weights);
  if (all.size() < kLeastPoints)
    throw RunError("a mixture cannot be fitted: only " + std::to_string(all.size()) + " of " +
                   std::to_string(z.size()) + " draws are distinct; " + std::to_string(kLeastPoints) + " are needed");
  all = slice(all, 0, all.size());
  for (std::size_t j = 0; j < z.rows(); ++j) {
    const auto [low, high] = std::ranges::minmax_element(all.x.row(j));
    if (*low == *high || !std::isfinite(*high - *low))
      throw RunError("a mixture cannot be fitted: coordinate " + std::to_string(j + 1) + " does not vary");
  }
  return all;
}

// The components on coordinates that are centred and scaled.
std::vector<MixtureComponent> on_marginals(const FittedMixture& q, const std::vector<Marginal>& marginals) {
  std::vector<MixtureComponent> out = q.components();
  const std::size_t d = marginals.size();
  for (MixtureComponent& c : out)
    for (std::size_t a = 0; a < d; ++a) {
      c.mean[a] = marginals[a].forward(q.marginals()[a].backward(c.mean[a]));
      for (std::size_t b = 0; b <= a; ++b) c.root[a * d + b] *= q.marginals()[a].scale / marginals[a].scale;
    }
  return out;
}

}  // namespace

FittedMixture fit_mixture_from(const FittedMixture& start, ConstBlock z, std::span<const double> weights,
                               const MixtureFitOptions& options, const Executor& executor) {
  constexpr double kStart = 0.1;  // share of the start as it was
  const EmPoints all = points_of(z, weights);
  const std::vector<Marginal> marginals = fit_marginals(all, false);
  std::vector<MixtureComponent> before = on_marginals(start, marginals);
  const EmPoints x = mapped(all, marginals);
  BlockStorage responsibilities, square;
  dist::expect(FittedMixture(before), x, executor, responsibilities, square);
  std::vector<MixtureComponent> out = dist::run_em(x, std::move(responsibilities), options, executor);
  for (MixtureComponent& c : out) c.weight *= 1 - kStart;
  for (MixtureComponent& c : before) {
    c.weight *= kStart;
    out.push_back(std::move(c));
  }
  return FittedMixture(std::move(out), marginals);
}

FittedMixture fit_mixture(ConstBlock z, std::span<const double> weights, const MixtureFitOptions& options,
                          const Streams& streams, const Executor& executor) {
  const EmPoints all = points_of(z, weights);
  const Search search{options, streams, executor};
  if (all.size() < kToChoose) return search.single(all, false);
  const auto train = static_cast<std::size_t>((1 - options.held_out) * static_cast<double>(all.size()));
  const FittedMixture chosen = search.choose(slice(all, 0, train), slice(all, train, all.size()));
  return search.refit(all, chosen);
}

}  // namespace evident
