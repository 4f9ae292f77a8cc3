#include "evident/smc/sampler.hpp"

#include "smc/temper.hpp"

namespace evident {

Run evidence_with_kernel(const Model& model, Kernel& kernel, const SmcOptions& options, const Context& context,
                         Observer* observer) {
  check(options);
  require_whole_populations(options, "a run with a kernel of its own");
  return from_prior(model, kernel, options, context, observer);
}

}  // namespace evident
