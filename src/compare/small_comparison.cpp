#include "compare/small_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compare/island.hpp"
#include "compare/judging.hpp"
#include "compare/mode_coverage.hpp"
#include "compare/referee.hpp"
#include "evident/base/error.hpp"
#include "judge/judge.hpp"

namespace evident {
namespace {

constexpr std::size_t kFewParticles = 128;
// Finer schedules are forecast from these; a path that begins at modes is short.
constexpr double kCoarse = 0.9, kCoarseAtModes = 0.99;
// Of the time that a forecast may take.
constexpr double kForRuns = 0.4, kForChecks = 0.2, kForNested = 0.25;

/// The schedule of the small runs, and how many steps of the wanted one stand for one of its.
double coarsen(SmcOptions& smc, double coarse) {
  auto* cess = std::get_if<CessSchedule>(&smc.schedule);
  if (cess == nullptr || cess->target <= coarse) return 1;
  // 1 - CESS grows with the square of a step.
  const double factor = std::sqrt((1 - coarse) / (1 - cess->target));
  smc.schedule = CessSchedule{coarse};
  return factor;
}

class InSmall {
 public:
  InSmall(const Model& model, const ModelCheckOptions& options, const CheckedSoFar& known, const Context& context)
      : model_(model),
        options_(options),
        known_(known),
        context_(context),
        deadline_(options.forecast_limit, known.time, context.stop),
        runs_{.smc = options.smc} {
    if (with_islands() && known.modes != nullptr) runs_.begin_at(*known.modes, model);
    out_.finer = coarsen(runs_.smc, runs_.start ? kCoarseAtModes : kCoarse);
  }

  SmallComparison compare() {
    make_runs();
    if (!out_.why_not.empty()) return std::move(out_);
    observe();
    if (with_islands()) ask_nested();
    return std::move(out_);
  }

 private:
  bool with_islands() const { return options_.islands > 0; }
  std::size_t islands() const { return with_islands() ? options_.islands : 1; }
  double seconds_for(double share) const { return std::min(share * options_.forecast_limit, deadline_.left()); }

  Context own(std::uint64_t part, const Deadline& deadline) const {
    return {context_.streams.part(part), one_thread_, deadline.token()};
  }

  SmcOptions small(std::size_t particles) const {
    SmcOptions out = runs_.smc;
    out.particles = particles;
    // Draws of the prior are no steps, so the clock does not end them.
    const double in_time = seconds_for(kForRuns) / std::max(known_.time.in_block, 1e-9);
    out.max_prior_draws = std::min(out.max_prior_draws, static_cast<std::size_t>(std::clamp(in_time, 1.0, 1e9)));
    return out;
  }

  /// Few particles, and fewer where even those would take too long.
  std::size_t few() const {
    constexpr double kUsual = 130;  // evaluations of a run, for each particle
    const bool slow = kUsual * kFewParticles * known_.time.in_block > kForRuns * options_.forecast_limit;
    return std::min(options_.smc.particles, slow ? kBlockSize : kFewParticles);
  }

  /// A pilot and an island with few particles, and then a pilot and all islands with as many as the time allows.
  void make_runs() {
    const Deadline deadline(seconds_for(kForRuns), known_.time, context_.stop);
    const std::size_t all = options_.smc.particles, least = few();
    make_pilot(least, deadline);
    if (!runs_.pilot) return;
    make_islands(least == all ? islands() : 1, deadline);
    if (least == all) return;
    constexpr double kSlower = 1.1;
    const double one = kSlower * deadline.spent() / 2 / static_cast<double>(least);
    const double fit = deadline.left() / (one * static_cast<double>(islands() + 1));
    auto more = static_cast<std::size_t>(std::clamp(fit, 0.0, static_cast<double>(all)));
    if (more < all) more -= more % kBlockSize;
    if (more >= 2 * least || more == all) {
      make_pilot(more, deadline);
      make_islands(islands(), deadline);
    } else {
      make_islands(islands() - 1, deadline);
    }
  }

  /// Takes the place of the one before only when it came to its end.
  void make_pilot(std::size_t particles, const Deadline& deadline) {
    SmallPilot made = small_pilot(model_, runs_.start.get(), small(particles), known_.time, deadline, own(1, deadline));
    if (!out_.sizes.empty() && !made.plan) return;
    out_.why_not = std::move(made.why_not);
    out_.sizes.push_back({.pilot = std::move(made.course)});
    runs_.finished.clear();
    runs_.pilot = std::move(made.plan);
  }

  void make_islands(std::size_t more, const Deadline& deadline) {
    MeasuredRuns& measured = out_.sizes.back();
    const SmcOptions smc = small(measured.particles());
    const Work& first = measured.pilot.first;
    try {
      for (std::size_t r = 0; r < more; ++r) {
        Context context = own(2, deadline);
        const auto done = static_cast<double>(runs_.finished.size());
        context.streams = context.streams.part(runs_.finished.size());
        const WorkClock clock(known_.time);
        runs::Finished f = run_island(model_, runs_.start.get(), *runs_.pilot, smc, context, nullptr);
        const auto evaluations = static_cast<double>(f.replicate.trace.evaluations);
        const auto drawn = static_cast<double>(f.replicate.trace.steps.front().evaluations);
        const double seconds = clock.seconds(evaluations) - first.seconds * drawn / std::max(first.evaluations, 1.0);
        const Work before = measured.island.value_or(Work{}) * done;
        measured.island = (before + Work{evaluations - drawn, std::max(seconds, 0.0)}) * (1 / (done + 1));
        runs_.finished.push_back(std::move(f));
      }
    } catch (const Error&) {
      deadline.check_above();
    }
  }

  /// What is looked at when the runs are done.
  void observe() {
    if (runs_.finished.empty()) return;
    const Evidenced found = evidenced(model_, runs_);
    const std::size_t beside = found.modes == nullptr ? 0 : draws_beside(runs_.finished.size() * found.particles);
    if (static_cast<double>(beside) * known_.time.in_block > seconds_for(kForChecks)) return;
    const CompareOptions compared{.islands = options_.islands};
    try {
      const WorkClock clock(known_.time);
      seen_ = observe_model(found, compared, own(3, deadline_));
      double evaluations = seen_->nan ? static_cast<double>(seen_->nan->fresh_evaluations) : 0;
      if (seen_->modes) evaluations += static_cast<double>(seen_->modes->evaluations - runs_.modes->evaluations);
      out_.checks = Work{evaluations, clock.seconds(evaluations)};
      out_.drawn_beside = beside;
    } catch (const Error&) {
      deadline_.check_above();
    }
  }

  /// The nested run beside the islands, and what judges make of it all.
  void ask_nested() {
    const std::size_t particles = out_.sizes.back().particles();
    const NestedOptions options = probe_options(particles, small(particles).max_prior_draws);
    const Deadline deadline(seconds_for(kForNested), known_.time, context_.stop);
    const auto found = small_nested(model_, options, depth(options), known_.time, deadline, own(4, deadline));
    if (!found) return;
    out_.probe = found->course.first + found->course.moves();
    out_.particles_of_probe = options.particles;
    if (!seen_ || !found->log_evidence || runs_.finished.size() < islands()) return;
    Observations& seen = seen_->seen;
    seen.probe = found->log_evidence;
    out_.asks_referee = judge(seen).ask_referee;
    if (out_.asks_referee) {
      std::uint64_t evaluations = 0;
      const Context own_context = own(5, deadline_);
      const RefereeNumbers says = Referee(model_, particles, options.max_prior_draws, own_context).ask(evaluations);
      deadline_.check_above();
      if (!deadline_.reached()) seen.referee = says;
    }
    out_.in_doubt = judge(seen).in_doubt();
  }

  /// The logarithm of the share of the prior at which a nested run ends.
  double depth(const NestedOptions& nested) const {
    const double at_least = std::log(nested.remaining);
    if (runs_.finished.empty() || runs_.finished.front().draws.log_likelihood.empty()) return at_least;
    const runs::Finished& run = runs_.finished.front();
    return at_least + run.replicate.log_evidence.value - std::ranges::max(run.draws.log_likelihood);
  }

  const Model& model_;
  const ModelCheckOptions& options_;
  const CheckedSoFar& known_;
  const Context& context_;
  const Executor one_thread_;
  const Deadline deadline_;
  ModelRuns runs_;
  std::optional<SeenModel> seen_;
  SmallComparison out_;
};

}  // namespace

SmallComparison compare_in_small(const Model& model, const ModelCheckOptions& options, const CheckedSoFar& known,
                                 const Context& context) {
  return InSmall(model, options, known, context).compare();
}

}  // namespace evident
