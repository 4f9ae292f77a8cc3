#include "smc/start_density.hpp"

#include <algorithm>
#include <cmath>

#include "dist/log_sum_rows.hpp"
#include "evident/base/log_math.hpp"
#include "evident/path/target.hpp"
#include "proposal/quick_mixture.hpp"

namespace evident {
namespace {

constexpr double kGolden = 0.6180339887498949;

}  // namespace

std::size_t QuickStart::dimension() const { return mixture_.dimension(); }

void QuickStart::draw(const Streams& streams, std::uint32_t first, Block z) const {
  BlockStorage noise(z.rows(), z.size());
  const DrawIdentity id{.particle = first, .purpose = Purpose::prior};
  streams.fill_normal(id, noise);
  AlignedVector<double> wide(padded(z.size()));
  QuickMixture::fill_wide(streams, id, z.size(), wide.data());
  for (std::size_t i = 0; i < z.size(); ++i) {
    double left = streams.at({.particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::other}).uniform();
    std::size_t k = 0;
    while (k + 1 < mixture_.size() && left > mixture_.weight(k)) left -= mixture_.weight(k++);
    mixture_.draw_one(k, noise, wide[i], i, z);
  }
}

void QuickStart::log_density(ConstBlock z, std::span<double> out) const {
  for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, z.size() - first);
    BlockStorage parts(mixture_.size(), n);
    AlignedVector<double> total(n);
    mixture_.log_parts(z.columns(first, n), parts, {});
    dist::log_sum_rows(parts, total);
    std::copy_n(total.begin(), n, out.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

// Multiples of the golden ratio, from a random start, spread the draws evenly over the components.
void PriorAndModes::draw(const Streams& streams, std::uint32_t first, Block z) const {
  const double start = streams.at({.purpose = Purpose::other}).uniform();
  BlockStorage theta(model_.parameters().size(), z.size());
  model_.draw_prior(streams, first, theta);
  model_.parameters().unconstrain(theta, z);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double place = start + kGolden * static_cast<double>(first + i);
    const double left = place - std::floor(place) - share_of_prior_;
    if (left < 0) continue;
    Stream stream = streams.at({.particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::proposal});
    modes_.draw_component(modes_.component_at(left / (1 - share_of_prior_)), stream, i, z);
  }
}

void PriorAndModes::log_density(ConstBlock z, std::span<double> out) const {
  EvaluationCount count;
  const TemperedTarget prior(model_, 0.0, count);
  const double of_prior = std::log(share_of_prior_), of_modes = std::log1p(-share_of_prior_);
  for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, z.size() - first);
    BlockStorage theta(model_.parameters().size(), n);
    AlignedVector<double> log_prior(n), log_jacobian(n);
    const std::span<double> to = out.subspan(first, n);
    modes_.log_density(z.columns(first, n), to);
    prior.prior(z.columns(first, n), theta, log_prior, log_jacobian);
    for (std::size_t i = 0; i < n; ++i) {
      const double a = of_modes + to[i], b = of_prior + log_prior[i], top = std::max(a, b);
      to[i] = top == -kInf ? -kInf : top + std::log(std::exp(a - top) + std::exp(b - top));
    }
  }
}

}  // namespace evident
