#include "models/goodwin/curve_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "evident/base/log_math.hpp"
#include "models/goodwin/goodwin.hpp"

namespace evident::goodwin {
namespace {

/// Neighbouring cells of a0 differ by this phase at the end of the record, or by this part of a0.
constexpr double kPhase = 1.2, kPart = 0.03;
constexpr std::size_t kMostA0 = 1500;

/// Edges of log b: curves change quickly where feedback sets in, slowly when it is strong.
constexpr double kLowestB = -0.5, kStrongB = 3.5, kFineB = 0.05, kCoarseB = 0.1;

double turn(const GoodwinProblem::Plan& plan) { return std::tan(kPi / std::max(static_cast<double>(plan.m), 3.0)); }

std::vector<double> edges_of_a0(const GoodwinProblem::Plan& plan) {
  const DecayRange range = decay_range(plan);
  const double last = std::exp(range.fastest);
  const double step = std::max(kPhase / (turn(plan) * plan.times.back()), last / static_cast<double>(kMostA0));
  std::vector<double> edges;
  for (double a0 = std::exp(range.slowest); a0 < last; a0 += std::min(kPart * a0, step)) edges.push_back(std::log(a0));
  edges.push_back(range.fastest);
  return edges;
}

std::vector<double> edges_of_b() {
  std::vector<double> edges;
  for (double b = kLowestB; b < kStrongB - 0.5 * kFineB; b += kFineB) edges.push_back(b);
  for (double b = kStrongB; b < kHighestB + 0.5 * kCoarseB; b += kCoarseB) edges.push_back(b);
  return edges;
}

std::size_t cell_of(const std::vector<double>& edges, double x) {
  return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), x) - edges.begin()) - 1;
}

/// Logarithms of the sizes of the states; NaN where nothing is known.
using Sizes = std::array<double, kMaxM>;

/// Sizes between two known ones go evenly from one to the other; those before the first are like it. The last of the m
/// is known.
void bridge_gaps(Sizes& size, std::size_t m) {
  std::size_t first = 0;
  while (std::isnan(size[first])) ++first;
  double before = 0;
  for (std::size_t k = 0; k < m; ++k) {
    if (k < first) size[k] = size[first];
    if (std::isnan(size[k])) {
      std::size_t next = k;
      while (std::isnan(size[next])) ++next;
      size[k] = before + (size[next] - before) / static_cast<double>(next - k + 1);
    }
    before = size[k];
  }
}

/// Column i of theta gets parameters with these sizes: a2 takes what is left if the last size is known, and is 1
/// otherwise. Returns the sum of their logarithms.
double set_parameters(const GoodwinProblem::Plan& plan, double log_a0, double log_b, Sizes size, Block theta,
                      std::size_t i) {
  const std::size_t m = plan.m;
  const bool last_known = !std::isnan(size[m - 1]);
  if (!last_known) size[m - 1] = log_b;
  bridge_gaps(size, m);
  const auto set = [&](std::size_t j, double logarithm) {
    theta(j, i) = std::exp(std::clamp(logarithm, -700.0, 700.0));
    return std::log(theta(j, i));
  };
  double sum = set(0, log_a0) + set(1, size[0] + log_a0);
  sum += set(2, last_known ? plan.feedback.rho * (log_b - size[m - 1]) : 0.0);
  for (std::size_t k = 1; k < m; ++k) sum += set(2 + k, size[k] - size[k - 1] + log_a0);
  return sum;
}

}  // namespace

DecayRange decay_range(const GoodwinProblem::Plan& plan) {
  // A chain of m equal decays a0 oscillates with period 2 pi / (a0 tan(pi / m)). What the data can show has a period
  // between two gaps and the whole record. Slower curves can be told apart by how they rise, faster ones when they are
  // seen once in several turns.
  const double record = plan.times.back(), first = plan.times.front();
  const auto intervals = static_cast<double>(plan.times.size() - 1);
  const double gap = intervals > 0 && record > first ? (record - first) / intervals : record;
  const double one = std::log(2 * kPi / turn(plan));
  return {one - std::log(record) - 2, one - 0.5 * std::log(2 * gap * record), one - std::log(2 * gap) + std::log(3.0)};
}

CurveMap::CurveMap(const Goodwin& model) {
  const GoodwinProblem::Plan& plan = model.problem().plan();
  a0_ = edges_of_a0(plan);
  b_ = edges_of_b();
  std::vector<std::size_t> observed = plan.states;
  std::sort(observed.begin(), observed.end());
  observed.erase(std::unique(observed.begin(), observed.end()), observed.end());
  states_ = observed.size();
  const std::size_t rows = a0_.size() - 1, columns = b_.size() - 1;
  fits_.resize(rows * columns * states_);
  priors_.resize(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) fill_row(model, observed, row);
}

void CurveMap::fill_row(const Goodwin& model, const std::vector<std::size_t>& observed, std::size_t row) {
  const GoodwinProblem::Plan& plan = model.problem().plan();
  const std::size_t columns = b_.size() - 1;
  BlockStorage theta(plan.m + 2, columns), sums(2 * plan.columns, columns);
  AlignedVector<double> ll(columns), prior(columns);
  const double log_a0 = 0.5 * (a0_[row] + a0_[row + 1]);
  const auto log_b = [&](std::size_t i) { return 0.5 * (b_[i] + b_[i + 1]); };
  // Curves of sizes 1: all others are multiples of them.
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < plan.m + 2; ++j) theta(j, i) = std::exp(log_a0);
    theta(2, i) = std::exp(plan.feedback.rho * log_b(i));
  }
  goodwin_sums(model.problem(), theta, ll, sums);
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t cell = row * columns + i;
    Sizes size{};
    size.fill(kNaN);
    for (std::size_t k = 0; k < states_; ++k) {
      double square = 0, product = 0;
      for (std::size_t c = 0; c < plan.columns; ++c)
        if (plan.states[c] == observed[k]) square += sums(2 * c, i), product += sums(2 * c + 1, i);
      if (!(ll[i] > -kInf) || !(square > 1e-270) || !(product > 0)) continue;
      const double gain = product / square * product * plan.inverse_two_variance;
      fits_[cell * states_ + k] = {static_cast<float>(gain), static_cast<float>(std::sqrt(2 * gain))};
      size[observed[k]] = std::log(product / square);
    }
    priors_[cell] = static_cast<float>(set_parameters(plan, log_a0, log_b(i), size, theta, i));
  }
  model.log_prior(theta, prior);
  for (std::size_t i = 0; i < columns; ++i) priors_[row * columns + i] += static_cast<float>(prior[i]);
}

double CurveMap::area(std::size_t cell) const {
  const std::size_t columns = b_.size() - 1, row = cell / columns, column = cell % columns;
  return (a0_[row + 1] - a0_[row]) * (b_[column + 1] - b_[column]);
}

double CurveMap::log_weight(std::size_t cell, double alpha) const {
  // A size is near its best value, or anywhere below where the data would notice it.
  constexpr double kTail = 10;
  double sum = priors_[cell];
  for (std::size_t k = 0; k < states_; ++k) {
    const Fit& fit = fits_[cell * states_ + k];
    const double peak = alpha * fit.gain + std::log(2.5 / std::max(std::sqrt(alpha) * fit.precision, 0.5));
    sum += log_add_exp(peak, std::log(kTail));
  }
  return sum;
}

CurveMap::Level CurveMap::make_level(double alpha) const {
  Level level;
  std::vector<double>& weight = level.log_density;
  weight.resize(priors_.size());
  double top = -kInf;
  for (std::size_t cell = 0; cell < weight.size(); ++cell) {
    weight[cell] = log_weight(cell, alpha);
    if (std::isnan(weight[cell])) weight[cell] = -kInf;
    top = std::max(top, weight[cell]);
  }
  if (!(top > -kInf)) {  // a prior that leaves nothing of the map: then it says nothing
    std::fill(weight.begin(), weight.end(), 0.0);
    top = 0;
  }
  double sum = 0;
  level.cumulative.resize(weight.size());
  for (std::size_t cell = 0; cell < weight.size(); ++cell)
    level.cumulative[cell] = sum += std::exp(weight[cell] - top) * area(cell);
  for (double& c : level.cumulative) c /= sum;
  for (double& w : weight) w -= top + std::log(sum);
  return level;
}

std::shared_ptr<const CurveMap::Level> CurveMap::level(double alpha) const {
  constexpr double kPerDoubling = 8;
  constexpr std::size_t kKept = 16;  // replicates in parallel are at different powers
  const int index = static_cast<int>(std::floor(kPerDoubling * std::log2(alpha)));
  const std::scoped_lock lock(mutex_);
  const auto known = std::find_if(levels_.begin(), levels_.end(), [&](const auto& l) { return l.first == index; });
  if (known != levels_.end()) return known->second;
  levels_.emplace_front(index, std::make_shared<const Level>(make_level(std::exp2(index / kPerDoubling))));
  if (levels_.size() > kKept) levels_.pop_back();
  return levels_.front().second;
}

std::pair<double, double> CurveMap::draw(const Level& level, double u_cell, double u_a0, double u_b) const {
  const auto found = std::upper_bound(level.cumulative.begin(), level.cumulative.end() - 1, u_cell);
  const auto cell = static_cast<std::size_t>(found - level.cumulative.begin());
  const std::size_t row = cell / (b_.size() - 1), column = cell % (b_.size() - 1);
  return {a0_[row] + u_a0 * (a0_[row + 1] - a0_[row]), b_[column] + u_b * (b_[column + 1] - b_[column])};
}

double CurveMap::log_density(const Level& level, double log_a0, double log_b) const {
  if (!(log_a0 >= a0_.front() && log_a0 < a0_.back() && log_b >= b_.front() && log_b < b_.back())) return -kInf;
  return level.log_density[cell_of(a0_, log_a0) * (b_.size() - 1) + cell_of(b_, log_b)];
}

}  // namespace evident::goodwin
