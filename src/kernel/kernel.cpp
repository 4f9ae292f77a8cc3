#include "evident/kernel/kernel.hpp"

#include "evident/base/error.hpp"
#include "kernel/crank_nicolson.hpp"
#include "kernel/mala.hpp"
#include "kernel/random_walk.hpp"

namespace evident {

std::unique_ptr<Kernel> make_kernel(const KernelOptions& options, const Model& model) {
  if (options.kind == KernelKind::mala) {
    if (!model.has_gradient())
      throw InputError("the mala kernel needs a model with a gradient, and this one has none; use random-walk");
    if (options.scale_rule == ScaleRule::manual) throw InputError("the mala kernel has no manual scales");
    return std::make_unique<Mala>(options, model);
  }
  if (options.scale_rule == ScaleRule::manual && !options.manual)
    throw InputError("manual scales need a function of alpha, and this model supplies none");
  if (options.kind == KernelKind::crank_nicolson) {
    if (options.scale_rule == ScaleRule::manual) throw InputError("the Crank-Nicolson kernel has no manual scales");
    return std::make_unique<CrankNicolson>(options, model);
  }
  return std::make_unique<RandomWalk>(options, model);
}

}  // namespace evident
