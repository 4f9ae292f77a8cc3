// The paper's Algorithms 2 and 4. docs/algorithm.md sets the lines of the paper beside the lines of this file.
#include "evident/smc/sampler.hpp"

#include "smc/recorder.hpp"
#include "smc/run_notes.hpp"
#include "smc/steps.hpp"
#include "smc/temper.hpp"
#include "smc/waste_free.hpp"

namespace evident {

namespace {

Population start(const Model& model, const SmcOptions& options, const Context& context, EvaluationCount& count,
                 Recorder& record) {
  Population x = draw_initial(model, options, context, count);  // theta_0 ~ nu
  record.initial(x, weight_initial(model, x));                  // W_0 = prior / nu
  resample_if_needed(x, options, context, 0);
  return x;
}

}  // namespace

Run from_prior(const Model& model, Kernel& kernel, const SmcOptions& options, const Context& context,
               Observer* observer) {
  EvaluationCount count;
  Recorder record(options, count, observer);

  RunNotes notes(options, context);
  std::optional<Population> noted = notes.read(model, kernel, count, record);
  Population x = noted ? std::move(*noted) : start(model, options, context, count, record);
  temper(model, x,  // alpha from 0 to 1
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
