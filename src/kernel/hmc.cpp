#include "kernel/hmc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "evident/base/log_math.hpp"
#include "kernel/add_root.hpp"
#include "kernel/langevin.hpp"

namespace evident {
namespace {

// Storage of a block that the kernel works with. Gradients are whitened, but for kRaw.
enum HmcExtra : std::size_t { kMomentum, kStartGradient, kEndGradient, kSomeZ, kRaw, kSomeGradient };

// A step beyond 2 is unstable for a normal target. Only a scale far too small would need more steps than this.
constexpr double kLongestStep = 1.5;
constexpr int kMostSteps = 40;

/// One block's trajectories, all at once; those that have arrived, or failed, are left out of further gradients.
class Trajectories {
 public:
  Trajectories(const TemperedTarget& target, const Particles& p, std::span<const std::size_t> rows,
               const std::vector<double>& root, Scratch& s)
      : target_(target), p_(p), rows_(rows), root_(root), s_(s), momentum_(s.extra(kMomentum, rows.size())) {}

  void start(bool again) {
    const std::size_t d = rows_.size(), n = p_.size;
    const Block gradient = s_.extra(kStartGradient, d).block().columns(0, n);
    if (again) {
      take_accepted(s_, s_.extra(kEndGradient, d), gradient);
    } else {
      const Block raw = s_.extra(kRaw, d).block().columns(0, n);
      bool broken[kBlockSize];
      target_.gradient(p_.z, p_.theta, raw, broken);
      whiten_gradient(root_, raw, gradient);
      // Kept as NaN, so that it is still known when the gradient is used again.
      for (std::size_t i = 0; i < n; ++i)
        if (broken[i]) gradient(0, i) = kNaN;
    }
    for (std::size_t i = 0; i < n; ++i) active_[i] = i;
    count_ = n;
    std::fill_n(s_.correction.data(), n, 0.0);
    add_kinetic({active_.data(), n}, 1.0);
    probe_.fill(0);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        momentum_(j, i) += 0.5 * step[i] * gradient(j, i);
        probe_[i] += 0 * momentum_(j, i);
        s_.noise(j, i) = 0;
      }
    for (std::size_t j = 0; j < p_.z.rows(); ++j) std::copy_n(p_.z.row_data(j), n, s_.z.row(j).data());
    keep_if_finite();
  }

  void run() {
    for (int l = 1; count_ > 0; ++l) {
      for (std::size_t j = 0; j < rows_.size(); ++j)
        for (std::size_t k = 0; k < count_; ++k) s_.noise(j, active_[k]) += momentum_(j, active_[k]);
      add_root({rows_, root_, step.data()}, p_, s_.noise, s_.z);
      probe_.fill(0);
      for (const std::size_t j : rows_)
        for (std::size_t i = 0; i < p_.size; ++i) probe_[i] += 0 * s_.z(j, i);
      keep_if_finite();
      if (count_ > 0) kick(l);
    }
  }

  alignas(64) std::array<double, kBlockSize> step{};
  std::array<int, kBlockSize> steps{};

 private:
  /// Adds `sign` times the kinetic energies of some particles to their corrections.
  void add_kinetic(std::span<const std::size_t> particles, double sign) {
    std::array<double, kBlockSize> squares{};
    for (std::size_t j = 0; j < rows_.size(); ++j)
      for (const std::size_t i : particles) squares[i] += momentum_(j, i) * momentum_(j, i);
    for (const std::size_t i : particles) s_.correction[i] += sign * 0.5 * squares[i];
  }
  void refuse(std::size_t i) {
    s_.correction[i] = -kInf;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      s_.noise(j, i) = 0;
      s_.z(rows_[j], i) = p_.z(rows_[j], i);
    }
  }
  /// Particles whose probe is not zero have met a number that is not finite, and are refused.
  void keep_if_finite() {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      if (probe_[active_[k]] == 0)
        active_[kept++] = active_[k];
      else
        refuse(active_[k]);
    }
    count_ = kept;
  }
  /// Gradients at the new places; those at the end of their way get half a kick and leave.
  void kick(int l) {
    const std::size_t d = rows_.size();
    const Block z = s_.extra(kSomeZ, d).block().columns(0, count_), raw = s_.extra(kRaw, d).block().columns(0, count_);
    const Block some = s_.extra(kSomeGradient, d).block().columns(0, count_);
    BlockStorage& end = s_.extra(kEndGradient, d);
    const Block theta = s_.compact.block().columns(0, count_);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < count_; ++k) z(j, k) = s_.z(j, active_[k]);
    target_.model().parameters().constrain(z, theta, {s_.compact_likelihood.data(), count_});
    bool broken[kBlockSize];
    target_.gradient(z, theta, raw, broken);
    whiten_gradient(root_, raw, some);
    // Row by row, as they lie in memory. A place in `some` is not that of the particle.
    std::array<std::size_t, kBlockSize> place{}, arrived{}, arrived_place{};
    std::array<double, kBlockSize> by{};
    std::size_t fine = 0, kept = 0, there = 0;
    for (std::size_t k = 0; k < count_; ++k)
      if (broken[k]) {
        refuse(active_[k]);
      } else {
        place[fine] = k;
        active_[fine++] = active_[k];
      }
    for (std::size_t m = 0; m < fine; ++m) by[m] = l >= steps[active_[m]] ? 0.5 * step[active_[m]] : step[active_[m]];
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t m = 0; m < fine; ++m) momentum_(j, active_[m]) += by[m] * some(j, place[m]);
    for (std::size_t m = 0; m < fine; ++m) {
      const std::size_t i = active_[m];
      if (l < steps[i]) {
        active_[kept++] = i;
      } else {
        arrived_place[there] = place[m];
        arrived[there++] = i;
      }
    }
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t m = 0; m < there; ++m) end(j, arrived[m]) = some(j, arrived_place[m]);
    add_kinetic({arrived.data(), there}, -1.0);
    count_ = kept;
  }

  const TemperedTarget& target_;
  const Particles& p_;
  std::span<const std::size_t> rows_;
  const std::vector<double>& root_;
  Scratch& s_;
  BlockStorage& momentum_;
  std::array<std::size_t, kBlockSize> active_{};
  std::array<double, kBlockSize> probe_{};  ///< zero as long as all that a particle has met is finite
  std::size_t count_ = 0;
};

}  // namespace

Hmc::Hmc(const KernelOptions& options, const Model& model)
    : GroupedKernel(with_band(options, 0.6, 0.9), model, one_way(grouped_rows(Grouping::joint, model))) {}

double Hmc::default_scale(const Group& group) const {
  return std::min(1.3 / std::pow(static_cast<double>(group.rows.size()), 0.25), kLongestStep);
}

double Hmc::largest_scale(const Group&) const { return kLongestStep; }

void Hmc::propose(const Proposing& from, Scratch& s) const {
  const std::size_t d = from.group.rows.size(), n = from.p.size;
  DrawIdentity id = from.id;
  from.context.streams.fill_normal(id, s.extra(kMomentum, d).block().some_rows(0, d).columns(0, n));
  id.purpose = Purpose::scale;
  from.context.streams.fill_uniform(id, s.scale_uniform.block().columns(0, n));
  Trajectories go(from.target, from.p, from.group.rows, from.shape.root, s);
  for (std::size_t i = 0; i < n; ++i) {
    const double h = from.group.scale * (from.factor == nullptr ? 1.0 : from.factor[i]);
    // Rounded down: beyond a quarter of the circle the far side is the mirror image, whose likelihood is the same.
    const double length = 0.5 * std::numbers::pi * (0.5 + s.scale_uniform(1, i));
    go.step[i] = h;
    go.steps[i] = static_cast<int>(std::clamp(std::floor(length / h), 1.0, static_cast<double>(kMostSteps)));
    s.cost[i] = go.steps[i] + 1;  // the gradient at the start is mostly known, and the likelihood is asked once
  }
  go.start(from.again);
  go.run();
}

const double* Hmc::log_correction(const Proposing&, Scratch& s) const { return s.correction.data(); }

const double* Hmc::cost(const Scratch& s) const { return s.cost.data(); }

}  // namespace evident
