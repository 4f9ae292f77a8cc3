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
  std::size_t inside = 0;
  for (std::size_t i = 0; i < n; ++i) {
    s.inside[inside] = static_cast<std::uint32_t>(i);
    inside += s.log_prior[i] > -kInf ? 1 : 0;
  }
  if (inside == n) {
    target.likelihood(theta, {s.log_likelihood.data(), n});
    return;
  }
  std::fill_n(s.log_likelihood.begin(), n, -kInf);
  if (inside == 0) return;
  for (std::size_t j = 0; j < theta.rows(); ++j) {
    const double* from = theta.row_data(j);
    double* to = s.compact.row(j).data();
    for (std::size_t k = 0; k < inside; ++k) to[k] = from[s.inside[k]];
  }
  target.likelihood(s.compact.block().columns(0, inside), {s.compact_likelihood.data(), inside});
  for (std::size_t k = 0; k < inside; ++k) s.log_likelihood[s.inside[k]] = s.compact_likelihood[k];
}

namespace {

void blend_rows(const double* mask, std::size_t n, std::span<const std::size_t> rows, const BlockStorage& from,
                Block to) {
  const auto one = [&](std::size_t j) { vector_math::blend(mask, from.row(j).data(), to.row_data(j), n); };
  if (rows.empty()) {
    for (std::size_t j = 0; j < to.rows(); ++j) one(j);
  } else {
    for (const std::size_t j : rows) one(j);
  }
}

void log_ratios(const TemperedTarget& target, const Particles& p, Scratch& s) {
  const double alpha = target.alpha(), threshold = target.threshold();
  if (target.restricted()) {
    for (std::size_t i = 0; i < p.size; ++i)
      s.log_ratio[i] = s.log_likelihood[i] > threshold ? s.log_prior[i] - p.log_prior[i] : -kInf;
  } else {
    for (std::size_t i = 0; i < p.size; ++i)
      s.log_ratio[i] = s.log_prior[i] - p.log_prior[i] + alpha * (s.log_likelihood[i] - p.log_likelihood[i]);
  }
}

}  // namespace

std::size_t accept_or_reject(const TemperedTarget& target, const Streams& streams, const Decision& decision,
                             const Particles& p, Scratch& s) {
  const std::size_t n = p.size;
  const std::size_t turn = decision.number % 2;
  if (turn == 0)
    streams.fill_uniform({.step = decision.step,
                          .particle = static_cast<std::uint32_t>(p.first),
                          .purpose = Purpose::accept,
                          .pass = decision.number / 2},
                         s.uniform.block().columns(0, n));
  log_ratios(target, p, s);
  if (decision.log_correction != nullptr)
    for (std::size_t i = 0; i < n; ++i) s.log_ratio[i] += decision.log_correction[i];
  const std::size_t accepted = vector_math::accept(s.uniform.row(turn).data(), s.log_ratio.data(), s.mask.data(), n);
  if (accepted == 0) return 0;
  const double* mask = s.mask.data();
  // Rows of z and theta correspond only when every parameter has one coordinate, and none depends on another.
  blend_rows(mask, n, decision.rows, s.z, p.z);
  blend_rows(mask, n, {}, s.theta, p.theta);
  vector_math::blend(mask, s.log_prior.data(), p.log_prior, n);
  vector_math::blend(mask, s.log_jacobian.data(), p.log_jacobian, n);
  vector_math::blend(mask, s.log_likelihood.data(), p.log_likelihood, n);
  return accepted;
}

}  // namespace evident
