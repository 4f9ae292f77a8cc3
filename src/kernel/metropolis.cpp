#include "kernel/metropolis.hpp"

#include <algorithm>

#include "base/vector_math.hpp"
#include "evident/base/log_math.hpp"

namespace evident {

Particles::Particles(Population& x, std::size_t block)
    : first(block * kBlockSize),
      size(std::min(kBlockSize, x.size() - first)),
      z(x.z.block().columns(first, size)),
      theta(x.theta.block().columns(first, size)),
      log_prior(x.log_prior.data() + first),
      log_jacobian(x.log_jacobian.data() + first),
      log_likelihood(x.log_likelihood.data() + first) {}

void evaluate_proposals(const TemperedTarget& target, std::size_t n, Scratch& s) {
  const Block theta = s.theta.block().columns(0, n);
  target.prior(s.z.block().columns(0, n), theta, {s.log_prior.data(), n}, {s.log_jacobian.data(), n});
  const auto inside = static_cast<std::size_t>(
      std::count_if(s.log_prior.begin(), s.log_prior.begin() + n, [](double lp) { return lp > -kInf; }));
  if (inside == n) {
    target.likelihood(theta, {s.log_likelihood.data(), n});
    return;
  }
  std::fill_n(s.log_likelihood.begin(), n, -kInf);
  if (inside == 0) return;
  const Block compact = s.compact.block().columns(0, inside);
  std::size_t to = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(s.log_prior[i] > -kInf)) continue;
    for (std::size_t j = 0; j < theta.rows(); ++j) compact(j, to) = theta(j, i);
    ++to;
  }
  target.likelihood(compact, {s.compact_likelihood.data(), inside});
  to = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (s.log_prior[i] > -kInf) s.log_likelihood[i] = s.compact_likelihood[to++];
}

std::size_t accept_or_reject(const TemperedTarget& target, const Streams& streams, const DrawIdentity& id,
                             const double* log_correction, const Particles& p, Scratch& s) {
  const std::size_t n = p.size;
  streams.fill_uniform(id, s.uniform.block().columns(0, n));
  const double alpha = target.alpha();
  for (std::size_t i = 0; i < n; ++i)
    s.log_ratio[i] = s.log_prior[i] - p.log_prior[i] + alpha * (s.log_likelihood[i] - p.log_likelihood[i]);
  if (log_correction != nullptr)
    for (std::size_t i = 0; i < n; ++i) s.log_ratio[i] += log_correction[i];
  const std::size_t accepted = vector_math::accept(s.uniform.row(0).data(), s.log_ratio.data(), s.mask.data(), n);
  if (accepted == 0) return 0;
  const double* mask = s.mask.data();
  for (std::size_t j = 0; j < p.z.rows(); ++j) vector_math::blend(mask, s.z.row(j).data(), p.z.row_data(j), n);
  for (std::size_t j = 0; j < p.theta.rows(); ++j)
    vector_math::blend(mask, s.theta.row(j).data(), p.theta.row_data(j), n);
  vector_math::blend(mask, s.log_prior.data(), p.log_prior, n);
  vector_math::blend(mask, s.log_jacobian.data(), p.log_jacobian, n);
  vector_math::blend(mask, s.log_likelihood.data(), p.log_likelihood, n);
  return accepted;
}

}  // namespace evident
