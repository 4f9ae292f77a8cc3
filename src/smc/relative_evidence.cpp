// The paper's Algorithm 3, with an adaptive schedule.
#include "smc/relative_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "evident/base/error.hpp"
#include "evident/evidence/path_sampling.hpp"
#include "smc/recorder.hpp"
#include "smc/relative_path.hpp"
#include "smc/union_kernel.hpp"
#include "smc/union_steps.hpp"

namespace evident {
namespace {

/// One walk from the posterior of `from` to that of `to`.
class Walk {
 public:
  Walk(const ModelFamily& family, ModelIndex from, ModelIndex to, const SmcOptions& options,
       const UnionOptions& union_options, const Context& context, UnionObserver* observer)
      : family_(family),
        from_(from),
        to_(to),
        options_(options),
        context_{context.streams.part(from).part(to), context.executor, context.stop},
        record_(options, count_, observer),
        kernel_(options.kernel, union_options, family) {}

  RelativeLink run(const Population& posterior) {
    UnionPopulation x;
    x.members.push_back({from_, posterior});
    x.weights.reset(posterior.size());
    x.keys = random_keys(posterior.size(), context_, 0);
    std::ranges::sort(x.keys);
    record_.initial(x, 0);

    ModelPair now = approach(x), next = now;
    for (std::uint32_t t = 2; now.log_odds() < kInf; ++t) {
      next = {from_, to_, next_log_odds(options_.schedule, now.log_odds(), x.share(to_), t)};  // CESS(next) = CESS*
      Step step = tilt(x, to_, now, next);  // W_t ~ W_{t-1} pi_t(M) / pi_{t-1}(M)
      now = next;

      kernel_.calibrate(x, 1);
      step.resampled = resample(x, now, t);
      const MoveReport moved = kernel_.move({family_, now, 1.0, count_}, x, context_, kWalk + t);

      record_.step(step, moved, x);
      keep(now, x);
      check_progress(record_.trace(), options_, context_);
    }
    return finish(std::move(x));
  }

 private:
  /// The first step cannot be made by weights: `to` has no particle that could be given one. Jumps alone lead there,
  /// at an alpha where `to` has a modest share P, until it has settled. The ratio of the normalising constants is then
  /// (1 - alpha) / (1 - P): the posterior probability of `from` is 1 - P = (1 - alpha) Z_0 / Z_1.
  ModelPair approach(UnionPopulation& x) {
    kernel_.calibrate(x, 1);
    const UnionPopulation start = x;
    Approach to{.log_odds = first_log_odds(x)};
    find_share(x, to);
    const double share = wait_until_settled(x, start, to);
    if (share <= 0 || share >= 1)
      throw RunError("the jumps between " + family_.name(from_) + " and " + family_.name(to_) +
                     " do not mix; use more particles or more jump_passes, or direct");
    ModelPair pair(from_, to_, to.log_odds);
    record_.step(
        {.alpha = pair.alpha(), .log_ratio = pair.log_from() - std::log1p(-share), .ess = x.weights.ess(), .cess = 1},
        to.moved, x);
    keep(pair, x);
    return pair;
  }

  /// How far the first step has come.
  struct Approach {
    double log_odds;
    std::uint32_t moves = 0;
    MoveReport moved = {};  ///< the last of them
  };

  /// Goes up the path until jumps have led a modest share of the particles to the other model.
  void find_share(UnionPopulation& x, Approach& to) {
    while (adaptive() && x.share(to_) < kModestShare) {
      to.log_odds += 0.5;
      if (to.log_odds > kFarthest)
        throw RunError("no jump from " + family_.name(from_) + " to " + family_.name(to_) +
                       " was accepted; the models are too far apart for relative evidence; use direct");
      settle(x, to);
    }
  }

  /// A share that is off by a factor loses its error at the rate of jumps back, which newcomers make more often than
  /// the others. So it has settled when each particle was renewed several times over and the mean share of one window
  /// of moves is that of the window before, half as long. Where jumps back are rare the share grows for long; when it
  /// has become too large the start was too far up the path. Returns the mean share of the last window.
  double wait_until_settled(UnionPopulation& x, const UnionPopulation& start, Approach& to) {
    double renewed = 0, share = 0, last = 0;
    for (std::uint32_t window = kShortestWindow; !settled_ && to.moves < kMostMoves;) {
      share = 0;
      for (std::uint32_t i = 0; i < window; ++i) {
        settle(x, to);
        renewed += chance_of_return_;
        share += x.share(to_) / window;
        if (adaptive() && x.share(to_) > kLargeShare) break;
      }
      if (adaptive() && x.share(to_) > kLargeShare) {
        x = start;
        to.log_odds -= 1;
        renewed = last = 0;
        window = kShortestWindow;
        continue;
      }
      settled_ = renewed >= kRenewals && std::abs(share - last) <= kSettledWithin * share;
      last = share;
      window *= 2;
    }
    return share;
  }

  /// One round of moves at the log odds that were reached.
  void settle(UnionPopulation& x, Approach& to) {
    check_progress(record_.trace(), options_, context_);
    kernel_.calibrate(x, 1);
    const auto before = static_cast<double>(x.count(to_)), accepted_before = accepted();
    const ModelPair pair(from_, to_, to.log_odds);
    to.moved = kernel_.move({family_, pair, 1.0, count_}, x, context_, ++to.moves);
    // Jumps there less jumps back is what the count grew by; their sum is what was accepted.
    const double grown = static_cast<double>(x.count(to_)) - before;
    const double back = 0.5 * (accepted() - accepted_before - grown);
    chance_of_return_ = before > 0 ? std::min(back / before, 1.0) : 0;
  }

  double accepted() const {
    double sum = 0;
    for (const JumpTally& j : kernel_.jumps()) sum += static_cast<double>(j.accepted);
    return sum;
  }

  bool adaptive() const {
    return std::holds_alternative<CessSchedule>(options_.schedule) ||
           std::holds_alternative<EssSchedule>(options_.schedule);
  }

  /// Log odds so low that one round of jumps gives `to` less than a modest share.
  double first_log_odds(const UnionPopulation& x) {
    if (!adaptive()) return next_log_odds(options_.schedule, -kInf, 0, 1);
    double log_odds = 0;
    for (std::uint32_t trial = 0; trial < 500; ++trial, log_odds -= 2) {
      UnionPopulation copy = x;
      const Context own{context_.streams.part(trial), context_.executor, context_.stop};
      const ModelPair pair(from_, to_, log_odds);
      jump({family_, pair, 1.0, count_}, copy, own, 0, 0);
      if (copy.share(to_) < kModestShare) break;
    }
    return log_odds - 0.5;
  }

  bool resample(UnionPopulation& x, const ModelPair& now, std::uint32_t t) {
    SmcOptions at_end = options_;
    if (now.log_odds() == kInf) at_end.resample_threshold = 1;  // the particles of `from` have weight 0
    return resample_if_needed(family_, x, at_end, context_, t);
  }

  void keep(const ModelPair& now, const UnionPopulation& x) {
    if (now.log_odds() == kInf) return;
    log_odds_.push_back(now.log_odds());
    share_.push_back(x.share(to_));
  }

  RelativeLink finish(UnionPopulation x) {
    if (x.count(to_) == 0)
      throw RunError("no particle reached " + family_.name(to_) + " from " + family_.name(from_) +
                     "; use more particles, more steps or more jump_passes");
    RelativeLink link{.from = from_,
                      .to = to_,
                      .log_ratio = 0,
                      .log_ratio_path = path_sampling_of_pair(log_odds_, share_),
                      .trace = record_.finish(),
                      .jumps = kernel_.jumps(),
                      .settled = settled_,
                      .particles = std::move(x.members.front().x)};
    for (std::size_t t = 1; t < link.trace.steps.size(); ++t) {
      link.log_ratio += link.trace.steps[t].log_ratio;
      link.trace.steps[t].mean = t <= share_.size() ? share_[t - 1] : 1;
      link.trace.steps[t].variance = link.trace.steps[t].mean * (1 - link.trace.steps[t].mean);
    }
    link.trace.steps.front().mean = link.trace.steps.front().variance = 0;
    return link;
  }

  static constexpr double kModestShare = 0.1, kLargeShare = 0.4, kSettledWithin = 0.03;
  static constexpr double kRenewals = 6, kFarthest = 60;
  static constexpr std::uint32_t kShortestWindow = 8, kMostMoves = 1500,
                                 kWalk = 100000;  // kWalk: where the walk's random numbers start

  const ModelFamily& family_;
  ModelIndex from_, to_;
  const SmcOptions& options_;
  Context context_;
  EvaluationCount count_;
  UnionRecorder record_;
  UnionKernel kernel_;
  std::vector<double> log_odds_, share_;
  double chance_of_return_ = 0;  ///< of a particle of `to`, in the last move
  bool settled_ = false;
};

}  // namespace

RelativeRun relative_evidence(const ModelFamily& family, std::span<const ModelIndex> chain, const SmcOptions& options,
                              const UnionOptions& union_options, const Context& context, UnionObserver* observer) {
  if (chain.empty()) throw InputError("relative evidence needs at least one model");
  check(options);
  require_whole_populations(options, "relative evidence");
  const Context own{context.streams.part(chain.front()), context.executor, context.stop};
  RelativeRun run{direct_evidence(family.model(chain.front()), options, own), {}};
  // The posterior of the first model as equally weighted particles.
  Population posterior = run.first.particles;
  posterior.select(resample(options.resample, posterior.weights.values(), posterior.size(), own.streams, 0));
  for (std::size_t k = 1; k < chain.size(); ++k) {
    const Population& start = k == 1 ? posterior : run.links.back().particles;
    Walk walk(family, chain[k - 1], chain[k], options, union_options, context, observer);
    run.links.push_back(walk.run(start));
  }
  return run;
}

}  // namespace evident
