#include "kernel/grouped.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <string>

#include "base/pack.hpp"
#include "base/partition.hpp"
#include "base/random_fill.hpp"
#include "base/vector_math.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "kernel/add_root.hpp"
#include "kernel/mixing.hpp"
#include "kernel/own_move.hpp"

namespace evident {

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

GroupedKernel::GroupedKernel(const KernelOptions& options, const Model& model, std::vector<Way> ways)
    : options_(options), pool_(model.parameters().free_size(), model.parameters().size()) {
  KernelOptions untuned = options;
  untuned.scale_rule = ScaleRule::adaptive;
  for (auto& [rows, way, scaled] : ways)
    groups_.push_back({.rows = std::move(rows), .way = way, .tuner = ScaleTuner(scaled ? options : untuned)});
  for (Group& group : groups_) {
    const auto alike = [&](const Group& g) { return g.rows == group.rows; };
    group.share = 1 / static_cast<double>(std::count_if(groups_.begin(), groups_.end(), alike));
  }
  set_starts();
}

// The shares of the ways to move the same rows lie side by side on the unit interval.
void GroupedKernel::set_starts() {
  for (auto group = groups_.begin(); group != groups_.end(); ++group) {
    group->start = 0;
    for (auto before = groups_.begin(); before != group; ++before)
      if (before->rows == group->rows) group->start += before->share;
  }
}

// Each way keeps a tenth, so that it goes on being tried.
void GroupedKernel::share_passes(const std::vector<MoveTally>& tallies) {
  constexpr double kLeast = 0.1;
  std::vector<double> jump(groups_.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].share < 1 && tallies[g].proposed == 0) return;
    jump[g] = groups_[g].scale * groups_[g].scale * groups_[g].tuner.best_jump(tallies[g]);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].share >= 1) continue;
    double all = 0, ways = 0;
    for (std::size_t h = 0; h < groups_.size(); ++h)
      if (groups_[h].rows == groups_[g].rows) all += jump[h], ++ways;
    if (all > 0) groups_[g].share = kLeast + (1 - ways * kLeast) * jump[g] / all;
  }
  set_starts();
}

std::vector<GroupedKernel::Way> GroupedKernel::one_way(std::vector<std::vector<std::size_t>> groups) {
  std::vector<Way> ways;
  for (auto& rows : groups) ways.push_back({.rows = std::move(rows)});
  return ways;
}

double GroupedKernel::walk_scale(std::size_t d) { return 2.38 / std::sqrt(static_cast<double>(d)); }

void GroupedKernel::walk(const Proposing& from, Scratch& s) {
  const std::size_t d = from.group.rows.size(), n = from.p.size;
  const Block noise = s.noise.block().some_rows(0, d).columns(0, n);
  if (from.target.quick() != nullptr)
    random_fill::rough_normal(from.context.streams.key(), from.id, noise);
  else
    from.context.streams.fill_normal(from.id, noise);
  add_root({from.group.rows, from.shape.scaled, from.factor}, from.p, s.noise, s.z);
}

double GroupedKernel::largest_scale(const Group&) const { return kInf; }

double GroupedKernel::tuned_scale(const Group& group) const {
  if (options_.scale_rule == ScaleRule::manual) return 1;
  return std::min(base_scale(group) * group.tuner.factor(), largest_scale(group));
}

/// Of each group whose rows no group before it has, for each half.
std::vector<RowMoments> GroupedKernel::moments_of_groups(const Population& x) const {
  std::vector<MomentsWanted> wanted;
  if (options_.scale_rule == ScaleRule::manual) return {};
  for (const Group& group : groups_) {
    const auto same = std::ranges::find_if(groups_, [&](const Group& g) { return g.rows == group.rows; });
    for (std::size_t half = 0; &*same == &group && half < halves_.count(); ++half)
      wanted.push_back({group.rows, halves_.calibrating(half)});
  }
  return row_moments(x, wanted);
}

void GroupedKernel::calibrate(const Population& x, double alpha) {
  halves_ = Halves(x.size());
  fixed_passes_ = 0;
  std::vector<RowMoments> moments = moments_of_groups(x);
  auto next = moments.begin();
  for (Group& group : groups_) {
    const std::size_t d = group.rows.size();
    group.scale = tuned_scale(group);
    group.moments.clear();
    group.shapes.clear();
    if (options_.scale_rule == ScaleRule::manual) {
      Shape& shape = group.shapes.emplace_back(Shape{std::vector<double>(d), std::vector<double>(d * d), {}, {}});
      for (std::size_t j = 0; j < d; ++j) shape.root[j * d + j] = options_.manual(group.rows[j], alpha);
      shape.scaled = shape.root;
      continue;
    }
    const auto same =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.rows == group.rows; });
    for (std::size_t half = 0; half < halves_.count(); ++half) {
      if (&*same != &group) {
        group.moments.push_back(same->moments[half]);
        group.shapes.push_back(same->shapes[half]);
      } else {
        const RowMoments& m = group.moments.emplace_back(std::move(*next++));
        group.shapes.push_back({m.mean, covariance_root(m), {}, {}});
      }
      Shape& shape = group.shapes.back();
      shape.scaled = shape.root;
      for (double& v : shape.scaled) v *= group.scale;
    }
  }
}

Calibration GroupedKernel::calibration() const {
  Calibration found;
  found.passes = passes_ > 0 ? passes_ : options_.passes;
  for (const Group& group : groups_) {
    auto& out = found.groups.emplace_back();
    out.share = group.share;
    out.scale = fixed_passes_ > 0 ? group.scale : tuned_scale(group);
    if (group.moments.size() == 2) {
      const RowMoments all = pooled(group.moments[0], group.moments[1]);
      out.mean = all.mean;
      out.root = covariance_root(all);
    } else if (!group.shapes.empty()) {
      out.mean = group.shapes[0].mean;
      out.root = group.shapes[0].root;
      out.fit = group.shapes[0].fit;
    }
  }
  return found;
}

void GroupedKernel::use(const Calibration& calibration) {
  const auto refuse = [](const std::string& why) {
    throw InputError("the calibration is of another model or kernel: " + why);
  };
  if (calibration.groups.size() != groups_.size())
    refuse("it has " + std::to_string(calibration.groups.size()) + " groups of coordinates, and this one " +
           std::to_string(groups_.size()));
  if (calibration.passes == 0) refuse("it has no passes");
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Calibration::Group& given = calibration.groups[g];
    const std::size_t d = groups_[g].rows.size();
    if (given.mean.size() != d || given.root.size() != d * d)
      refuse("group " + std::to_string(g + 1) + " has " + std::to_string(given.mean.size()) +
             " coordinates, and here " + std::to_string(d));
    groups_[g].scale = given.scale;
    groups_[g].share = given.share;
    groups_[g].moments.clear();
    groups_[g].shapes.assign(1, Shape{given.mean, given.root, given.root, given.fit});
    for (double& v : groups_[g].shapes[0].scaled) v *= given.scale;
  }
  fixed_passes_ = calibration.passes;
  set_starts();
}

std::vector<std::byte> GroupedKernel::memory() const {
  Packer out;
  for (const Group& group : groups_) {
    out.put(group.tuner.factor());
    out.put(group.share);
  }
  return out.finish();
}

void GroupedKernel::remember(std::span<const std::byte> memory) {
  Unpacker in(memory);
  for (Group& group : groups_) {
    group.tuner.set_factor(in.get<double>());
    group.share = in.get<double>();
  }
  in.end();
  set_starts();
}

const double* GroupedKernel::fill_factors(const Group& group, const Context& context, DrawIdentity id, std::size_t n,
                                          Scratch& s) const {
  if (options_.mix_scales) {
    // Factors from 2 down to 1/25, uniform in the logarithm: large ones to cross, small ones to refine.
    id.purpose = Purpose::scale;
    context.streams.fill_uniform(id, s.scale_uniform.block().columns(0, n));
    for (std::size_t i = 0; i < n; ++i) s.factor[i] = std::log(2.0) - std::log(50.0) * s.scale_uniform(0, i);
    vector_math::exp(s.factor.data(), s.factor.data(), n);
    return s.factor.data();
  }
  if (!group.tuner.tries() || fixed_passes_ > 0) return nullptr;
  for (std::size_t i = 0; i < n; ++i) s.factor[i] = ScaleTuner::kTries[ScaleTuner::choice(id.particle + i, id.pass)];
  return s.factor.data();
}

void GroupedKernel::tally_move(const Proposing& from, const Scratch& s, MoveTally& tally) const {
  const std::size_t d = from.group.rows.size(), n = from.p.size;
  tally.squares += vector_math::masked_squares(s.mask.data(), s.noise_rows.data(), d, n);
  if (from.factor == nullptr || options_.mix_scales) return;
  const double* spent = cost(s);
  for (std::size_t i = 0; i < n; ++i) {
    if (std::bit_cast<std::uint64_t>(s.mask[i]) == 0) continue;
    double squares = 0;
    for (std::size_t j = 0; j < d; ++j) squares += s.noise(j, i) * s.noise(j, i);
    if (spent != nullptr) squares /= spent[i];
    tally.tried_squares[ScaleTuner::choice(from.id.particle + i, from.id.pass)] +=
        squares * from.factor[i] * from.factor[i];
  }
}

namespace {

/// The golden ratio spreads the turns of every share evenly; blocks begin at different places.
bool has_turn(double start, double share, std::size_t number) {
  if (share >= 1) return true;
  const double place = static_cast<double>(number) * 0.6180339887498949;
  const double u = place - std::floor(place);
  return u >= start && u < start + share;
}

}  // namespace

void GroupedKernel::move_block(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step,
                               Passes passes, std::size_t block, MoveTally* tally) const {
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
  // A model's own move knows powers of its likelihood, not thresholds.
  const bool own_moves = options_.own_moves && target.model().has_own_move() && !target.restricted();
  std::uint32_t decision = passes.decision;
  const Group* before = nullptr;
  for (std::uint32_t pass = passes.first; pass < passes.last; ++pass) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (!has_turn(group.start, group.share, pass + block)) continue;
      id.pass = pass * static_cast<std::uint32_t>(groups_.size()) + static_cast<std::uint32_t>(g);
      id.purpose = Purpose::proposal;
      const Shape& shape = group.shapes[group.shapes.size() == 1 ? 0 : block >= passes.middle ? 1 : 0];
      const Proposing from{target,          context, group, shape, p, id, fill_factors(group, context, id, p.size, s),
                           before == &group};
      before = &group;
      propose(from, s);
      evaluate_proposals(target, p.size, s);
      const bool all = group.rows.size() == p.z.rows();
      tally[g].accepted += accept_or_reject(target, context.streams,
                                            {.rows = all ? std::span<const std::size_t>{} : group.rows,
                                             .log_correction = log_correction(from, s),
                                             .step = step,
                                             .number = decision++},
                                            p, s);
      tally[g].proposed += p.size;
      tally_move(from, s, tally[g]);
      for (std::size_t j = 0; several && j < group.rows.size(); ++j) put_back(group.rows[j]);
    }
    if (own_moves && pass % options_.own_every == 0) {
      apply_own_move(target, context, {.step = step, .pass = pass}, p, s);
      put_all_back();
      before = nullptr;
    }
  }
}

// Rounds start at even passes, so that their first decision is even, too. They get longer, so that looking at the
// correlations costs little.
template <class Run>
std::size_t GroupedKernel::make_passes(Population& x, const Run& run) const {
  constexpr std::size_t kFewest = 32;  // particles that can tell a correlation
  const auto run_passes = [&](std::size_t first, std::size_t last) {
    run(Passes{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last),
               static_cast<std::uint32_t>(first * groups_.size()), halves_.middle()});
  };
  if (fixed_passes_ > 0 || !options_.until_mixed || x.size() < kFewest) {
    run_passes(0, passes_wanted());
    return passes_wanted();
  }
  const UntilMixed& limits = *options_.until_mixed;
  const Mixing mixing(limits, x);
  std::size_t done = 0, next = std::max<std::size_t>(2, limits.least + limits.least % 2);
  do {
    next = std::min(next, std::max<std::size_t>(limits.most, 1));
    run_passes(done, next);
    x.gather_log_likelihood();
    done = next;
    next = done + std::max<std::size_t>(2, done / 4 + done / 4 % 2);
  } while (done < limits.most && !mixing.enough(x, done));
  return done;
}

MoveReport GroupedKernel::move(const TemperedTarget& target, Population& x, const Context& context,
                               std::uint32_t step) {
  const std::size_t first = x.first_block(), blocks = x.last_block() - first;
  Tallies tallies(block_count(x.size()) * groups_.size());
  passes_ = make_passes(x, [&](Passes passes) {
    context.executor.for_each(blocks, [&](std::size_t b) {
      move_block(target, x, context, step, passes, first + b, &tallies[(first + b) * groups_.size()]);
    });
  });
  return conclude(tallies, passes_, x.partition.get());
}

MoveReport GroupedKernel::move_chains(const TemperedTarget& target, Population& x, const Context& context,
                                      std::uint32_t step, const Chains& chains) {
  const std::size_t blocks = block_count(x.size());
  Tallies tallies(blocks * groups_.size());
  passes_ = passes_wanted();
  for (std::size_t state = 1; state < chains.length; ++state) {
    const std::size_t first = (state - 1) * passes_;
    const Passes passes{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first + passes_),
                        static_cast<std::uint32_t>(2 * first * groups_.size()), blocks / 2};
    context.executor.for_each(
        blocks, [&](std::size_t b) { move_block(target, x, context, step, passes, b, &tallies[b * groups_.size()]); });
    chains.keep(state);
  }
  return conclude(tallies, (chains.length - 1) * passes_, nullptr);
}

namespace {

/// Over all blocks, by group.
std::vector<MoveTally> sum_up(const std::vector<MoveTally>& tallies, std::size_t groups,
                              const BlockPartition* partition) {
  constexpr std::size_t kNumbers = MoveTally::kNumbers;
  const auto put = [&](std::size_t b, double* out) {
    for (std::size_t g = 0; g < groups; ++g) tallies[b * groups + g].put(out + g * kNumbers);
  };
  const TreeSum wanted{
      .first = 0, .last = tallies.size() / groups, .width = groups * kNumbers, .values = std::cref(put)};
  const std::vector<double> all = tree_sums({&wanted, 1}, partition).front();
  std::vector<MoveTally> sums(groups);
  for (std::size_t g = 0; g < groups; ++g) sums[g] = MoveTally::from(all.data() + g * kNumbers);
  return sums;
}

}  // namespace

// What the move did; then the next one is tuned by it.
MoveReport GroupedKernel::conclude(const Tallies& tallies, std::size_t passes, const BlockPartition* partition) {
  const std::size_t groups = groups_.size();
  MoveReport report{.acceptance = 0, .jump = 0, .scale = 0, .passes = passes};
  const std::vector<MoveTally> sums = sum_up(tallies, groups, partition);
  double shares = 0;
  for (const Group& group : groups_) shares += group.share;
  for (std::size_t g = 0; g < groups; ++g) {
    const Group& group = groups_[g];
    if (sums[g].proposed == 0) continue;
    const auto proposals = static_cast<double>(sums[g].proposed), d = static_cast<double>(group.rows.size());
    const double part = group.share / shares;
    const double unit = options_.scale_rule == ScaleRule::manual ? 1 : base_scale(group);
    report.acceptance += static_cast<double>(sums[g].accepted) / proposals * part;
    report.jump += group.scale * group.scale * sums[g].squares / (d * proposals) * part;
    report.scale += group.scale / unit * part;
  }
  if (fixed_passes_ > 0) return report;
  share_passes(sums);
  for (std::size_t g = 0; g < groups; ++g) groups_[g].tuner.update(sums[g]);
  return report;
}

}  // namespace evident
