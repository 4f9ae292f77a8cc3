// Data tempering is direct evidence once for each observation: what the earlier ones left is the prior.
#include "smc/data_tempering.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/evidence/estimate.hpp"
#include "smc/first_particles.hpp"
#include "smc/recorder.hpp"
#include "smc/steps.hpp"
#include "smc/temper.hpp"
#include "smc/waste_free.hpp"

namespace evident {
namespace {

/// The model as observation `seen` finds it: prior and earlier observations are its prior. It has neither a gradient
/// nor moves of its own, because the model's belong to the whole likelihood.
class NextObservation final : public Model {
 public:
  NextObservation(const Model& model, std::size_t seen) : model_(model), seen_(seen) {}

  const ParameterSpace& parameters() const override { return model_.parameters(); }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    model_.log_likelihood_of(theta, seen_, 1, out);
  }
  void draw_prior(const Streams& streams, std::uint32_t first, Block theta) const override {
    model_.draw_prior(streams, first, theta);
  }
  void log_prior(ConstBlock theta, std::span<double> out) const override {
    model_.log_prior(theta, out);
    if (seen_ == 0) return;
    AlignedVector<double> earlier(theta.size());
    model_.log_likelihood_of(theta, 0, seen_, earlier);
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] += earlier[i];
  }
  bool has_initial() const override { return model_.has_initial(); }
  void draw_initial(const Streams& streams, std::uint32_t first, Block theta) const override {
    model_.draw_initial(streams, first, theta);
  }
  void log_initial(ConstBlock theta, std::span<double> out) const override { model_.log_initial(theta, out); }
  std::vector<std::vector<std::size_t>> groups() const override { return model_.groups(); }

 private:
  const Model& model_;
  std::size_t seen_;
};

/// Calls f(first particle, their number) for each block, on all threads.
template <class F>
void for_blocks(const Context& context, std::size_t particles, const F& f) {
  context.executor.for_each(block_count(particles), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize;
    f(first, std::min(kBlockSize, particles - first));
  });
}

/// What was the likelihood becomes part of the prior, and that of the next observation takes its place.
void advance(const NextObservation& next, std::size_t observation, Population& x, const Context& context,
             EvaluationCount& count) {
  EvaluationCount single;  // of one observation only, so not counted with the others
  const TemperedTarget target(next, 0.0, single);
  for (std::size_t i = 0; i < x.size(); ++i) x.log_prior[i] += x.log_likelihood[i];
  for_blocks(context, x.size(), [&](std::size_t first, std::size_t n) {
    target.likelihood(x.theta.block().columns(first, n), {x.log_likelihood.data() + first, n});
  });
  count.nan += single.nan;
  bool possible = false;
  for (std::size_t i = 0; i < x.size(); ++i) possible |= x.weights.values()[i] > 0 && x.log_likelihood[i] > -kInf;
  if (!possible)
    throw RunError("observation " + std::to_string(observation + 1) +
                   " has zero likelihood (log likelihood -inf) at all particles that the earlier ones left");
}

/// At the end the particles look like those of any run: the prior without data, the likelihood of all of them.
void restore(const Model& model, Population& x, const Context& context, EvaluationCount& count) {
  const TemperedTarget target(model, 1.0, count);
  for_blocks(context, x.size(), [&](std::size_t first, std::size_t n) {
    const ConstBlock theta = x.theta.block().columns(first, n);
    model.log_prior(theta, {x.log_prior.data() + first, n});
    for (std::size_t i = first; i < first + n; ++i) x.log_prior[i] += x.log_jacobian[i];
    target.likelihood(theta, {x.log_likelihood.data() + first, n});
  });
}

double sum_of_ratios(const Trace& trace, std::size_t from) {
  double sum = 0;
  for (std::size_t t = from; t < trace.steps.size(); ++t) sum += trace.steps[t].log_ratio;
  return sum;
}

}  // namespace

double DataTemperingRun::log_evidence() const {
  return std::accumulate(log_predictive.begin(), log_predictive.end(), 0.0);
}

DataTemperingRun data_tempering(const Model& model, const SmcOptions& options, const Context& given,
                                Observer* observer) {
  // The particles stay together: one observation's likelihood is cheap.
  const Context context{given.streams, given.executor, given.stop};
  check(options);
  const std::size_t observations = model.observation_count();
  if (!model.has_sequence() || observations == 0)
    throw InputError("data tempering needs a model that can take its observations one by one, and this one cannot");
  const auto share = [&](std::size_t seen) { return static_cast<double>(seen) / static_cast<double>(observations); };
  EvaluationCount count;
  Recorder record(options, count, observer);

  const NextObservation first(model, 0);
  FirstParticles drawn = draw_initial(first, options, context, count);
  Population x = std::move(drawn.x);
  record.initial(x, drawn.log_factor + weight_initial(first, x), drawn.draws);
  resample_if_needed(x, options, context, 0);
  const std::unique_ptr<Kernel> kernel = make_mover(make_kernel(options.kernel, first), options);

  std::vector<double> log_predictive;
  for (std::size_t seen = 0; seen < observations; ++seen) {
    const NextObservation next(model, seen);
    const Context own{context.streams.part(seen + 1), context.executor, context.stop};
    if (seen > 0) advance(next, seen, x, own, count);
    const std::size_t steps = record.trace().steps.size();
    temper(next, x, {options, own, count, *kernel, record, share(seen), share(seen + 1), MoveWhen::resampled});
    log_predictive.push_back(sum_of_ratios(record.trace(), steps));
  }
  log_predictive[0] += record.trace().log_initial;
  restore(model, x, context, count);
  Trace trace = record.finish();
  trace.evaluations = count.total;
  trace.nan_evaluations = count.nan;
  trace.generations = x.genealogy.finish(x.weights.values());
  return {std::move(trace), std::move(log_predictive), std::move(x)};
}

}  // namespace evident
