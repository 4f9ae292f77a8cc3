// The paper's Algorithms 2 and 4. docs/algorithm.md sets the lines of the paper beside the lines of this file.
#include "evident/smc/sampler.hpp"

#include "smc/first_particles.hpp"
#include "smc/recorder.hpp"
#include "smc/run_notes.hpp"
#include "smc/steps.hpp"
#include "smc/temper.hpp"
#include "smc/waste_free.hpp"

namespace evident {

namespace {

Population start(const Model& model, const SmcOptions& options, const Context& context, EvaluationCount& count,
                 WhenNone when_none, Recorder& record) {
  FirstParticles first = draw_initial(model, options, context, count, when_none);  // theta_0 ~ nu
  const bool any = first.any_possible();
  Population x = std::move(first.x);
  record.initial(x, first.log_factor + weight_initial(model, x), first.draws);  // W_0 = prior / nu
  if (any) resample_if_needed(x, options, context, 0);
  return x;
}

/// No particle can go any way: the evidence is 0.
bool ends_at_once(const Trace& trace) { return trace.first.made > 0 && trace.first.possible == 0; }

}  // namespace

Run from_prior(const Model& model, Kernel& kernel, const SmcOptions& options, const Context& context,
               Observer* observer, WhenNone when_none) {
  EvaluationCount count;
  Recorder record(options, count, observer);

  RunNotes notes(options, context);
  std::optional<Population> noted = notes.read(model, kernel, count, record);
  Population x = noted ? std::move(*noted) : start(model, options, context, count, when_none, record);
  if (ends_at_once(record.trace()))
    record.step({.alpha = 1, .log_ratio = -kInf}, {}, x);
  else
    temper(
        model, x,  // alpha from 0 to 1
        {.options = options, .context = context, .count = count, .kernel = kernel, .record = record, .notes = &notes});
  x.gather();
  Trace trace = record.finish();
  trace.generations = x.genealogy.finish(x.weights.values());
  return {std::move(trace), std::move(x)};
}

Run direct_evidence(const Model& model, const SmcOptions& options, const Context& context, Observer* observer) {
  check(options);
  return from_prior(model, *make_mover(make_kernel(options.kernel, model), options), options, context, observer);
}

}  // namespace evident
