#include "compare/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "compare/mode_coverage.hpp"
#include "compare/next_round.hpp"
#include "compare/referee.hpp"
#include "smc/first_particles.hpp"

namespace evident {
namespace {

constexpr std::size_t kIslandsOfReferee = 4;

/// Work in pieces of which each thread takes one at a time.
struct Piecewise {
  Work work = {};
  double pieces = 1;
};

/// Draws of the prior of a run with so many particles, where a run with fewer met this share of possible ones.
double draws_of(std::size_t particles, std::size_t most, const FirstDraws& met) {
  if (met.made == 0 || met.share >= 0.5) return static_cast<double>(particles);
  const DrawLimits limits = DrawLimits::of(particles, most);
  const auto soft = static_cast<double>(limits.soft), all = static_cast<double>(particles) / met.share;
  if (all <= soft) return all;
  return std::clamp(static_cast<double>(limits.enough) / met.share, soft, static_cast<double>(limits.hard));
}

/// From one size in proportion, from two on a straight line. What is small is mostly noise, so that the line counts
/// only within limits.
double at_size(double particles, double few, double of_few, double more, double of_more) {
  constexpr double kLeast = 0.3, kMost = 1.5;
  const double in_proportion = of_more * particles / more;
  if (few == more || particles <= more) return in_proportion;
  const double on_a_line = of_more + (of_more - of_few) / (more - few) * (particles - more);
  return std::clamp(on_a_line, kLeast * in_proportion, kMost * in_proportion);
}

class Scaling {
 public:
  Scaling(const SmallComparison& small, const ModelCheckOptions& options, const CheckedSoFar& known)
      : small_(small), options_(options), known_(known) {}

  std::size_t particles(std::size_t factor) const { return factor * options_.smc.particles; }

  Work pilot(std::size_t factor = 1) const {
    return first(factor) + scaled(factor, [](const MeasuredRuns& m) { return m.pilot.moves(); });
  }
  Work island(std::size_t factor = 1) const {
    constexpr double kFreshDraws = 10;  // of the bridge, for each particle
    if (!small_.sizes.back().island)
      return pilot(factor) + of_likelihoods(kFreshDraws * static_cast<double>(particles(factor)));
    return first(factor) + scaled(factor, [](const MeasuredRuns& m) { return *m.island; });
  }
  Work checks(std::size_t factor = 1) const {
    const double beside =
        options_.islands == 0 ? 0 : static_cast<double>(draws_beside(options_.islands * particles(factor)));
    if (!small_.checks) return of_likelihoods(beside);
    const Work more = of_likelihoods(beside - static_cast<double>(small_.drawn_beside));
    return {small_.checks->evaluations + more.evaluations, std::max(0.0, small_.checks->seconds + more.seconds)};
  }
  Work probe(std::size_t factor = 1) const {
    return nested(probe_options(particles(factor), options_.smc.max_prior_draws).particles);
  }
  Work referee(std::size_t factor = 1) const { return nested(particles(factor)) * (kIslandsOfReferee + 1); }

  /// All that is done with so many times the particles.
  std::vector<Piecewise> round(std::size_t factor, bool with_referee) const {
    const auto blocks = static_cast<double>(block_count(particles(factor)));
    const auto islands = static_cast<double>(options_.islands);
    std::vector<Piecewise> out = {
        {pilot(factor), blocks},
        {island(factor) * islands, islands},
        {checks(factor), 1},
        {probe(factor), static_cast<double>(block_count(probe_options(particles(factor), 0).particles))}};
    if (with_referee) out.push_back({referee(factor), kIslandsOfReferee});
    return out;
  }

 private:
  Work of_likelihoods(double n) const { return {n, n * known_.time.in_block}; }

  Work first(std::size_t factor) const {
    const Course& c = small_.sizes.back().pilot;
    const double draws = draws_of(particles(factor), options_.smc.max_prior_draws, c.draws);
    return c.first * (draws / std::max(c.first.evaluations, 1.0));
  }

  template <class Of>
  Work scaled(std::size_t factor, const Of& of) const {
    const MeasuredRuns &few = small_.sizes.front(), &more = small_.sizes.back();
    const Work a = of(few.island ? few : more), b = of(more);
    const auto n = static_cast<double>(particles(factor)), m = static_cast<double>(more.particles()),
               l = few.island ? static_cast<double>(few.particles()) : m;
    return Work{at_size(n, l, a.evaluations, m, b.evaluations), at_size(n, l, a.seconds, m, b.seconds)} * small_.finer;
  }

  /// In proportion to the particles; where no small one was to be had, by what most take.
  Work nested(std::size_t particles) const {
    constexpr double kUsual = 300;
    const auto n = static_cast<double>(particles);
    if (!small_.probe) return of_likelihoods(kUsual * n);
    return *small_.probe * (n / static_cast<double>(small_.particles_of_probe));
  }

  const SmallComparison& small_;
  const ModelCheckOptions& options_;
  const CheckedSoFar& known_;
};

CostForecast cost_of(std::span<const Piecewise> parts, double threads) {
  CostForecast out;
  for (const auto& [work, pieces] : parts) {
    out.evaluations += work.evaluations;
    out.cpu_seconds += work.seconds;
    // Each thread takes whole pieces: nine on eight threads take as long as sixteen.
    const double turns = std::ceil(std::max(pieces, 1.0) / threads);
    out.seconds += work.seconds * turns / std::max(pieces, 1.0);
  }
  return out;
}

constexpr std::array<const char*, 5> kNames = {"pilot", "islands", "checks", "probe", "referee"};

void add(Forecast& to, std::string name, const Work& w) {
  to.stages.push_back({std::move(name), w.evaluations, w.seconds});
}

void forecast_islands(const Scaling& scaling, const SmallComparison& small, const Work& scouting, double threads,
                      Forecast& out) {
  constexpr double kStartsAtOnce = 8;
  std::vector<Piecewise> parts = {{scouting, kStartsAtOnce}};
  const auto append = [&](std::size_t factor, bool referee) {
    for (const Piecewise& p : scaling.round(factor, referee)) parts.push_back(p);
  };
  append(1, false);
  out.least = cost_of(parts, threads);
  parts.resize(1);
  append(1, small.asks_referee);
  add(out, "modes", scouting);
  for (std::size_t k = 1; k < parts.size(); ++k) add(out, kNames[k - 1], parts[k].work);
  if (out.again) {
    const std::size_t before = parts.size();
    append(2, small.asks_referee);
    Work again;
    for (std::size_t k = before; k < parts.size(); ++k) again = again + parts[k].work;
    add(out, "again", again);
  }
  out.whole = cost_of(parts, threads);
  parts.resize(1);
  for (std::size_t factor = 1; factor <= kMostGrowthUnasked; factor *= 2) append(factor, true);
  out.most = cost_of(parts, threads);
}

/// Where nothing is known of the runs: what those of the easiest models take.
CostForecast cost_of_quickest(const ModelCheckOptions& options, const CheckedSoFar& known, double threads) {
  constexpr double kOfRun = 35, kOfNested = 200;  // evaluations for each particle
  const auto n = static_cast<double>(options.smc.particles), islands = static_cast<double>(options.islands);
  const auto work = [&](double evaluations) { return Work{evaluations, evaluations * known.time.in_block}; };
  std::vector<Piecewise> parts = {{work(static_cast<double>(options.replicates) * kOfRun * n), 1}};
  if (options.islands > 0)
    parts = {{known.scouting, 1},
             {work((islands + 1) * kOfRun * n), islands},
             {work(static_cast<double>(draws_beside(options.islands * options.smc.particles))), 1},
             {work(kOfNested * static_cast<double>(probe_options(options.smc.particles, 0).particles)), islands}};
  return cost_of(parts, threads);
}

}  // namespace

Forecast forecast_from(const SmallComparison& small, const ModelCheckOptions& options, const CheckedSoFar& known,
                       unsigned threads) {
  Forecast out{.runs = options.islands > 0 ? options.islands + 1 : options.replicates, .why_not = small.why_not};
  if (!out.why_not.empty()) {
    out.least = cost_of_quickest(options, known, threads);
    return out;
  }
  const Scaling scaling(small, options, known);
  out.particles = small.sizes.back().particles();
  out.steps = small.finer * small.sizes.back().pilot.all_steps();
  out.evaluations = scaling.pilot().evaluations;
  out.referee = small.asks_referee;
  // Fewer particles disagree more often: of those only as many as are wanted tell that there will be a second round.
  out.again = small.in_doubt && out.particles == options.smc.particles;
  if (options.islands > 0) {
    forecast_islands(scaling, small, known.scouting, threads, out);
  } else {
    const auto n = static_cast<double>(options.replicates);
    const std::array<Piecewise, 2> parts = {{{scaling.pilot() * n, n}, {scaling.checks(), 1}}};
    add(out, "runs", parts[0].work);
    add(out, "checks", parts[1].work);
    out.whole = out.least = out.most = cost_of(parts, threads);
  }
  return out;
}

}  // namespace evident
