#include "proposal/quick_mixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/triangular.hpp"
#include "base/vector_math.hpp"
#include "dist/log_sum_rows.hpp"
#include "dist/scale_root.hpp"
#include "dist/special.hpp"
#include "evident/base/context.hpp"
#include "evident/base/log_math.hpp"
#include "proposal/student_parts.hpp"

namespace evident {
namespace {

using Pointers = std::array<const double*, QuickMixture::kMostRows>;

Pointers rows_of(ConstBlock block) {
  Pointers rows{};
  for (std::size_t j = 0; j < block.rows(); ++j) rows[j] = block.row_data(j);
  return rows;
}

// y = from + root x, for whole rows.
void affine(const BlockStorage& from, const std::vector<double>& root, ConstBlock x, const double* factor, Block y) {
  const Pointers constant = rows_of(from.block()), in = rows_of(x);
  std::array<double*, QuickMixture::kMostRows> out{};
  for (std::size_t j = 0; j < y.rows(); ++j) out[j] = y.row_data(j);
  vector_math::add_triangular(constant.data(), root.data(), in.data(), factor, y.rows(), x.size(), out.data());
}

BlockStorage constants(const std::vector<double>& values) {
  BlockStorage out(values.size(), kBlockSize);
  for (std::size_t j = 0; j < values.size(); ++j) std::fill_n(out.row(j).data(), kBlockSize, values[j]);
  return out;
}

}  // namespace

PointMoments point_moments(ConstBlock z, std::span<const double> weights) {
  const std::size_t d = z.rows();
  const Pointers rows = rows_of(z);
  PointMoments m{std::vector<double>(d), std::vector<double>(d * d)};
  vector_math::weighted_mean(weights.data(), rows.data(), d, z.size(), m.mean.data());
  vector_math::weighted_second(weights.data(), rows.data(), m.mean.data(), d, z.size(), m.second.data());
  double squares = 0;
  for (const double w : weights) squares += w * w;
  m.effective = 1 / squares;
  return m;
}

void QuickMixture::scale_weights(double factor) {
  for (std::size_t k = 0; k < size(); ++k) set_weight(k, factor * weight(k));
}

void QuickMixture::set_weight(std::size_t k, double weight) {
  Component& c = components_[k];
  c.log_density += std::log(weight / c.weight);
  c.weight = weight;
}

void QuickMixture::add(double weight, std::vector<double> mean, std::vector<double> root) {
  const auto n = static_cast<double>(d_);
  Component c{.weight = weight, .root = std::move(root), .inverse = {}, .centre = constants(mean), .offset = {}};
  c.inverse = dist::inverse_root(c.root, d_);
  c.offset.assign(d_, 0.0);
  for (std::size_t a = 0; a < d_; ++a)
    for (std::size_t b = 0; b <= a; ++b) c.offset[a] -= c.inverse[a * d_ + b] * mean[b];
  c.log_density = std::log(weight) + dist::log_gamma(0.5 * (kFreedom + n)) - dist::log_gamma(0.5 * kFreedom) -
                  0.5 * n * (std::log(kFreedom) + kLog2Pi - std::log(2.0));
  for (std::size_t j = 0; j < d_; ++j) c.log_density -= std::log(c.root[j * d_ + j]);
  components_.push_back(std::move(c));
}

void QuickMixture::log_parts(ConstBlock z, Block out, Block square) const {
  const double power = 0.5 * (kFreedom + static_cast<double>(d_));
  for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, z.size() - first);
    const Pointers rows = rows_of(z.columns(first, n));
    for (std::size_t k = 0; k < size(); ++k) {
      const Component& c = components_[k];
      const StudentPart part{c.inverse.data(), c.offset.data(), c.log_density, power, kFreedom};
      log_student(part, rows.data(), d_, n, out.row_data(k) + first,
                  square.rows() > 0 ? square.row_data(k) + first : nullptr);
    }
  }
}

void QuickMixture::draw(std::size_t k, ConstBlock noise, const double* wide, Block out) const {
  affine(components_[k].centre, components_[k].root, noise, wide, out);
}

void QuickMixture::draw_one(std::size_t k, ConstBlock noise, double wide, std::size_t i, Block out) const {
  const Component& c = components_[k];
  for (std::size_t a = 0; a < d_; ++a) {
    double sum = 0;
    for (std::size_t b = 0; b <= a; ++b) sum += c.root[a * d_ + b] * noise(b, i);
    out(a, i) = c.centre(a, 0) + wide * sum;
  }
}

void QuickMixture::fill_wide(const Streams& streams, DrawIdentity id, std::size_t n, double* out) {
  BlockStorage uniform(kPairs, n);
  id.purpose = Purpose::scale;
  streams.fill_uniform(id, uniform);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = 1;
    for (std::size_t j = 0; j < kPairs; ++j) out[i] *= uniform(j, i);
  }
  vector_math::log(out, out, n);
  for (std::size_t i = 0; i < n; ++i) out[i] = std::sqrt(kFreedom / (-2 * out[i]));
}

namespace {

// The weighted points between which a share u of the weight lies.
std::size_t pick(std::span<const double> chance, double u) {
  double left = u * std::accumulate(chance.begin(), chance.end(), 0.0);
  std::size_t i = 0;
  while (i + 1 < chance.size() && left >= chance[i]) left -= chance[i++];
  return i;
}

}  // namespace

// Each further centre is drawn with a chance that grows with the squared distance to those before (Arthur and
// Vassilvitskii 2007), on coordinates of unit covariance.
QuickMixture QuickMixture::around(ConstBlock z, std::span<const double> weights, std::size_t components,
                                  Stream& random) {
  const std::size_t d = z.rows(), n = z.size();
  const PointMoments all = point_moments(z, weights);
  const std::vector<double> root = dist::scale_root(all.second, d, all.effective);
  QuickMixture out(d), single(d);
  if (components == 1) {
    out.add(1, all.mean, root);
    out.improve(z, weights);
    return out;
  }
  std::vector<double> narrow = root, chance(weights.begin(), weights.end()), nearest(n, kInf);
  const double factor = std::pow(static_cast<double>(components), -1 / static_cast<double>(d));
  for (double& v : narrow) v *= factor;
  BlockStorage part(1, n), square(1, n);
  for (std::size_t k = 0; k < components; ++k) {
    const std::size_t centre = pick(chance, random.uniform());
    std::vector<double> mean(d);
    for (std::size_t j = 0; j < d; ++j) mean[j] = z(j, centre);
    single = QuickMixture(d);
    single.add(1, mean, root);
    single.log_parts(z, part, square);
    for (std::size_t i = 0; i < n; ++i) {
      nearest[i] = std::min(nearest[i], square(0, i));
      chance[i] = weights[i] * nearest[i];
    }
    out.add(1 / static_cast<double>(components), std::move(mean), narrow);
  }
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) out.improve(z, weights);
  return out;
}

void QuickMixture::improve(ConstBlock z, std::span<const double> weights) {
  const std::size_t n = z.size();
  BlockStorage share(size(), n), square(size(), n), held(1, n);
  AlignedVector<double> total(n);
  log_parts(z, share, square);
  dist::log_sum_rows(share, total);
  const Pointers rows = rows_of(z);
  QuickMixture next(d_);
  double kept = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    // Several sums side by side, because each addition waits for the one before.
    double masses[kLane] = {}, all_squares[kLane] = {}, all_stretched[kLane] = {};
    for (std::size_t first = 0; first < n; first += kLane) {
      const std::size_t some = std::min(kLane, n - first);
      const double *weight = weights.data() + first, *part = share.row(k).data() + first;
      const double* distance = square.row(k).data() + first;
      double* out = held.row(0).data() + first;
      for (std::size_t i = 0; i < some; ++i) {
        const double w = weight[i] * part[i];
        masses[i] += w;
        all_squares[i] += w * w;
        out[i] = w * (kFreedom + static_cast<double>(d_)) / (kFreedom + distance[i]);
        all_stretched[i] += out[i];
      }
    }
    const auto sum = [](const double(&v)[kLane]) { return std::accumulate(std::begin(v), std::end(v), 0.0); };
    const double mass = sum(masses), squares = sum(all_squares), stretched = sum(all_stretched);
    const double effective = squares > 0 ? mass * mass / squares : 0;
    if (!(effective >= static_cast<double>(d_ + 2))) continue;
    std::vector<double> mean(d_), second(d_ * d_);
    vector_math::weighted_mean(held.row(0).data(), rows.data(), d_, n, mean.data());
    for (double& v : mean) v /= stretched;
    vector_math::weighted_second(held.row(0).data(), rows.data(), mean.data(), d_, n, second.data());
    for (double& v : second) v /= stretched;
    next.add(mass, std::move(mean), dist::scale_root(second, d_, effective));
    kept += mass;
  }
  if (next.size() == 0) return;
  next.scale_weights(1 / kept);
  *this = std::move(next);
}

}  // namespace evident
