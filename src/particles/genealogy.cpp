#include "particles/genealogy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace evident {
namespace {

std::vector<double> family_sums(std::span<const double> mass, std::span<const std::uint32_t> family) {
  std::vector<double> sums(mass.size());
  for (std::size_t i = 0; i < mass.size(); ++i) sums[family[i]] += mass[i];
  return sums;
}

double sum_of_squares(std::span<const double> x) { return std::inner_product(x.begin(), x.end(), x.begin(), 0.0); }

// `draws` independent draws, each of family k with probability p_k.
double spread_of_draws(double draws, std::span<const double> p) { return draws * (1 - sum_of_squares(p)); }

// One draw in each of `strata` equal parts of the mass: a draw falls to family k with the share of k in its part.
double spread_in_strata(std::span<const double> mass, std::span<const std::uint32_t> family, std::size_t strata) {
  const double total = std::accumulate(mass.begin(), mass.end(), 0.0);
  std::vector<double> share(mass.size());
  std::vector<std::uint32_t> touched;
  double spread = 0, room = 1;  // room: what is left of the stratum
  const auto close = [&] {
    double squares = 0;
    for (const std::uint32_t k : touched) {
      squares += share[k] * share[k];
      share[k] = 0;
    }
    spread += std::max(0.0, 1 - squares);
    touched.clear();
    room = 1;
  };
  for (std::size_t i = 0; i < mass.size(); ++i) {
    double left = mass[i] / total * static_cast<double>(strata);
    while (left > 0) {
      const double part = std::min(left, room);
      if (share[family[i]] == 0) touched.push_back(family[i]);
      share[family[i]] += part;
      left -= part;
      room -= part;
      if (room < 1e-9) close();  // less is rounding
    }
  }
  return spread;
}

// Where the mass of each particle ends, with strata of length 1.
std::vector<double> ends_of(std::span<const double> mass) {
  std::vector<double> ends(mass.size());
  std::inclusive_scan(mass.begin(), mass.end(), ends.begin());
  const auto strata = static_cast<double>(mass.size());
  const double scale = strata / ends.back();
  for (double& e : ends) e *= scale;
  ends.back() = strata;
  return ends;
}

// The same for as many strata as particles and families in one piece each: only strata in which a family ends matter.
double spread_in_pieces(std::span<const double> ends, std::span<const std::uint32_t> family) {
  double spread = 0, squares = 0, from = 0, edge = 1;  // of the stratum at hand: squared shares so far, its end
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i + 1 < ends.size() && family[i] == family[i + 1]) continue;
    const double to = ends[i];
    if (to < edge) {
      squares += (to - from) * (to - from);
    } else {
      squares += (edge - from) * (edge - from);
      spread += std::max(0.0, 1 - squares);
      const double whole = std::floor(to);
      squares = (to - whole) * (to - whole);
      edge = whole + 1;
    }
    from = to;
  }
  return spread;
}

// Numbers of children are floor(c) or ceil(c), with c = N F_k.
double spread_systematic(std::span<const double> shares) {
  double spread = 0;
  for (const double f : shares) {
    const double c = f * static_cast<double>(shares.size()), rest = c - std::floor(c);
    spread += rest * (1 - rest);
  }
  return spread;
}

// What is drawn after floor(N W_i) copies were given out.
std::pair<std::vector<double>, std::size_t> remainders(std::span<const double> weights) {
  std::vector<double> rest(weights.size());
  const auto n = static_cast<double>(weights.size());
  double sum = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    rest[i] = n * weights[i] - std::floor(n * weights[i]);
    sum += rest[i];
  }
  return {std::move(rest), static_cast<std::size_t>(std::lround(sum))};
}

double spread_residual(std::span<const double> weights, std::span<const std::uint32_t> family, bool stratified) {
  const auto [rest, draws] = remainders(weights);
  if (draws == 0) return 0;
  if (stratified) return spread_in_strata(rest, family, draws);
  std::vector<double> p = family_sums(rest, family);
  for (double& v : p) v /= static_cast<double>(draws);
  return spread_of_draws(static_cast<double>(draws), p);
}

}  // namespace

double spread_of_children(ResampleScheme scheme, std::span<const double> weights,
                          std::span<const std::uint32_t> family) {
  switch (scheme) {
    case ResampleScheme::multinomial:
      return spread_of_draws(static_cast<double>(weights.size()), family_sums(weights, family));
    case ResampleScheme::stratified:
      return spread_in_pieces(ends_of(weights), family);
    case ResampleScheme::systematic:
      return spread_systematic(family_sums(weights, family));
    case ResampleScheme::residual:
      return spread_residual(weights, family, false);
    case ResampleScheme::residual_stratified:
      return spread_residual(weights, family, true);
  }
  return 0;
}

void Genealogy::start(std::size_t n) {
  *this = {};
  eve_.ancestor.resize(n);
  std::iota(eve_.ancestor.begin(), eve_.ancestor.end(), 0U);
}

void Genealogy::close(std::span<const double> weights) {
  Generation told;
  told.back.push_back({.squares = sum_of_squares(weights)});
  for (const Line& line : back_)
    told.back.push_back({sum_of_squares(family_sums(weights, line.ancestor)), line.spread, line.log_pairs});
  const std::vector<double> shares = family_sums(weights, eve_.ancestor);
  told.eve = {sum_of_squares(shares), eve_.spread, eve_.log_pairs};
  told.eves = static_cast<std::size_t>(std::ranges::count_if(shares, [](double s) { return s > 0; }));
  generations_.push_back(std::move(told));
}

void Genealogy::resampled(ResampleScheme scheme, std::span<const double> weights,
                          std::span<const std::uint32_t> parents) {
  if (eve_.ancestor.empty()) return;
  close(weights);
  const auto n = static_cast<double>(weights.size());
  const bool stratified = scheme == ResampleScheme::stratified;
  const std::vector<double> ends = stratified ? ends_of(weights) : std::vector<double>();
  const auto pass = [&](Line& line, double squares) {
    const double children =
        stratified ? spread_in_pieces(ends, line.ancestor) : spread_of_children(scheme, weights, line.ancestor);
    const double spread = children / (n * n);
    line.spread += spread;
    // Of all pairs from two families the share spread / (1 - squares) is lost.
    if (spread > 0 && spread < 1 - squares) line.log_pairs -= std::log1p(-spread / (1 - squares));
    std::vector<std::uint32_t> next(parents.size());
    for (std::size_t i = 0; i < parents.size(); ++i) next[i] = line.ancestor[parents[i]];
    line.ancestor = std::move(next);
  };
  const Generation& last = generations_.back();
  pass(eve_, last.eve.squares);
  for (std::size_t d = 0; d < back_.size(); ++d) pass(back_[d], last.back[d + 1].squares);
  Line own;
  own.ancestor.resize(weights.size());
  std::iota(own.ancestor.begin(), own.ancestor.end(), 0U);
  pass(own, last.back[0].squares);
  back_.push_front(std::move(own));
  if (back_.size() > kLags) back_.pop_back();
}

std::vector<Generation> Genealogy::finish(std::span<const double> weights) {
  if (!eve_.ancestor.empty()) close(weights);
  std::vector<Generation> told = std::move(generations_);
  *this = {};
  return told;
}

}  // namespace evident
