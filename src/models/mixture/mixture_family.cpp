#include "models/mixture/mixture_family.hpp"

#include <mutex>

#include "evident/base/error.hpp"
#include "models/mixture/jumps.hpp"

namespace evident {
namespace {

GaussianMixtureOptions with_components(GaussianMixtureOptions options, std::size_t k) {
  options.components = k;
  return options;
}

}  // namespace

MixtureFamily::MixtureFamily(const GaussianMixtureOptions& options, std::vector<double> observations,
                             std::shared_ptr<const ModelPrior> prior)
    : prior_(std::move(prior)), one_(with_components(options, 1), std::move(observations)) {
  if (!prior_) throw InputError("a family of mixtures needs a prior for the number of components");
  jumps_.push_back(mixture::make_split(options.labels));
  jumps_.push_back(mixture::make_birth(one_.options()));
}

const GaussianMixture& MixtureFamily::mixture(ModelIndex k) const {
  if (k == 1) return one_;
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = made_.find(k); found != made_.end()) return *found->second;
  }
  const std::unique_lock lock(mutex_);
  auto& slot = made_[k];
  if (!slot) slot = std::make_unique<GaussianMixture>(with_components(one_.options(), k), one_.observations());
  return *slot;
}

std::string MixtureFamily::name(ModelIndex k) const {
  return k == 1 ? "1 component" : std::to_string(k) + " components";
}

}  // namespace evident
