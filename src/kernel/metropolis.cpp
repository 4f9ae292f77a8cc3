#include "kernel/metropolis.hpp"

#include <algorithm>

#include "base/random_fill.hpp"
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
  const std::size_t inside =
      target.prior(s.z.block().columns(0, n), theta, {s.log_prior.data(), n}, {s.log_jacobian.data(), n});
  if (inside == n) {
    target.likelihood(theta, {s.log_likelihood.data(), n});
    return;
  }
  std::fill_n(s.log_likelihood.begin(), n, -kInf);
  if (inside == 0) return;
  for (std::size_t i = 0, k = 0; k < inside; ++i) {
    s.inside[k] = static_cast<std::uint32_t>(i);
    k += s.log_prior[i] > -kInf ? 1 : 0;
  }
  for (std::size_t j = 0; j < theta.rows(); ++j) {
    const double* from = theta.row_data(j);
    double* to = s.compact.row(j).data();
    for (std::size_t k = 0; k < inside; ++k) to[k] = from[s.inside[k]];
  }
  target.likelihood(s.compact.block().columns(0, inside), {s.compact_likelihood.data(), inside});
  for (std::size_t k = 0; k < inside; ++k) s.log_likelihood[s.inside[k]] = s.compact_likelihood[k];
}

namespace {

// Rows of z and theta correspond only when every parameter has one coordinate, and none depends on another: of theta
// all are taken.
void take_accepted(std::span<const std::size_t> rows, const Particles& p, Scratch& s) {
  s.changed_from.clear();
  s.changed_to.clear();
  const auto add = [&](const double* from, double* to) {
    s.changed_from.push_back(from);
    s.changed_to.push_back(to);
  };
  for (std::size_t k = 0; k < (rows.empty() ? p.z.rows() : rows.size()); ++k) {
    const std::size_t j = rows.empty() ? k : rows[k];
    add(s.z.row(j).data(), p.z.row_data(j));
  }
  for (std::size_t j = 0; j < p.theta.rows(); ++j) add(s.theta.row(j).data(), p.theta.row_data(j));
  add(s.log_prior.data(), p.log_prior);
  add(s.log_jacobian.data(), p.log_jacobian);
  add(s.log_likelihood.data(), p.log_likelihood);
  vector_math::blend_rows(s.mask.data(), s.changed_from.data(), s.changed_to.data(), s.changed_to.size(), p.size);
}

void log_ratios(const TemperedTarget& target, const Particles& p, Scratch& s) {
  const double threshold = target.threshold();
  if (target.restricted()) {
    for (std::size_t i = 0; i < p.size; ++i)
      s.log_ratio[i] = s.log_likelihood[i] > threshold ? s.log_prior[i] - p.log_prior[i] : -kInf;
  } else {
    vector_math::tempered_ratio({s.log_prior.data(), s.log_likelihood.data()}, {p.log_prior, p.log_likelihood},
                                target.alpha(), s.log_ratio.data(), p.size);
  }
}

std::size_t decide(const TemperedTarget& target, const double* log_correction, const double* u, const Particles& p,
                   Scratch& s) {
  if (log_correction == nullptr && !target.restricted())
    return vector_math::accept_tempered({s.log_prior.data(), s.log_likelihood.data()}, {p.log_prior, p.log_likelihood},
                                        target.alpha(), u, s.mask.data(), p.size);
  log_ratios(target, p, s);
  for (std::size_t i = 0; log_correction != nullptr && i < p.size; ++i) s.log_ratio[i] += log_correction[i];
  return vector_math::accept(u, s.log_ratio.data(), s.mask.data(), p.size);
}

}  // namespace

std::size_t accept_or_reject(const TemperedTarget& target, const Streams& streams, const Decision& decision,
                             const Particles& p, Scratch& s) {
  const std::size_t n = p.size;
  DrawIdentity id{
      .step = decision.step, .particle = static_cast<std::uint32_t>(p.first), .purpose = Purpose::accept, .pass = 0};
  std::size_t turn = 0;
  if (target.quick() != nullptr) {
    id.pass = decision.number;
    random_fill::rough_uniform(streams.key(), id, s.uniform.row(0).data(), n);
  } else {
    turn = decision.number % 2;
    id.pass = decision.number / 2;
    if (turn == 0) streams.fill_uniform(id, s.uniform.block().columns(0, n));
  }
  const std::size_t accepted = decide(target, decision.log_correction, s.uniform.row(turn).data(), p, s);
  if (accepted == 0) return 0;
  take_accepted(decision.rows, p, s);
  return accepted;
}

}  // namespace evident
