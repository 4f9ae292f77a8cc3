#include "kernel/mala.hpp"

#include <cmath>
#include <numeric>

#include "base/vector_math.hpp"
#include "kernel/moments.hpp"
#include "kernel/own_move.hpp"

namespace evident {
namespace {

std::vector<const double*> row_pointers(ConstBlock block) {
  std::vector<const double*> rows(block.rows());
  for (std::size_t j = 0; j < rows.size(); ++j) rows[j] = block.row_data(j);
  return rows;
}

std::vector<double*> row_pointers(Block block) {
  std::vector<double*> rows(block.rows());
  for (std::size_t j = 0; j < rows.size(); ++j) rows[j] = block.row_data(j);
  return rows;
}

KernelOptions with_langevin_band(KernelOptions options) {
  // Langevin proposals are best near an acceptance of 0.57; the default band is the random walk's.
  if (options.band_low == KernelOptions{}.band_low) options.band_low = 0.4;
  if (options.band_high == KernelOptions{}.band_high) options.band_high = 0.8;
  return options;
}

}  // namespace

Mala::Mala(const KernelOptions& options, const Model& model)
    : options_(with_langevin_band(options)),
      rows_(model.parameters().free_size()),
      band_(options_),
      pool_(model.parameters().free_size(), model.parameters().size()) {
  std::iota(rows_.begin(), rows_.end(), std::size_t{0});
}

void Mala::calibrate(const Population& x, double) {
  halves_ = Halves(x.size(), rows_.size());
  roots_.clear();
  for (std::size_t half = 0; half < halves_.count(); ++half)
    roots_.push_back(covariance_root(x, rows_, halves_.calibrating(half)));
  const double base = options_.scale > 0 ? options_.scale : 1.65 / std::pow(static_cast<double>(rows_.size()), 1.0 / 6);
  step_ = base * band_.factor();
}

void Mala::whitened_drift(const std::vector<double>& root, ConstBlock gradient, Block out) const {
  const std::size_t d = rows_.size(), n = gradient.size();
  vector_math::multiply_transposed(root.data(), row_pointers(gradient).data(), d, n, row_pointers(out).data());
  const double half = 0.5 * step_ * step_, longest = step_ * std::sqrt(static_cast<double>(d));
  for (std::size_t i = 0; i < n; ++i) {
    double squares = 0;
    for (std::size_t j = 0; j < d; ++j) squares += out(j, i) * out(j, i);
    const double length = half * std::sqrt(squares);
    const double factor = length > longest ? half * longest / length : half;
    for (std::size_t j = 0; j < d; ++j) out(j, i) *= factor;
  }
}

void Mala::move_block(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                      std::size_t block, Tally& tally) {
  auto loan = pool_.borrow();
  Scratch& s = *loan;
  const Particles p(x, block);
  const std::vector<double>& root = roots_[halves_.of_block(block)];
  const std::size_t d = rows_.size(), n = p.size;
  BlockStorage gradient(d, n), drift(d, n), next_drift(d, n), jump(d, n);
  AlignedVector<double> correction(n);
  DrawIdentity id{.step = step, .particle = static_cast<std::uint32_t>(p.first)};
  for (std::uint32_t pass = 0; pass < options_.passes; ++pass) {
    id.pass = pass;
    id.purpose = Purpose::proposal;
    context.streams.fill_normal(id, s.noise.block().columns(0, n));
    target.gradient(p.z, p.theta, gradient);
    whitened_drift(root, gradient, drift);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < n; ++i) jump(j, i) = drift(j, i) + step_ * s.noise(j, i);
    vector_math::add_triangular(row_pointers(ConstBlock(p.z)).data(), root.data(),
                                row_pointers(ConstBlock(jump.block())).data(), nullptr, d, n,
                                row_pointers(s.z.block()).data());
    evaluate_proposals(target, n, s);
    target.gradient(s.z.block().columns(0, n), s.theta.block().columns(0, n), gradient);
    whitened_drift(root, gradient, next_drift);
    // The way back would need the noise (-jump - next_drift) / step.
    for (std::size_t i = 0; i < n; ++i) {
      double forward = 0, backward = 0;
      for (std::size_t j = 0; j < d; ++j) {
        const double back = (jump(j, i) + next_drift(j, i)) / step_;
        forward += s.noise(j, i) * s.noise(j, i);
        backward += back * back;
      }
      correction[i] = 0.5 * (forward - backward);
    }
    tally.accepted += accept_or_reject(
        target, context.streams, {.rows = {}, .log_correction = correction.data(), .step = step, .number = pass}, p, s);
    for (std::size_t j = 0; j < d; ++j)
      tally.squares += vector_math::masked_squares(s.mask.data(), jump.row(j).data(), n);
    if (options_.own_moves) apply_own_move(target, context, {.step = step, .pass = pass}, p, s);
  }
}

MoveReport Mala::move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) {
  std::vector<Tally> tallies(block_count(x.size()));
  context.executor.for_each(tallies.size(),
                            [&](std::size_t b) { move_block(target, x, context, step, b, tallies[b]); });
  const auto proposals = static_cast<double>(x.size() * options_.passes);
  double accepted = 0, squares = 0;
  for (const Tally& t : tallies) {
    accepted += static_cast<double>(t.accepted);
    squares += t.squares;
  }
  const MoveReport report{.acceptance = accepted / proposals,
                          .jump = squares / (proposals * static_cast<double>(rows_.size())),
                          .scale = band_.factor()};
  band_.update(report.acceptance);
  return report;
}

}  // namespace evident
