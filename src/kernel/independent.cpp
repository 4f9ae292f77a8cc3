#include "kernel/independent.hpp"

#include <algorithm>

#include "evident/base/error.hpp"
#include "kernel/add_root.hpp"

namespace evident {
namespace {

// kMostPoints: that a mixture is fitted to. The component around all the particles: share of the draws, variance in
// units of theirs, degrees of freedom.
constexpr std::size_t kMostPoints = 1500;
constexpr double kWideShare = 0.1, kWide = 2, kWideDf = 5;

}  // namespace

Independent::Independent(const KernelOptions& options, const Model& model)
    : CrankNicolson(options, model, three_ways(model)), components_(options.mixture_components) {}

std::vector<GroupedKernel::Way> Independent::three_ways(const Model& model) {
  const auto rows = grouped_rows(Grouping::joint, model);
  std::vector<Way> out = ways(rows);
  out.push_back({.rows = rows.front(), .way = kFitted, .scaled = false});
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

std::shared_ptr<const FittedMixture> Independent::fit(const Points& points) const {
  const auto& [z, weights] = points;
  // Random numbers choose where the search for components starts, and nothing else.
  const Streams streams({.seed = 0x6669747465640ULL});
  try {
    // Rough fits do: what they lack is made up for by the correction.
    const MixtureFitOptions options{.max_components = components_, .max_iterations = 20, .tolerance = 1e-3};
    return std::make_shared<const FittedMixture>(
        fit_mixture(z, weights, options, streams, executor_).widened(kWideShare, z, kWide, kWideDf));
  } catch (const Error&) {
    return nullptr;  // too few distinct particles
  }
}

void Independent::calibrate(const Population& x, double alpha) {
  CrankNicolson::calibrate(x, alpha);
  all_ = points(x, {0, x.size()});
  for (Group& group : groups())
    for (std::size_t half = 0; group.way == kFitted && half < group.shapes.size(); ++half)
      group.shapes[half].fit = fit(points(x, halves().calibrating(half)));
}

Calibration Independent::calibration() const {
  Calibration found = CrankNicolson::calibration();
  for (std::size_t g = 0; g < groups().size(); ++g)
    if (groups()[g].way == kFitted && groups()[g].shapes.size() > 1) found.groups[g].fit = fit(all_);
  return found;
}

void Independent::propose(const Proposing& from, Scratch& s) const {
  if (from.group.way != kFitted) return CrankNicolson::propose(from, s);
  const FittedMixture* q = from.shape.fit.get();
  if (q == nullptr) return walk(from, s);
  const std::size_t d = from.group.rows.size(), n = from.p.size;
  const Block z = s.z.block().columns(0, n);
  alignas(64) double density[kBlockSize];
  q->draw(from.context.streams, from.id, z);
  q->log_density(from.p.z, {s.correction.data(), n});
  q->log_density(z, {density, n});
  for (std::size_t i = 0; i < n; ++i) s.correction[i] -= density[i];
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i) s.noise(j, i) = z(j, i) - from.p.z(j, i);
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
