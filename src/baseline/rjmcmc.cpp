#include "baseline/rjmcmc.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "evident/base/error.hpp"
#include "smc/union_kernel.hpp"
#include "smc/union_steps.hpp"

namespace evident {
namespace {

void check(const RjmcmcOptions& options) {
  if (options.chains == 0) throw InputError("chains must be at least 1, was 0");
  if (options.burn_in < 100) throw InputError("burn_in must be at least 100: the proposals are tuned in it");
  if (options.iterations < 20) throw InputError("iterations must be at least 20: the errors come from batches of them");
  if (options.thin == 0) throw InputError("thin must be at least 1, was 0");
}

/// Shares of visits, batch by batch, and thinned draws of each model.
class VisitCounter {
 public:
  VisitCounter(const ModelFamily& family, const RjmcmcOptions& options) : family_(family), options_(options) {
    const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(options.iterations)));
    batches_ = std::clamp<std::size_t>(root, 10, 100);
  }

  void add(const UnionPopulation& x, std::size_t iteration) {
    const std::size_t batch = iteration * batches_ / options_.iterations;
    for (const UnionPopulation::Member& m : x.members) {
      Entry& entry = entries_.try_emplace(m.model, batches_, family_.model(m.model)).first->second;
      entry.visits[batch] += static_cast<double>(m.x.size());
      if (iteration % options_.thin != 0) continue;
      for (std::size_t c = 0; c < m.x.size(); ++c) entry.keep(m.x, c);
    }
  }

  std::map<ModelIndex, ModelVisits> finish() const {
    std::map<ModelIndex, ModelVisits> out;
    for (const auto& [k, entry] : entries_) {
      ModelVisits visits{.visits = 0, .share = {}, .draws = entry.draws.draws(family_.model(k))};
      const auto all = static_cast<double>(options_.iterations * options_.chains);
      double squares = 0;
      for (const double v : entry.visits) visits.visits += static_cast<std::size_t>(v);
      visits.share.value = static_cast<double>(visits.visits) / all;
      for (std::size_t b = 0; b < batches_; ++b) {
        const double difference =
            entry.visits[b] / (batch_length(b) * static_cast<double>(options_.chains)) - visits.share.value;
        squares += difference * difference;
      }
      const auto n = static_cast<double>(batches_);
      visits.share.standard_error = std::sqrt(squares / (n * (n - 1)));
      out.emplace(k, std::move(visits));
    }
    return out;
  }

 private:
  /// Iterations i with i * batches / iterations = b.
  double batch_length(std::size_t b) const {
    const auto first = [&](std::size_t batch) { return (batch * options_.iterations + batches_ - 1) / batches_; };
    return static_cast<double>(first(b + 1) - first(b));
  }

  struct Entry {
    static constexpr std::size_t kDraws = 4096;
    Entry(std::size_t batches, const Model& model) : visits(batches, 0.0), draws(model, kDraws) {}

    /// Every stride-th draw; when the store is full, every second one goes and the stride doubles.
    void keep(const Population& x, std::size_t column) {
      if (seen++ % stride != 0) return;
      if (draws.size() == kDraws) {
        draws.halve();
        stride *= 2;
      }
      draws.add(x, column);
    }

    std::vector<double> visits;  ///< chains x iterations in this model, by batch
    DrawBuffer draws;
    std::size_t seen = 0, stride = 1;
  };

  const ModelFamily& family_;
  const RjmcmcOptions& options_;
  std::size_t batches_;
  std::map<ModelIndex, Entry> entries_;
};

/// The likelihood is let in slowly, so that no chain starts stuck where its draw from the prior was.
double alpha_in_burn_in(std::size_t iteration, std::size_t burn_in) {
  const double part = static_cast<double>(iteration + 1) / (0.3 * static_cast<double>(burn_in));
  return part >= 1 ? 1 : part * part * part;
}

}  // namespace

RjmcmcRun rjmcmc(const ModelFamily& family, const RjmcmcOptions& options, const UnionOptions& union_options,
                 const Context& context) {
  check(options);
  const auto start = std::chrono::steady_clock::now();
  EvaluationCount count;
  UnionPopulation x = draw_initial(family, {.particles = options.chains}, context, count);
  UnionKernel kernel(options.kernel, union_options, family);
  kernel.calibrate(x, 0);

  std::uint32_t step = 0;
  for (std::size_t i = 0; i < options.burn_in; ++i) {
    const double alpha = alpha_in_burn_in(i, options.burn_in);
    kernel.move({family, family.prior(), alpha, count}, x, context, ++step);
    kernel.calibrate(x, alpha);  // for the last time at the end of the burn-in
    if (context.stop.stop_requested()) throw RunError("stopped before the end");
  }

  kernel.reset_jumps();
  RjmcmcRun run;
  VisitCounter visits(family, options);
  for (std::size_t i = 0; i < options.iterations; ++i) {
    run.acceptance += kernel.move({family, family.prior(), 1.0, count}, x, context, ++step).acceptance;
    visits.add(x, i);
    if (context.stop.stop_requested()) throw RunError("stopped before the end");
  }
  run.acceptance /= static_cast<double>(options.iterations);
  run.visits = visits.finish();
  run.jumps = kernel.jumps();
  run.evaluations = count.total;
  run.nan_evaluations = count.nan;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return run;
}

}  // namespace evident
