#include "kernel/independent.hpp"

#include <algorithm>

#include "evident/base/error.hpp"
#include "kernel/add_root.hpp"

namespace evident {
namespace {

// Storage of a block, after that of the Crank-Nicolson proposals.
enum IndependentExtra : std::size_t { kBefore = 2, kAfter };

// kMostPoints: that a mixture is fitted to. The component around all the particles: share of the draws, variance in
// units of theirs, degrees of freedom.
constexpr std::size_t kMostPoints = 1500;
constexpr double kWideShare = 0.1, kWide = 2, kWideDf = 5;

}  // namespace

Independent::Independent(const KernelOptions& options, const Model& model)
    : CrankNicolson(options, model, all_ways(options, model)),
      components_(options.mixture_components),
      modes_(options.modes) {}

std::vector<GroupedKernel::Way> Independent::all_ways(const KernelOptions& options, const Model& model) {
  const auto rows = grouped_rows(Grouping::joint, model);
  std::vector<Way> out = ways(rows);
  if (options.apart.empty()) out.push_back({.rows = rows.front(), .way = kFitted, .scaled = false});
  for (const std::size_t j : options.apart) out.push_back({.rows = {j}, .way = kFitted, .scaled = false});
  return out;
}

double Independent::default_scale(const Group& group) const {
  return group.way == kFitted ? 1 : CrankNicolson::default_scale(group);
}

double Independent::largest_scale(const Group& group) const {
  return group.way == kFitted ? 1 : CrankNicolson::largest_scale(group);
}

// Every so many of a large population: the rest would cost time and change little. Each rank has some of them.
Independent::Points Independent::points(const Population& x, Range range) {
  const std::size_t n = range.last - range.first, every = (n + kMostPoints - 1) / kMostPoints, rows = x.z.rows();
  const std::size_t count = (n + every - 1) / every;
  Points out{BlockStorage(rows, count), std::vector<double>(count)};
  std::vector<double> columns(rows * count);
  const std::vector<std::size_t> particles =
      x.partition ? x.partition->particles(x.size()) : std::vector<std::size_t>{0, x.size()};
  const std::size_t rank = x.partition ? x.partition->team.rank() : 0;
  std::vector<std::size_t> first(particles.size());
  for (std::size_t k = 0, r = 0; k < count; ++k) {
    const std::size_t i = range.first + k * every;
    while (i >= particles[r + 1]) first[++r] = rows * k;
    std::fill(first.begin() + static_cast<std::ptrdiff_t>(r) + 1, first.end(), rows * (k + 1));
    out.weights[k] = x.weights.values()[i];
    for (std::size_t j = 0; r == rank && j < rows; ++j) columns[rows * k + j] = x.z(j, i);
  }
  if (x.partition) x.partition->team.all_gather(columns, first);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t j = 0; j < rows; ++j) out.z(j, k) = columns[rows * k + j];
  return out;
}

std::shared_ptr<const FittedMixture> Independent::fit(const Points& points,
                                                      const std::vector<std::size_t>& rows) const {
  // Random numbers choose where the search for components starts, and nothing else.
  const Streams streams({.seed = 0x6669747465640ULL});
  BlockStorage z(rows.size(), points.z.size());
  for (std::size_t j = 0; j < rows.size(); ++j) std::ranges::copy(points.z.row(rows[j]), z.row(j).begin());
  try {
    // Rough fits do: what they lack is made up for by the correction.
    const MixtureFitOptions options{.max_components = components_, .max_iterations = 20, .tolerance = 1e-3};
    const FittedMixture fitted = modes_ != nullptr ? fit_mixture_from(*modes_, z, points.weights, options, executor_)
                                                   : fit_mixture(z, points.weights, options, streams, executor_);
    return std::make_shared<const FittedMixture>(fitted.widened(kWideShare, z, kWide, kWideDf));
  } catch (const Error&) {
    return nullptr;  // too few distinct particles
  }
}

void Independent::calibrate(const Population& x, double alpha) {
  CrankNicolson::calibrate(x, alpha);
  all_ = points(x, {0, x.size()});
  for (Group& group : groups())
    for (std::size_t half = 0; group.way == kFitted && half < group.shapes.size(); ++half)
      group.shapes[half].fit = fit(points(x, halves().calibrating(half)), group.rows);
}

Calibration Independent::calibration() const {
  Calibration found = CrankNicolson::calibration();
  for (std::size_t g = 0; g < groups().size(); ++g)
    if (groups()[g].way == kFitted && groups()[g].shapes.size() > 1) found.groups[g].fit = fit(all_, groups()[g].rows);
  return found;
}

void Independent::propose(const Proposing& from, Scratch& s) const {
  if (from.group.way != kFitted) return CrankNicolson::propose(from, s);
  const FittedMixture* q = from.shape.fit.get();
  if (q == nullptr) return walk(from, s);
  const std::size_t d = from.group.rows.size(), n = from.p.size;
  const std::vector<std::size_t>& rows = from.group.rows;
  const Block before = s.extra(kBefore, d).block().some_rows(0, d).columns(0, n);
  const Block after = s.extra(kAfter, d).block().some_rows(0, d).columns(0, n);
  for (std::size_t j = 0; j < d; ++j) std::copy_n(from.p.z.row_data(rows[j]), n, before.row_data(j));
  alignas(64) double density[kBlockSize];
  q->draw(from.context.streams, from.id, after);
  q->log_density(before, {s.correction.data(), n});
  q->log_density(after, {density, n});
  for (std::size_t i = 0; i < n; ++i) s.correction[i] -= density[i];
  for (std::size_t j = 0; j < d; ++j) {
    std::copy_n(after.row_data(j), n, s.z.row(rows[j]).data());
    for (std::size_t i = 0; i < n; ++i) s.noise(j, i) = after(j, i) - before(j, i);
  }
  solve_root(from.shape.root, d, n, s.noise);
  // The step in units of the scale, factor left out.
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i)
      s.noise(j, i) /= from.group.scale * (from.factor == nullptr ? 1.0 : from.factor[i]);
}

const double* Independent::log_correction(const Proposing& from, Scratch& s) const {
  if (from.group.way != kFitted) return CrankNicolson::log_correction(from, s);
  return from.shape.fit == nullptr ? nullptr : s.correction.data();
}

}  // namespace evident
