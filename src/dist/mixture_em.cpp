#include "dist/mixture_em.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <optional>

#include "base/vector_math.hpp"
#include "dist/log_sum_rows.hpp"
#include "dist/scale_root.hpp"
#include "evident/base/log_math.hpp"

namespace evident::dist {
namespace {

constexpr double kFirstDf = 10;

// What one component holds: points with weight x responsibility, and how far out they are.
struct Held {
  BlockStorage share;  ///< row 0: weight x responsibility; row 1: times the t factor u; row 2: log u
  double mass = 0, stretched = 0, squares = 0;
  double log_minus = 0;  ///< mean of log u - u over the component
};

Held hold(const EmPoints& points, std::span<const double> responsibility, std::span<const double> square, double df) {
  const std::size_t n = points.size();
  const auto d = static_cast<double>(points.x.rows());
  Held h{.share = BlockStorage(3, n)};
  const std::span<double> share = h.share.row(0), stretched = h.share.row(1), log_u = h.share.row(2);
  const std::span<const double> weights = points.weights.row(0);
  for (std::size_t i = 0; i < n; ++i) stretched[i] = square.empty() ? 1.0 : (df + d) / (df + square[i]);
  vector_math::log(stretched.data(), log_u.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    share[i] = weights[i] * responsibility[i];
    h.log_minus += share[i] * (log_u[i] - stretched[i]);
    stretched[i] *= share[i];
    h.mass += share[i];
    h.squares += share[i] * share[i];
    h.stretched += stretched[i];
  }
  h.log_minus /= h.mass;
  return h;
}

// The degrees of freedom that maximise EM's expected log density (Peel and McLachlan 2000): a decreasing function of
// log df crosses zero there.
double next_df(const Held& h, double df, double d, const MixtureFitOptions& options) {
  const double known = 1 + h.log_minus + boost::math::digamma(0.5 * (df + d)) - std::log(0.5 * (df + d));
  const auto slope = [&](double v) { return known + std::log(0.5 * v) - boost::math::digamma(0.5 * v); };
  double low = std::log(options.least_df), high = std::log(options.most_df);
  if (slope(options.least_df) <= 0) return options.least_df;
  if (slope(options.most_df) >= 0) return options.most_df;
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = 0.5 * (low + high);
    (slope(std::exp(middle)) > 0 ? low : high) = middle;
  }
  // EM goes less than half of the way here; twice its step is still short of the far side.
  return std::clamp(std::exp(low + high - std::log(df)), options.least_df, options.most_df);
}

// What a component keeps from one iteration to the next.
struct Kept {
  double df;
  // Where draws are few for their dimension, EM would follow their noise: with each iteration the points that the last
  // one fitted by chance count for more, until hardly anything is shrunk. There no iteration shrinks less than the one
  // before, and the first gives all points their due.
  double least_shrunk = 0;
};
constexpr std::size_t kFewForEach = 5;  // draws for each coordinate

// Nothing when the component holds too few points to have a shape. The scale is divided by the stretched mass rather
// than the mass, which has the same fixed point and converges sooner (Kent, Tyler and Vardi 1994).
std::optional<MixtureComponent> maximise(const EmPoints& points, const Held& h, Kept& kept) {
  const std::size_t d = points.x.rows();
  const double effective = h.squares > 0 ? h.mass * h.mass / h.squares : 0.0;
  if (!(effective >= std::max(5.0, 0.5 * static_cast<double>(d)))) return std::nullopt;
  std::vector<const double*> rows;
  for (std::size_t j = 0; j < d; ++j) rows.push_back(points.x.row(j).data());
  MixtureComponent c{.weight = h.mass, .df = kept.df, .mean = std::vector<double>(d), .root = {}};
  std::vector<double> second(d * d);
  const double* share = h.share.row(1).data();
  vector_math::weighted_mean(share, rows.data(), d, points.size(), c.mean.data());
  for (double& m : c.mean) m /= h.stretched;
  vector_math::weighted_second(share, rows.data(), c.mean.data(), d, points.size(), second.data());
  for (double& v : second) v /= h.stretched;
  double shrunk = kept.least_shrunk;
  c.root = scale_root(second, d, effective, shrunk);
  if (points.size() < kFewForEach * d) kept.least_shrunk = shrunk;
  return c;
}

}  // namespace

double expect(const FittedMixture& mixture, const EmPoints& points, const Executor& executor,
              BlockStorage& responsibilities, BlockStorage& square) {
  const std::size_t n = points.size(), count = mixture.components().size();
  responsibilities = BlockStorage(count, n);
  square = BlockStorage(count, n);
  std::vector<double> means(block_count(n), 0.0);
  executor.for_each(means.size(), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize, size = std::min(kBlockSize, n - first);
    const Block r = responsibilities.block().columns(first, size);
    mixture.log_parts(points.x.block().columns(first, size), r, square.block().columns(first, size));
    AlignedVector<double> sum(size);
    log_sum_rows(r, sum);
    for (std::size_t i = 0; i < size; ++i) means[b] += points.weights(0, first + i) * sum[i];
  });
  double mean = 0;
  for (const double v : means) mean += v;
  return mean;
}

std::vector<MixtureComponent> run_em(const EmPoints& points, BlockStorage responsibilities,
                                     const MixtureFitOptions& options, const Executor& executor) {
  const auto d = static_cast<double>(points.x.rows());
  BlockStorage square;
  std::vector<Kept> kept(responsibilities.rows(), {.df = kFirstDf});
  std::vector<MixtureComponent> components;
  double best = -kInf;
  for (std::size_t iteration = 0; iteration < options.max_iterations; ++iteration) {
    std::vector<std::optional<MixtureComponent>> next(kept.size());
    executor.for_each(kept.size(), [&](std::size_t k) {
      const bool first = square.rows() == 0;
      const Held h =
          hold(points, responsibilities.row(k), first ? std::span<const double>() : square.row(k), kept[k].df);
      if (!(h.mass > 0)) return;
      if (!first) kept[k].df = next_df(h, kept[k].df, d, options);
      next[k] = maximise(points, h, kept[k]);
    });
    components.clear();
    std::vector<Kept> living;
    for (std::size_t k = 0; k < next.size(); ++k)
      if (next[k]) {
        living.push_back(kept[k]);
        components.push_back(std::move(*next[k]));
      }
    kept = std::move(living);
    if (components.empty()) return components;
    const bool dropped = components.size() < next.size();
    const double mean = expect(FittedMixture(components), points, executor, responsibilities, square);
    if (!dropped && mean - best < options.tolerance) break;
    best = mean;
  }
  return components;
}

}  // namespace evident::dist
