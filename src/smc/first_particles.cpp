#include "smc/first_particles.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/partition.hpp"
#include "base/team.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "path/nowhere_possible.hpp"
#include "smc/from_density.hpp"
#include "smc/steps.hpp"

namespace evident {

DrawLimits DrawLimits::of(std::size_t particles, std::size_t most, WhenNone when_none) {
  constexpr std::size_t kForEach = 100;  // what the moves of a run cost, about
  constexpr std::size_t kEnough = 50;    // they know their share to 14 %, and eight islands of them to 5 %
  constexpr std::size_t kLonger = 4;     // of islands that find two each, one in a thousand pilots finds none
  constexpr std::size_t kLeast = 2;      // the second one ends the draws, and the first tells the share
  const std::size_t hard = std::max(particles, most);
  const bool must = when_none == WhenNone::fail && most > particles;
  return {.particles = particles,
          .soft = std::min(kForEach * particles, hard),
          .enough = std::min(kEnough, particles),
          .hard = hard,
          .least = must ? kLeast : 0,
          .last = must ? kLonger * hard : hard};
}

bool DrawLimits::reached(std::size_t made, std::size_t possible) const {
  return possible >= particles || made >= last || (made >= soft && possible >= enough) ||
         (made >= hard && possible >= least);
}

bool DrawLimits::ended_by_possible(std::size_t made, std::size_t possible) const {
  return possible >= particles || (made > soft && possible >= enough) || (made > hard && possible >= least);
}

// An unbiased estimate is the chance that the first draw was possible, given what the draws ended with (Girshick,
// Mosteller and Savage 1946). All orders of the draws that end there are equally likely. They have fewer than N/2
// possible ones among the first N; and the last draw is possible where it ended the draws. So the number j among the
// first N is hypergeometric, cut off below N/2, and the estimate is the mean of j/N. Far from N/2 the cut is not felt,
// and the mean is possible/made, or (possible - 1)/(made - 1) where a possible draw was the end.
double share_of_possible(const DrawLimits& limits, std::size_t made, std::size_t possible) {
  const std::size_t n = limits.particles;
  if (made <= n) return static_cast<double>(possible) / static_cast<double>(made);
  const bool by_possible = limits.ended_by_possible(made, possible);
  const std::size_t all = made - (by_possible ? 1 : 0), hits = possible - (by_possible ? 1 : 0);
  const std::size_t misses = all - hits, rest = all - n;
  const std::size_t lowest = hits > rest ? hits - rest : 0, highest = std::min(hits, (n - 1) / 2);
  std::vector<double> log_chance = {0};
  for (std::size_t j = lowest; j < highest; ++j)
    log_chance.push_back(log_chance.back() + std::log(static_cast<double>(hits - j) / static_cast<double>(j + 1)) +
                         std::log(static_cast<double>(n - j) / static_cast<double>(misses + j + 1 - n)));
  const double total = log_sum_exp(log_chance);
  double mean = 0;
  for (std::size_t k = 0; k < log_chance.size(); ++k)
    mean += std::exp(log_chance[k] - total) * static_cast<double>(lowest + k);
  return mean / static_cast<double>(n);
}

namespace {

/// Fills the columns of theta with the draws from number `first` on.
using Draw = std::function<void(std::uint32_t first, Block theta)>;

[[noreturn]] void fail(std::size_t draws, const EvaluationCount& count) {
  throw RunError(nowhere_possible(draws, count) +
                 ": check that data and prior fit together, use a prior that rules out what the "
                 "model cannot do, or raise max_prior_draws");
}

class Drawing {
 public:
  Drawing(const Model& model, const SmcOptions& options, const Context& context, EvaluationCount& count, Draw draw)
      : model_(model),
        options_(options),
        context_(context),
        count_(count),
        target_(model, 0.0, count),
        draw_(std::move(draw)),
        x_(model, options.particles) {}

  FirstParticles run(std::shared_ptr<BlockPartition> partition, bool replace, WhenNone when_none) {
    x_.partition = std::move(partition);
    for_blocks(x_.first_block(), x_.last_block(), x_.size(), [&](std::size_t first, std::size_t n) {
      evaluate(static_cast<std::uint32_t>(first), columns(first, n));
    });
    share_results(x_, count_);
    FirstDraws draws{.made = x_.size(), .possible = possible()};
    const DrawLimits limits = DrawLimits::of(x_.size(), replace ? options_.max_prior_draws : 0, when_none);
    if (2 * draws.possible < x_.size()) replace_impossible(limits, draws);
    check();
    if (draws.possible == 0 && when_none == WhenNone::fail) fail(draws.made, count_);
    draws.share = share_of_possible(limits, draws.made, draws.possible);
    const bool replaced = draws.made > x_.size() && draws.possible > 0;
    const double shown = static_cast<double>(possible()) / static_cast<double>(x_.size());
    return {std::move(x_), draws, replaced ? std::log(draws.share / shown) : 0};
  }

 private:
  /// Where some particles are kept.
  struct Columns {
    Block z, theta;
    std::span<double> log_prior, log_jacobian, log_likelihood;
  };
  /// A possible draw that is not among the particles yet.
  struct Found {
    std::uint32_t number;
    double log_likelihood;
  };

  void check() const {
    const std::vector<std::vector<double>> nan_points = count_.nan_points.kept();
    check_stop_and_nan({count_.nan, count_.total, &model_, nan_points}, options_.nan_limit, context_);
  }

  template <class F>
  void for_blocks(std::size_t first_block, std::size_t last_block, std::size_t size, const F& f) const {
    context_.executor.for_each(last_block - first_block, [&](std::size_t b) {
      const std::size_t first = (first_block + b) * kBlockSize;
      f(first, std::min(kBlockSize, size - first));
    });
  }

  Columns columns(std::size_t first, std::size_t n) {
    return {x_.z.block().columns(first, n),
            x_.theta.block().columns(first, n),
            {x_.log_prior.data() + first, n},
            {x_.log_jacobian.data() + first, n},
            {x_.log_likelihood.data() + first, n}};
  }

  /// Draws, with their prior; and their likelihood, if it is asked for.
  void evaluate(std::uint32_t number, const Columns& to) const {
    draw_(number, to.theta);
    model_.parameters().unconstrain(to.theta, to.z);
    target_.prior(to.z, to.theta, to.log_prior, to.log_jacobian);
    if (!to.log_likelihood.empty()) target_.likelihood(to.theta, to.log_likelihood);
  }

  std::size_t possible() const {
    return x_.size() - static_cast<std::size_t>(std::ranges::count(x_.log_likelihood, -kInf));
  }

  /// Log likelihoods of the draws made .. made+n-1. Each rank of a team evaluates its part, and all know all of them.
  AlignedVector<double> look_at(std::size_t made, std::size_t n) {
    AlignedVector<double> out(n);
    std::unique_ptr<BlockPartition> ranks;
    if (x_.partition) ranks = std::make_unique<BlockPartition>(partition_blocks(context_.team, n));
    for_blocks(ranks ? ranks->begin() : 0, ranks ? ranks->end() : block_count(n), n,
               [&](std::size_t first, std::size_t many) {
                 Population some(model_, many);
                 evaluate(static_cast<std::uint32_t>(made + first),
                          {some.z, some.theta, some.log_prior, some.log_jacobian, {out.data() + first, many}});
               });
    if (ranks) ranks->gather(out);
    share_results(x_, count_);
    return out;
  }

  /// As many draws as are likely to be the last, and no more than go well at once.
  static std::size_t next_round(const DrawLimits& limits, const FirstDraws& so_far) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 16U;
    const bool soft = so_far.made < limits.soft, hard = so_far.made < limits.hard;
    const std::size_t end = soft ? limits.soft : hard ? limits.hard : limits.last;
    const std::size_t wanted = soft ? limits.particles : hard ? limits.enough : limits.least;
    const double missing = static_cast<double>(wanted - std::min(wanted, so_far.possible)) + 1;
    const double guess = missing * static_cast<double>(so_far.made) / static_cast<double>(so_far.possible + 1);
    const auto rounded = kBlockSize * (static_cast<std::size_t>(std::min<double>(guess, kAtOnce)) / kBlockSize + 1);
    return std::min(rounded, end - so_far.made);
  }

  void replace_impossible(const DrawLimits& limits, FirstDraws& draws) {
    std::vector<Found> found;
    while (!limits.reached(draws.made, draws.possible)) {
      check();
      const std::size_t first = draws.made;
      for (const double l : look_at(first, next_round(limits, draws))) {
        if (l > -kInf) {
          found.push_back({static_cast<std::uint32_t>(draws.made), l});
          ++draws.possible;
        }
        ++draws.made;
        if (limits.reached(draws.made, draws.possible)) break;
      }
    }
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < x_.size() && open.size() < found.size(); ++i)
      if (!(x_.log_likelihood[i] > -kInf)) open.push_back(i);
    for (std::size_t k = 0; k < open.size(); ++k) x_.log_likelihood[open[k]] = found[k].log_likelihood;
    // A draw is known by its number: each rank makes those of its own particles again.
    context_.executor.for_each(open.size(), [&](std::size_t k) {
      if (open[k] >= x_.first_block() * kBlockSize && open[k] < x_.last_block() * kBlockSize)
        put(found[k].number, open[k]);
    });
  }

  void put(std::uint32_t number, std::size_t at) {
    Population one(model_, 1);
    evaluate(number, {one.z, one.theta, one.log_prior, one.log_jacobian, {}});
    one.log_likelihood[0] = x_.log_likelihood[at];
    x_.copy_from(one, 0, at);
  }

  const Model& model_;
  const SmcOptions& options_;
  const Context& context_;
  EvaluationCount& count_;
  TemperedTarget target_;
  Draw draw_;
  Population x_;
};

/// Draws that are spread evenly are right as a whole only, so that no further ones may be added.
bool may_add_draws(const Model& model) {
  const auto* path = dynamic_cast<const FromDensity*>(&model);
  return path == nullptr || path->start().draws_are_independent();
}

}  // namespace

FirstParticles draw_prior(const Model& model, const SmcOptions& options, const Context& context, EvaluationCount& count,
                          WhenNone when_none) {
  const auto draw = [&](std::uint32_t first, Block theta) { model.draw_prior(context.streams, first, theta); };
  return Drawing(model, options, context, count, draw).run({}, may_add_draws(model), when_none);
}

FirstParticles draw_initial(const Model& model, const SmcOptions& options, const Context& context,
                            EvaluationCount& count, WhenNone when_none) {
  std::shared_ptr<BlockPartition> partition;
  if (!context.team.single() && options.waste_free == 0)
    partition = std::make_shared<BlockPartition>(partition_blocks(context.team, options.particles));
  const auto draw = [&](std::uint32_t first, Block theta) {
    model.has_initial() ? model.draw_initial(context.streams, first, theta)
                        : model.draw_prior(context.streams, first, theta);
  };
  FirstParticles out =
      Drawing(model, options, context, count, draw).run(std::move(partition), may_add_draws(model), when_none);
  if (options.waste_free > 0)
    out.x.chain = 1;  // independent draws, and no genealogy: the chains tell the variance
  else
    out.x.genealogy.start(out.x.size());
  return out;
}

}  // namespace evident
