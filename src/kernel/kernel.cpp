#include "evident/kernel/kernel.hpp"

#include <string>

#include "evident/base/error.hpp"
#include "kernel/crank_nicolson.hpp"
#include "kernel/hmc.hpp"
#include "kernel/independent.hpp"
#include "kernel/mala.hpp"
#include "kernel/random_walk.hpp"

namespace evident {

KernelOptions chosen_kernel(KernelOptions options, const Model& model) {
  // Where the covariance of the particles costs more than gradients do, and says less.
  constexpr std::size_t kManyCoordinates = 50;
  if (options.kind != KernelKind::automatic) return options;
  const bool jumps = options.modes != nullptr || !options.apart.empty();
  options.kind = jumps ? KernelKind::independent : KernelKind::crank_nicolson;
  if (jumps) return options;
  if (!model.has_gradient() || model.parameters().free_size() <= kManyCoordinates) return options;
  options.kind = KernelKind::hmc;
  options.grouping = Grouping::joint;
  return options;
}

std::unique_ptr<Kernel> make_kernel(const KernelOptions& given, const Model& model) {
  const KernelOptions options = chosen_kernel(given, model);
  const bool langevin = options.kind == KernelKind::mala, hamiltonian = options.kind == KernelKind::hmc;
  if (langevin || hamiltonian) {
    const std::string name = langevin ? "mala" : "hmc";
    if (!model.has_gradient())
      throw InputError("the " + name + " kernel needs a model with a gradient, and this one has none; use random-walk");
    if (options.scale_rule == ScaleRule::manual) throw InputError("the " + name + " kernel has no manual scales");
    if (hamiltonian) return std::make_unique<Hmc>(options, model);
    return std::make_unique<Mala>(options, model);
  }
  if (options.scale_rule == ScaleRule::manual && !options.manual)
    throw InputError("manual scales need a function of alpha, and this model supplies none");
  if (options.kind == KernelKind::crank_nicolson) {
    if (options.scale_rule == ScaleRule::manual) throw InputError("the Crank-Nicolson kernel has no manual scales");
    return std::make_unique<CrankNicolson>(options, model);
  }
  if (options.kind == KernelKind::independent) {
    if (options.scale_rule == ScaleRule::manual) throw InputError("the independent kernel has no manual scales");
    return std::make_unique<Independent>(options, model);
  }
  return std::make_unique<RandomWalk>(options, model);
}

}  // namespace evident
