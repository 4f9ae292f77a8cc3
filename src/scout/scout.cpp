#include "scout/scout.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/statistics.hpp"
#include "evident/base/error.hpp"
#include "scout/climb.hpp"
#include "scout/curvature.hpp"
#include "scout/log_density.hpp"
#include "scout/mode_mass.hpp"
#include "scout/newton.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kTag = 0x73636f7574;  // streams that nothing else uses
constexpr std::uint64_t kTagOfSweep = 0x7377656570;
constexpr std::size_t kAtOnce = 8;       // starts between two looks at what was found
constexpr std::size_t kForWidths = 200;  // draws that show how wide a prior is
constexpr double kValley = 0.1;          // nats: two ends with no deeper valley between them are one mode

std::vector<double> column(ConstBlock rows, std::size_t i) {
  std::vector<double> out;
  for (std::size_t j = 0; j < rows.rows(); ++j) out.push_back(rows.row(j)[i]);
  return out;
}

/// Points to start from, in turn: a draw from the prior, and one of a Latin hypercube over the draws, in which every
/// part of the range of each coordinate has its turn. Impossible points are left out. Where those are the most, further
/// draws from the prior follow, until some are possible.
class Starts {
 public:
  Starts(const Model& model, const LogDensity& density, std::size_t count, std::size_t further, const Streams& streams)
      : model_(model),
        density_(density),
        streams_(streams),
        z_(model.parameters().free_size(), 2 * count),
        number_(count),
        last_(count + further) {
    BlockStorage theta(model.parameters().size(), count), draws(z_.rows(), count);
    model.draw_prior(streams, 0, theta);
    model.parameters().unconstrain(theta, draws);
    for (std::size_t j = 0; j < z_.rows(); ++j) {
      const auto row = draws.row(j);
      widths_.push_back(width_of({row.begin(), row.end()}));
      const std::vector<std::size_t> order = shuffled(count, streams, static_cast<std::uint32_t>(j));
      for (std::size_t i = 0; i < count; ++i) {
        z_(j, 2 * i) = row[i];
        z_(j, 2 * i + 1) = row[order[i]];
      }
    }
  }

  /// The next ones that are possible; fewer than `count` when none are left.
  std::vector<std::vector<double>> take(std::size_t count) {
    std::vector<std::vector<double>> out;
    while (out.size() < count && at_ < z_.size()) {
      const std::size_t some = std::min(count - out.size(), z_.size() - at_);
      BlockStorage next(z_.rows(), some);
      for (std::size_t j = 0; j < z_.rows(); ++j) std::ranges::copy(z_.row(j).subspan(at_, some), next.row(j).begin());
      const std::vector<double> values = density_.values(next);
      for (std::size_t i = 0; i < some; ++i)
        if (values[i] > -kInf) out.push_back(column(next, i));
      at_ += some;
    }
    possible_ += out.size();
    if (out.size() < count && 2 * possible_ < z_.size()) take_further(count, out);
    return out;
  }

  /// Evaluations of draws after those that were planned.
  std::size_t evaluations_of_further() const { return number_ - z_.size() / 2; }

  double possible() const {
    return at_ == 0 ? 1 : static_cast<double>(possible_) / static_cast<double>(at_ + evaluations_of_further());
  }

  /// Half the range that the middle 68 % of the draws take.
  const std::vector<double>& widths() const { return widths_; }

 private:
  static double width_of(std::vector<double> x) {
    const std::vector<double> equal(x.size(), 1.0);
    const std::vector<double> ends = weighted_quantiles(x, equal, std::vector{0.16, 0.84});
    const double width = 0.5 * (ends[1] - ends[0]);
    return width > 0 && std::isfinite(width) ? width : 1;
  }

  /// So many at once that looking at them is quick, and not many more than are needed.
  void take_further(std::size_t count, std::vector<std::vector<double>>& out) {
    constexpr std::size_t kAtOnceOfMany = 4096, kEnough = 40;
    while (waiting_.empty() && possible_ < kEnough && number_ < last_) {
      const std::size_t some = std::min(kAtOnceOfMany, last_ - number_);
      BlockStorage theta(model_.parameters().size(), some), draws(z_.rows(), some);
      model_.draw_prior(streams_, static_cast<std::uint32_t>(number_), theta);
      model_.parameters().unconstrain(theta, draws);
      const std::vector<double> values = density_.values(draws);
      for (std::size_t i = 0; i < some; ++i)
        if (values[i] > -kInf) waiting_.push_back(column(draws, i));
      number_ += some;
      possible_ += waiting_.size();
    }
    while (out.size() < count && !waiting_.empty()) {
      out.push_back(std::move(waiting_.back()));
      waiting_.pop_back();
    }
  }

  /// Draws in an order without any relation to those of the other coordinates.
  static std::vector<std::size_t> shuffled(std::size_t count, const Streams& streams, std::uint32_t coordinate) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Stream stream = streams.at({.particle = coordinate, .purpose = Purpose::other});
    for (std::size_t i = count; i > 1; --i)
      std::swap(order[i - 1],
                order[std::min(i - 1, static_cast<std::size_t>(stream.uniform() * static_cast<double>(i)))]);
    return order;
  }

  const Model& model_;
  const LogDensity& density_;
  const Streams& streams_;
  BlockStorage z_;
  std::vector<double> widths_;
  std::vector<std::vector<double>> waiting_;
  std::size_t at_ = 0, possible_ = 0;
  std::size_t number_, last_;  ///< of the next draw, and of the one after the last
};

/// Evaluations that a climb may take; most take a fraction of that.
std::size_t most_of_climb(const LogDensity& density) {
  return density.has_gradient() ? 200 + 20 * density.dimension() : 200 * (density.dimension() + 1);
}

constexpr std::size_t kLongClimb = 20;  // times that, for the few climbs that ended where no other did

/// Close below a mode nothing hides a valley: from further away, a line to the wrong mode may lead uphill all the way.
constexpr double kNearTop = 2;  // nats

/// Matrices of more rows than this cost more than most likelihoods.
bool keeps_curvature(const LogDensity& density) { return density.dimension() <= 100; }

/// Modes that are told apart by the valleys between them.
class Modes {
 public:
  Modes(const LogDensity& density, std::vector<double> widths) : density_(density), widths_(std::move(widths)) {}
  /// Adds to some that are known. A higher end is then a mode even where no valley is between: a spike on a broad hill.
  Modes(const LogDensity& density, std::vector<double> widths, std::vector<Mode> known)
      : density_(density), widths_(std::move(widths)), modes_(std::move(known)), peaks_on_slopes_(true) {}

  /// The mode that is known and straight uphill from there: its number, or how many are known where there is none.
  std::size_t uphill_from(const Climb& at) const {
    if (!(at.value > -kInf)) return modes_.size();
    for (const std::size_t k : nearest(at.x)) {
      std::vector<double> on_the_way = between(modes_[k], at.x);
      on_the_way.insert(on_the_way.begin(), modes_[k].log_density);
      on_the_way.push_back(at.value);
      if (std::ranges::is_sorted(on_the_way, std::greater())) return k;
    }
    return modes_.size();
  }

  void add_hit(std::size_t k) { ++modes_[k].hits; }

  /// The end of a climb: a mode that is known, or a new one.
  void add(Climb end) {
    if (!(end.value > -kInf)) return;
    if (Mode* known = find(end)) {
      ++known->hits;
      return;
    }
    // A climb that was cut short, or could not get on, may have been on its way to a mode that is known.
    const auto newton = [&](const Climb& from) {
      return newton_climb(density_, from.x, from.value, widths_, kLongClimb * most_of_climb(density_));
    };
    const auto polish = [&](const Climb& from) {
      return climb(density_.height(), from.x, {.step = fine_steps()},
                   {.whole_curvature = keeps_curvature(density_), .most = most_of_climb(density_)});
    };
    for (const bool last : {false, true}) {
      end = last ? polish(end) : newton(end);
      if (Mode* known = find(end)) {
        ++known->hits;
        return;
      }
      const auto bend = curvature(density_, end.x, end.value, widths_);
      if (!bend && !last) continue;
      Mode& mode = modes_.emplace_back(Mode{.z = end.x, .log_density = end.value, .hits = 1});
      if (!bend) return;
      mode.root = bend->root;
      mode.log_mass = end.value + bend->log_volume;
      return;
    }
  }

  const std::vector<Mode>& all() const { return modes_; }

  /// Climbs that get so high may look whether a mode that is known is straight uphill, as most are in the end.
  double near_top() const {
    if (modes_.empty()) return kInf;
    return std::ranges::max(modes_, {}, &Mode::log_density).log_density - kNearTop;
  }

  std::vector<double> fine_steps() const {
    std::vector<double> out = widths_;
    for (double& s : out) s *= 0.01;
    return out;
  }

 private:
  /// In units of the mode's own width where it is known, of the prior's where it is not.
  double squared_distance(const Mode& mode, std::span<const double> z) const {
    double sum = 0;
    const std::size_t d = z.size();
    std::vector<double> u(d);
    for (std::size_t j = 0; j < d; ++j) {
      double left = z[j] - mode.z[j];
      for (std::size_t k = 0; k < j && !mode.root.empty(); ++k) left -= mode.root[j * d + k] * u[k];
      u[j] = left / (mode.root.empty() ? 1e-3 * widths_[j] : mode.root[j * d + j]);
      sum += u[j] * u[j];
    }
    return sum;
  }

  /// The numbers of a few modes, the nearest first.
  std::vector<std::size_t> nearest(std::span<const double> z) const {
    constexpr std::size_t kNearest = 3;
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t k = 0; k < modes_.size(); ++k) near.emplace_back(squared_distance(modes_[k], z), k);
    std::ranges::sort(near);
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < std::min(near.size(), kNearest); ++k) out.push_back(near[k].second);
    return out;
  }

  Mode* find(const Climb& end) {
    constexpr double kSamePlace = 0.01;
    for (const std::size_t k : nearest(end.x)) {
      const bool peak = peaks_on_slopes_ && end.value > modes_[k].log_density + kValley;
      if (squared_distance(modes_[k], end.x) < kSamePlace || (!peak && no_valley(modes_[k], end))) return &modes_[k];
    }
    return nullptr;
  }

  /// Log densities on the straight line from the mode to z.
  std::vector<double> between(const Mode& mode, std::span<const double> z) const {
    constexpr std::size_t kBetween = 15;
    BlockStorage points(z.size(), kBetween);
    for (std::size_t i = 0; i < kBetween; ++i) {
      const double share = static_cast<double>(i + 1) / (kBetween + 1);
      for (std::size_t j = 0; j < z.size(); ++j) points(j, i) = (1 - share) * mode.z[j] + share * z[j];
    }
    return density_.values(points);
  }

  bool no_valley(const Mode& mode, const Climb& end) const {
    return std::ranges::min(between(mode, end.x)) > std::min(mode.log_density, end.value) - kValley;
  }

  const LogDensity& density_;
  std::vector<double> widths_;
  std::vector<Mode> modes_;
  bool peaks_on_slopes_ = false;
};

/// The highest mass first, each with its mass by draws.
void weigh(std::vector<Mode>& modes, const LogDensity& density, const Context& context) {
  std::ranges::stable_sort(modes, [](const Mode& a, const Mode& b) {
    const auto key = [](const Mode& m) { return std::isnan(m.log_mass) ? -kInf : m.log_mass; };
    return key(a) > key(b);
  });
  weigh_by_draws(modes, density, context);
}

}  // namespace

std::size_t Scouted::seen_once() const {
  return static_cast<std::size_t>(std::ranges::count(modes, std::size_t{1}, &Mode::hits));
}

double Scouted::likely_unseen() const {
  return starts == 0 ? 1 : static_cast<double>(seen_once()) / static_cast<double>(starts);
}

double Scouted::unseen() const {
  if (starts == 0) return 1;
  return std::min(1.0,
                  boost::math::gamma_p_inv(static_cast<double>(seen_once() + 1), 0.95) / static_cast<double>(starts));
}

Scouted scout(const Model& model, const ScoutOptions& options, const Context& given) {
  const Context context{given.streams.part(kTag), given.executor, given.stop};
  const LogDensity density(model, context);
  if (density.dimension() == 0) return {};
  Starts starts(model, density, std::max<std::size_t>(options.most_starts / 2, 1), options.most_draws, context.streams);
  Modes modes(density, starts.widths());
  const ClimbOptions rough{
      .tolerance = 1e-4, .whole_curvature = keeps_curvature(density), .polish = false, .most = most_of_climb(density)};
  Scouted out;
  const auto within_budget = [&] {
    std::size_t most = options.most;
    if (out.modes.size() > 1) {
      most = std::max(most, options.most_of_several);
      if (out.unseen() > options.enough && out.likely_unseen() < 0.5) most = std::max(most, options.most_until_enough);
    }
    return density.evaluations() - starts.evaluations_of_further() < most;
  };
  const auto report = [&] {
    out.modes = modes.all();
    out.evaluations = density.evaluations();
    return out.unseen() >
           (modes.all().size() > 1 ? std::min(options.enough, options.enough_of_several) : options.enough);
  };
  while (report() && within_budget() && out.starts < options.most_starts) {
    const std::vector<std::vector<double>> from = starts.take(kAtOnce);
    if (from.empty()) break;
    std::vector<Climb> ends(from.size());
    std::vector<std::size_t> uphill(from.size());
    const std::size_t known = modes.all().size();
    ClimbOptions near_top = rough;
    near_top.enough = modes.near_top();
    context.executor.for_each(from.size(), [&](std::size_t i) {
      ends[i] = climb(density.height(), from[i], {.step = starts.widths()}, near_top);
      uphill[i] = modes.uphill_from(ends[i]);
      const bool at_end = ends[i].converged && ends[i].value < near_top.enough;
      if (uphill[i] == known && !at_end)
        ends[i] = climb(density.height(), ends[i].x, {.step = modes.fine_steps()}, rough);
    });
    for (std::size_t i = 0; i < from.size(); ++i) uphill[i] < known ? modes.add_hit(uphill[i]) : modes.add(ends[i]);
    out.starts += from.size();
  }
  out.ended_early = report();
  out.possible = starts.possible();
  weigh(out.modes, density, context);
  out.evaluations = density.evaluations();
  return out;
}

BlockStorage highest_draws(const Model& model, std::size_t draws, std::size_t keep, const Context& given) {
  constexpr std::size_t kAtATime = 8192;
  const Context context{given.streams.part(kTagOfSweep), given.executor, given.stop};
  const LogDensity density(model, context);
  struct Draw {
    double height;
    std::vector<double> z;
  };
  std::vector<Draw> best;
  for (std::size_t first = 0; first < draws; first += kAtATime) {
    const std::size_t n = std::min(kAtATime, draws - first);
    BlockStorage theta(model.parameters().size(), n), z(density.dimension(), n);
    model.draw_prior(context.streams, static_cast<std::uint32_t>(first), theta);
    model.parameters().unconstrain(theta, z);
    const std::vector<double> heights = density.values(z);
    for (std::size_t i = 0; i < n; ++i)
      if (heights[i] > (best.size() < keep ? -kInf : best.back().height)) {
        best.push_back({heights[i], column(z, i)});
        std::ranges::stable_sort(best, std::greater(), &Draw::height);
        if (best.size() > keep) best.pop_back();
      }
  }
  BlockStorage out(density.dimension(), best.size());
  for (std::size_t i = 0; i < best.size(); ++i)
    for (std::size_t j = 0; j < out.rows(); ++j) out(j, i) = best[i].z[j];
  return out;
}

void scout_from(const Model& model, ConstBlock z, Scouted& found, const Context& given) {
  const Context context{given.streams.part(kTag), given.executor, given.stop};
  const LogDensity density(model, context);
  if (density.dimension() == 0) return;
  Modes modes(density, Starts(model, density, kForWidths, 0, context.streams).widths(), found.modes);
  ClimbOptions options{
      .tolerance = 1e-4, .whole_curvature = keeps_curvature(density), .polish = false, .most = most_of_climb(density)};
  options.enough = modes.near_top();
  for (std::size_t i = 0; i < z.size(); ++i) {
    const SearchBox near{.step = modes.fine_steps()};
    Climb end = climb(density.height(), column(z, i), near, options);
    if (modes.uphill_from(end) < modes.all().size()) continue;
    modes.add(std::move(end));
  }
  const std::size_t known = found.modes.size();
  std::vector<Mode> all = modes.all();
  for (std::size_t k = 0; k < all.size(); ++k) all[k].hits = k < known ? found.modes[k].hits : 0;
  found.modes = std::move(all);
  if (found.modes.size() > known) weigh(found.modes, density, context);
  found.evaluations += density.evaluations();
}

}  // namespace evident
