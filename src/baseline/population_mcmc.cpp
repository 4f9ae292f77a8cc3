#include "baseline/population_mcmc.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "baseline/columns.hpp"
#include "baseline/ladder.hpp"
#include "baseline/ladder_record.hpp"
#include "baseline/rung.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr std::size_t kMostDraws = 2000;
constexpr std::uint32_t kOfLadders = 0xFFFFFFFFU;  // the particle of draws that belong to no ladder

void check(const PopulationMcmcOptions& o) {
  const auto range = [](bool ok, const char* name, std::size_t was, const char* text) {
    if (!ok) throw InputError(std::string(name) + " of population MCMC must " + text + ", was " + std::to_string(was));
  };
  range(o.chains >= 2 && o.chains <= 100000, "chains", o.chains, "lie between 2 and 100000");
  range(o.iterations >= 2, "iterations", o.iterations, "be at least 2");
  range(o.burn_in + o.iterations < 0xFFFFFFFFU, "iterations", o.iterations, "be below 2^32 with the burn-in");
  range(o.ladders >= 1 && o.ladders <= 1000000, "ladders", o.ladders, "lie between 1 and 1000000");
  range(o.kernel.passes >= 1 && o.kernel.passes <= 10000, "passes", o.kernel.passes, "lie between 1 and 10000");
}

double exchange_probability(double alpha, double above, double l, double l_above) {
  const double log_ratio = (alpha - above) * (l_above - l);
  return log_ratio >= 0 ? 1.0 : std::isnan(log_ratio) ? 0.0 : std::exp(log_ratio);
}

class Sampler {
 public:
  Sampler(const Model& model, const PopulationMcmcOptions& options, const Context& context)
      : options_(options), context_(context), alone_(1, context.stop) {
    const std::vector<double> alphas = ladder(options.ladder, options.chains);
    // Moves of one chain during the burn-in, and from that the time between two calibrations.
    const std::size_t moves = options.update == ChainUpdate::serial ? options.burn_in / alphas.size() : options.burn_in;
    const std::size_t period = std::clamp<std::size_t>(moves / 50, 10, 200);
    rungs_.resize(alphas.size());
    context.executor.for_each(alphas.size(), [&](std::size_t r) {
      rungs_[r] = std::make_unique<Rung>(model, options.kernel, alphas[r], options.ladders, period,
                                         context.streams.part(r + 1), count_);
    });
    reset_tallies();
  }

  void iterate(std::uint32_t iteration, bool learn) {
    const Context inner{context_.streams, alone_, context_.stop};
    Stream random = context_.streams.at({.step = iteration, .particle = kOfLadders, .purpose = Purpose::jump});
    if (options_.update == ChainUpdate::parallel) {
      context_.executor.for_each(rungs_.size(), [&](std::size_t r) { move(r, inner, iteration, learn); });
    } else {
      const auto rungs = static_cast<double>(rungs_.size());
      const auto r = static_cast<std::size_t>(random.uniform() * rungs);
      move(std::min(r, rungs_.size() - 1), inner, iteration, learn);
    }
    exchange(iteration);
    if (iteration % 16 == 0 && context_.stop.stop_requested()) throw RunError("stopped before the end");
  }

  /// Ends a stretch of iterations: rates are counted from 0 again.
  void reset_tallies() {
    accepted_.assign(rungs_.size(), 0.0);
    moves_.assign(rungs_.size(), 0);
    exchanged_.assign(rungs_.size() - 1, 0.0);
    exchanges_ = 0;
  }

  std::vector<double> alphas() const {
    std::vector<double> out;
    for (const auto& rung : rungs_) out.push_back(rung->alpha());
    return out;
  }
  std::vector<double> exchange_acceptance() const {
    std::vector<double> out = exchanged_;
    for (double& v : out) v /= static_cast<double>(std::max<std::size_t>(exchanges_, 1));
    return out;
  }
  std::vector<double> acceptance() const {
    std::vector<double> out = accepted_;
    for (std::size_t r = 0; r < out.size(); ++r) out[r] /= static_cast<double>(std::max<std::size_t>(moves_[r], 1));
    return out;
  }

  void respace() {
    std::vector<double> rejection = exchange_acceptance();
    for (double& v : rejection) v = 1 - v;
    const std::vector<double> next = respaced(alphas(), rejection);
    for (std::size_t r = 0; r < next.size(); ++r) rungs_[r]->set_alpha(next[r]);
    reset_tallies();
  }

  const Rung& rung(std::size_t r) const { return *rungs_[r]; }
  std::size_t size() const { return rungs_.size(); }
  const EvaluationCount& count() const { return count_; }

 private:
  void move(std::size_t r, const Context& inner, std::uint32_t iteration, bool learn) {
    accepted_[r] += rungs_[r]->move(inner, iteration, learn);
    ++moves_[r];
  }

  // The rates of all neighbours are noted, whichever of them are tried.
  void exchange(std::uint32_t iteration) {
    const std::size_t pairs = rungs_.size() - 1;
    std::vector<double> chance(pairs);
    for (std::size_t i = 0; i < options_.ladders; ++i) {
      Stream random =
          context_.streams.at({.step = iteration, .particle = static_cast<std::uint32_t>(i), .purpose = Purpose::jump});
      for (std::size_t c = 0; c < pairs; ++c) {
        chance[c] =
            exchange_probability(rungs_[c]->alpha(), rungs_[c + 1]->alpha(), rungs_[c]->chains().log_likelihood[i],
                                 rungs_[c + 1]->chains().log_likelihood[i]);
        exchanged_[c] += chance[c];
      }
      const auto pick = static_cast<std::size_t>(random.uniform() * static_cast<double>(pairs));
      const bool one = options_.exchange == ExchangeScheme::one;
      for (std::size_t c = one ? std::min(pick, pairs - 1) : iteration % 2; c < pairs; c += one ? pairs : 2)
        if (random.uniform() < chance[c]) swap_particles(rungs_[c]->chains(), i, rungs_[c + 1]->chains(), i);
    }
    exchanges_ += options_.ladders;
  }

  const PopulationMcmcOptions& options_;
  const Context& context_;
  Executor alone_;  ///< threads work on rungs; within a rung there is nothing left to share out
  EvaluationCount count_;
  std::vector<std::unique_ptr<Rung>> rungs_;
  std::vector<double> accepted_, exchanged_;
  std::vector<std::size_t> moves_;
  std::size_t exchanges_ = 0;
};

// After 1/32, 1/16, 1/8, 1/4 and 1/2 of the burn-in: each stretch is long enough to mend the ladder of the one before.
bool time_to_respace(std::size_t done, std::size_t burn_in) {
  for (const std::size_t part : {32, 16, 8, 4, 2})
    if (burn_in >= part && done == burn_in / part) return true;
  return false;
}

std::string whole_percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + "%"; }

void warn(PopulationMcmcRun& run) {
  const auto least = std::min_element(run.exchange_acceptance.begin(), run.exchange_acceptance.end());
  if (*least < 0.05) {
    const auto c = static_cast<std::size_t>(least - run.exchange_acceptance.begin());
    run.warnings.push_back("exchanges between alpha = " + std::to_string(run.alphas[c]) + " and " +
                           std::to_string(run.alphas[c + 1]) + " are accepted in only " + whole_percent(*least) +
                           " of the attempts: use more chains");
  }
  if (run.start > 0)
    run.warnings.push_back("the log likelihood is too wild to integrate below alpha = " +
                           std::to_string(run.alphas[run.start]) + "; stepping stones are used there");
  if (20 * run.nan_evaluations > run.evaluations)
    run.warnings.push_back("the log likelihood was NaN in " + std::to_string(run.nan_evaluations) + " of " +
                           std::to_string(run.evaluations) + " evaluations");
}

}  // namespace

PopulationMcmcRun population_mcmc(const Model& model, const PopulationMcmcOptions& options, const Context& context) {
  check(options);
  const auto begin = std::chrono::steady_clock::now();
  Sampler sampler(model, options, context);
  std::uint32_t iteration = 1;
  for (std::size_t t = 1; t <= options.burn_in; ++t, ++iteration) {
    sampler.iterate(iteration, true);
    if (options.adaptive_ladder && time_to_respace(t, options.burn_in)) sampler.respace();
  }
  sampler.reset_tallies();

  const std::size_t all = options.iterations * options.ladders;
  const std::size_t thin = std::max<std::size_t>(1, (all + kMostDraws - 1) / kMostDraws);
  const std::size_t stride = std::min(thin, options.iterations);
  PopulationMcmcRun run{.draws = Population(model, options.iterations / stride * options.ladders)};
  LadderRecord record(sampler.alphas(), options.ladders, options.iterations);
  for (std::size_t t = 0; t < options.iterations; ++t, ++iteration) {
    sampler.iterate(iteration, false);
    for (std::size_t r = 0; r < sampler.size(); ++r)
      for (std::size_t i = 0; i < options.ladders; ++i) record.add(t, i, r, sampler.rung(r).chains().log_likelihood[i]);
    if ((t + 1) % stride == 0)
      for (std::size_t i = 0; i < options.ladders; ++i)
        copy_particle(sampler.rung(sampler.size() - 1).chains(), i, run.draws, t / stride * options.ladders + i);
  }

  record.finish(run);
  run.acceptance = sampler.acceptance();
  run.exchange_acceptance = sampler.exchange_acceptance();
  run.trace.evaluations = run.evaluations = sampler.count().total;
  run.trace.nan_evaluations = run.nan_evaluations = sampler.count().nan;
  for (std::size_t r = 0; r < run.trace.steps.size(); ++r) run.trace.steps[r].acceptance = run.acceptance[r];
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  warn(run);
  return run;
}

}  // namespace evident
