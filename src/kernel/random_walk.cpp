#include "kernel/random_walk.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/vector_math.hpp"
#include "kernel/moments.hpp"
#include "kernel/own_move.hpp"

namespace evident {
namespace {

std::vector<std::vector<std::size_t>> grouped_rows(Grouping grouping, const Model& model) {
  const std::size_t d = model.parameters().free_size();
  auto groups = grouping == Grouping::blocks ? model.groups() : std::vector<std::vector<std::size_t>>{};
  if (!groups.empty()) return groups;
  if (grouping != Grouping::single) {
    groups.emplace_back(d);
    std::iota(groups[0].begin(), groups[0].end(), std::size_t{0});
    return groups;
  }
  for (std::size_t j = 0; j < d; ++j) groups.push_back({j});
  return groups;
}

// Factors from 2 down to 1/25, uniform in the logarithm: large ones to cross, small ones to refine.
void fill_factors(const Streams& streams, DrawIdentity id, std::size_t n, Scratch& s) {
  id.purpose = Purpose::scale;
  streams.fill_uniform(id, s.scale_uniform.block().columns(0, n));
  for (std::size_t i = 0; i < n; ++i) s.factor[i] = std::log(2.0) - std::log(50.0) * s.scale_uniform(0, i);
  vector_math::exp(s.factor.data(), s.factor.data(), n);
}

}  // namespace

RandomWalk::RandomWalk(const KernelOptions& options, const Model& model)
    : options_(options), pool_(model.parameters().free_size(), model.parameters().size()) {
  for (auto& rows : grouped_rows(options.grouping, model)) groups_.push_back({std::move(rows), {}, ScaleBand(options)});
}

double RandomWalk::base_scale(std::size_t d) const {
  return options_.scale > 0 ? options_.scale : 2.38 / std::sqrt(static_cast<double>(d));
}

void RandomWalk::calibrate(const Population& x, double alpha) {
  halves_ = Halves(x.size(), x.z.rows());
  for (Group& group : groups_) {
    const std::size_t d = group.rows.size();
    group.roots.clear();
    for (std::size_t half = 0; half < halves_.count(); ++half) {
      if (options_.scale_rule == ScaleRule::manual) {
        auto& root = group.roots.emplace_back(d * d, 0.0);
        for (std::size_t j = 0; j < d; ++j) root[j * d + j] = options_.manual(group.rows[j], alpha);
        continue;
      }
      auto& root = group.roots.emplace_back(covariance_root(x, group.rows, halves_.calibrating(half)));
      for (double& v : root) v *= base_scale(d) * group.band.factor();
    }
  }
}

void RandomWalk::propose(const Group& group, const std::vector<double>& root, const Context& context,
                         const DrawIdentity& id, const Particles& p, Scratch& s) const {
  const std::size_t d = group.rows.size(), n = p.size;
  context.streams.fill_normal(id, s.noise.block().some_rows(0, d).columns(0, n));
  if (options_.mix_scales) fill_factors(context.streams, id, n, s);
  constexpr std::size_t kFew = 16;  // pointers on the stack for ordinary models
  const double* few_from[kFew];
  const double* few_noise[kFew];
  double* few_to[kFew];
  std::vector<const double*> many_from, many_noise;
  std::vector<double*> many_to;
  if (d > kFew) many_from.resize(d), many_noise.resize(d), many_to.resize(d);
  const double** from = d > kFew ? many_from.data() : few_from;
  const double** noise = d > kFew ? many_noise.data() : few_noise;
  double** to = d > kFew ? many_to.data() : few_to;
  for (std::size_t j = 0; j < d; ++j) {
    from[j] = p.z.row_data(group.rows[j]);
    noise[j] = s.noise.row(j).data();
    to[j] = s.z.row(group.rows[j]).data();
  }
  vector_math::add_triangular(from, root.data(), noise, options_.mix_scales ? s.factor.data() : nullptr, d, n, to);
}

void RandomWalk::move_block(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                            std::size_t block, Tally& tally) {
  auto loan = pool_.borrow();
  Scratch& s = *loan;
  const Particles p(x, block);
  DrawIdentity id{.step = step, .particle = static_cast<std::uint32_t>(p.first)};
  // Between proposals s.z equals p.z: a proposal changes its own rows only, and they are put back afterwards.
  const auto put_back = [&](std::size_t j) { std::copy_n(p.z.row_data(j), p.size, s.z.row(j).data()); };
  const bool several = groups_.size() > 1 || groups_.front().rows.size() < p.z.rows();
  const auto put_all_back = [&] {
    for (std::size_t j = 0; several && j < p.z.rows(); ++j) put_back(j);
  };
  put_all_back();
  for (std::uint32_t pass = 0; pass < options_.passes; ++pass) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      id.pass = pass * static_cast<std::uint32_t>(groups_.size()) + static_cast<std::uint32_t>(g);
      id.purpose = Purpose::proposal;
      propose(groups_[g], groups_[g].roots[halves_.of_block(block)], context, id, p, s);
      evaluate_proposals(target, p.size, s);
      const bool all = groups_[g].rows.size() == p.z.rows();
      tally.accepted[g] += accept_or_reject(
          target, context.streams,
          {.rows = all ? std::span<const std::size_t>{} : groups_[g].rows, .step = step, .number = id.pass}, p, s);
      for (std::size_t j = 0; j < groups_[g].rows.size(); ++j)
        tally.squares[g] += vector_math::masked_squares(s.mask.data(), s.noise.row(j).data(), p.size);
      for (std::size_t j = 0; several && j < groups_[g].rows.size(); ++j) put_back(groups_[g].rows[j]);
    }
    if (options_.own_moves && target.model().has_own_move()) {
      apply_own_move(target, context, {.step = step, .pass = pass}, p, s);
      put_all_back();
    }
  }
}

MoveReport RandomWalk::move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) {
  const std::size_t blocks = block_count(x.size()), groups = groups_.size();
  std::vector<Tally> tallies(blocks, Tally{std::vector<std::size_t>(groups), std::vector<double>(groups)});
  context.executor.for_each(blocks, [&](std::size_t b) { move_block(target, x, context, step, b, tallies[b]); });

  MoveReport report{.acceptance = 0, .jump = 0, .scale = 0};
  const auto proposals = static_cast<double>(x.size() * options_.passes);
  for (std::size_t g = 0; g < groups; ++g) {
    Group& group = groups_[g];
    double accepted = 0, squares = 0;
    for (const Tally& t : tallies) {
      accepted += static_cast<double>(t.accepted[g]);
      squares += t.squares[g];
    }
    const auto d = static_cast<double>(group.rows.size());
    const double scale = base_scale(group.rows.size()) * group.band.factor();
    report.acceptance += accepted / proposals / static_cast<double>(groups);
    report.jump += scale * scale * squares / (d * proposals) / static_cast<double>(groups);
    report.scale += group.band.factor() / static_cast<double>(groups);
    group.band.update(accepted / proposals);
  }
  return report;
}

}  // namespace evident
