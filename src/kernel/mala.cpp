#include "kernel/mala.hpp"

#include <cmath>

#include "kernel/add_root.hpp"
#include "kernel/langevin.hpp"

namespace evident {
namespace {

// Storage of a block that the kernel works with.
enum MalaExtra : std::size_t { kGradient, kDrift, kNextDrift, kJump, kNextGradient };

}  // namespace

// Langevin proposals are best near an acceptance of 0.57.
Mala::Mala(const KernelOptions& options, const Model& model)
    : GroupedKernel(with_band(options, 0.4, 0.8), model, one_way(grouped_rows(Grouping::joint, model))) {}

double Mala::default_scale(const Group& group) const {
  return 1.65 / std::pow(static_cast<double>(group.rows.size()), 1.0 / 6);
}

void Mala::whitened_drift(const Proposing& from, ConstBlock gradient, Block out) {
  const std::size_t d = gradient.rows(), n = gradient.size();
  whiten_gradient(from.shape.root, gradient, out);
  for (std::size_t i = 0; i < n; ++i) {
    const double h = from.factor == nullptr ? from.group.scale : from.group.scale * from.factor[i];
    const double half = 0.5 * h * h, longest = h * std::sqrt(static_cast<double>(d));
    double squares = 0;
    for (std::size_t j = 0; j < d; ++j) squares += out(j, i) * out(j, i);
    const double length = half * std::sqrt(squares);
    const double factor = length > longest ? half * longest / length : half;
    for (std::size_t j = 0; j < d; ++j) out(j, i) *= factor;
  }
}

void Mala::propose(const Proposing& from, Scratch& s) const {
  const std::size_t d = from.group.rows.size(), n = from.p.size;
  const Block gradient = s.extra(kGradient, d).block().columns(0, n), drift = s.extra(kDrift, d).block().columns(0, n);
  BlockStorage& jump = s.extra(kJump, d);
  from.context.streams.fill_normal(from.id, s.noise.block().columns(0, n));
  if (from.again)
    take_accepted(s, s.extra(kNextGradient, d), gradient);
  else
    from.target.gradient(from.p.z, from.p.theta, gradient);
  whitened_drift(from, gradient, drift);
  const double scale = from.group.scale;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const double h = from.factor == nullptr ? scale : scale * from.factor[i];
      jump(j, i) = drift(j, i) + h * s.noise(j, i);
    }
  add_root({from.group.rows, from.shape.root}, from.p, jump, s.z);
}

const double* Mala::log_correction(const Proposing& from, Scratch& s) const {
  const std::size_t d = from.group.rows.size(), n = from.p.size;
  const Block gradient = s.extra(kNextGradient, d).block().columns(0, n);
  const Block next_drift = s.extra(kNextDrift, d).block().columns(0, n);
  const BlockStorage& jump = s.extra(kJump, d);
  from.target.gradient(s.z.block().columns(0, n), s.theta.block().columns(0, n), gradient);
  whitened_drift(from, gradient, next_drift);
  // The way back would need the noise (-jump - next_drift) / step.
  for (std::size_t i = 0; i < n; ++i) {
    const double h = from.factor == nullptr ? from.group.scale : from.group.scale * from.factor[i];
    double forward = 0, backward = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const double back = (jump(j, i) + next_drift(j, i)) / h;
      forward += s.noise(j, i) * s.noise(j, i);
      backward += back * back;
      s.noise(j, i) = jump(j, i) / h;
    }
    s.correction[i] = 0.5 * (forward - backward);
  }
  return s.correction.data();
}

}  // namespace evident
