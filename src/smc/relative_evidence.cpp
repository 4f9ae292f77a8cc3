// The paper's Algorithm 3, with an adaptive schedule.
#include "evident/smc/relative_evidence.hpp"

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
    record_.initial(x, 0);
    kernel_.calibrate(x, 1);

    ModelPair now(from_, to_, -kInf), next(from_, to_, first_log_odds(x));
    for (std::uint32_t t = 1; now.log_odds() < kInf; ++t) {
      Step step = tilt(x, to_, now, next);  // W_t ~ W_{t-1} pi_t(M) / pi_{t-1}(M)
      now = next;

      kernel_.calibrate(x, 1);
      next = {from_, to_, next_log_odds(options_.schedule, now.log_odds(), x.share(to_), t + 1)};  // CESS(next) = CESS*
      step.resampled = resample(x, now, t);
      const MoveReport moved = kernel_.move({family_, now, 1.0, count_}, x, context_, t);

      record_.step(step, moved, x);
      keep(now, x);
      check(now, x);
    }
    return finish(std::move(x));
  }

 private:
  /// Where to start: the model `to` has no particles yet and weights cannot give it any, only jumps can. So its share
  /// must be negligible at the first step: at most what one step of the schedule may lose.
  double first_log_odds(const UnionPopulation& x) {
    const auto* cess = std::get_if<CessSchedule>(&options_.schedule);
    const auto* ess = std::get_if<EssSchedule>(&options_.schedule);
    if (cess == nullptr && ess == nullptr) return next_log_odds(options_.schedule, -kInf, 0, 1);
    const double allowed = 1 - (cess != nullptr ? cess->target : ess->target);
    double log_odds = std::log(allowed);
    for (std::uint32_t trial = 0; trial < 200; ++trial, log_odds -= 2) {
      UnionPopulation copy = x;
      const Context own{context_.streams.part(trial), context_.executor, context_.stop};
      const ModelPair pair(from_, to_, log_odds);
      const std::vector<JumpReport> jumps = jump({family_, pair, 1.0, count_}, copy, own, 0, 0);
      if (copy.share(to_) <= allowed) break;
    }
    return log_odds;
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

  void check(const ModelPair& now, const UnionPopulation& x) {
    check_progress(record_.trace(), options_, context_);
    if (now.log_odds() > 60 && x.count(to_) == 0)
      throw RunError("no jump from " + family_.name(from_) + " to " + family_.name(to_) +
                     " was accepted; the models are too far apart for relative evidence; use direct");
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
                      .particles = std::move(x.members.front().x)};
    for (std::size_t t = 1; t < link.trace.steps.size(); ++t) {
      link.log_ratio += link.trace.steps[t].log_ratio;
      link.trace.steps[t].mean = t <= share_.size() ? share_[t - 1] : 1;
      link.trace.steps[t].variance = link.trace.steps[t].mean * (1 - link.trace.steps[t].mean);
    }
    link.trace.steps.front().mean = link.trace.steps.front().variance = 0;
    return link;
  }

  const ModelFamily& family_;
  ModelIndex from_, to_;
  const SmcOptions& options_;
  Context context_;
  EvaluationCount count_;
  UnionRecorder record_;
  UnionKernel kernel_;
  std::vector<double> log_odds_, share_;
};

}  // namespace

RelativeRun relative_evidence(const ModelFamily& family, std::span<const ModelIndex> chain, const SmcOptions& options,
                              const UnionOptions& union_options, const Context& context, UnionObserver* observer) {
  if (chain.empty()) throw InputError("relative evidence needs at least one model");
  check(options);
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
