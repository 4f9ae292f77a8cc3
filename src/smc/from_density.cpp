#include "smc/from_density.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "proposal/quick_mixture.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kTag = 0x64656e736974;  // streams that nothing else in the run uses

}  // namespace

FromDensity::FromDensity(const Model& model, const StartDensity& start) : model_(model), start_(start) {
  for (std::size_t j = 0; j < start.dimension(); ++j)
    space_.add("z" + std::to_string(j + 1), normal(0, 1), Scale::identity);
}

// Where the prior of the model is zero its likelihood is not asked for.
void FromDensity::log_likelihood(ConstBlock z, std::span<double> out) const {
  EvaluationCount count;
  const TemperedTarget target(model_, 1.0, count);
  start_.log_density(z, out);
  BlockStorage theta(model_.parameters().size(), z.size()), inside(theta);
  AlignedVector<double> log_prior(z.size()), log_jacobian(z.size()), log_likelihood(z.size());
  target.prior(z, theta, log_prior, log_jacobian);
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (!(log_prior[i] > -kInf)) continue;
    for (std::size_t j = 0; j < theta.rows(); ++j) inside(j, which.size()) = theta(j, i);
    which.push_back(i);
  }
  if (!which.empty())
    model_.log_likelihood(inside.block().columns(0, which.size()), {log_likelihood.data(), which.size()});
  std::size_t next = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const bool here = next < which.size() && which[next] == i;
    out[i] = here ? log_prior[i] + log_likelihood[next] - out[i] : -kInf;
    next += here ? 1 : 0;
  }
}

Population FromDensity::particles_of_model(Population x) const {
  EvaluationCount count;
  const TemperedTarget target(model_, 1.0, count);
  Population out(model_, x.size());
  out.z = std::move(x.z);
  for (std::size_t first = 0; first < out.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, out.size() - first);
    target.prior(out.z.block().columns(first, n), out.theta.block().columns(first, n),
                 {out.log_prior.data() + first, n}, {out.log_jacobian.data() + first, n});
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    out.log_likelihood[i] = x.log_likelihood[i] + x.log_prior[i] - out.log_prior[i];
  out.weights = std::move(x.weights);
  out.genealogy = std::move(x.genealogy);
  out.chain = x.chain;
  return out;
}

Run from_density(const Model& model, const QuickMixture& density, const SmcOptions& options, const Context& context) {
  const QuickStart start(density);
  const FromDensity path(model, start);
  Context own = context;
  own.streams = context.streams.part(kTag);
  return direct_evidence(path, options, own);
}

}  // namespace evident
