#include <algorithm>
#include <cmath>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "model/item.hpp"

namespace evident {

OrderedItem::OrderedItem(const Distribution& prior, std::size_t first_row, std::size_t free_first_row,
                         std::size_t count, const std::vector<std::size_t>& argument_rows) {
  first = first_row;
  free_first = free_first_row;
  size = free_size = count;
  for (std::size_t k = 0; k < count; ++k) {
    entries.emplace_back(prior, Scale::automatic, argument_rows);
    entries.back().first = first + k;
    entries.back().free_first = free_first + k;
    log_orders_ += std::log(static_cast<double>(k + 1));
  }
  const ScalarItem& one = entries.front();
  if (one.lower_row != ScalarItem::npos || one.upper_row != ScalarItem::npos)
    throw InputError("the bounds of an ordered vector's prior must be numbers");
  support_ = one.fixed;
  if (std::isfinite(support_.upper) && !std::isfinite(support_.lower))
    throw InputError("an ordered vector's prior with an upper bound needs a lower one, too");
}

void OrderedItem::draw(Stream& stream, std::span<double> theta) const {
  for (const ScalarItem& e : entries) e.draw(stream, theta);
  std::ranges::sort(theta.subspan(first, size));
}

void OrderedItem::add_log_density(ConstBlock theta, std::span<double> out) const {
  for (const ScalarItem& e : entries) e.add_log_density(theta, out);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    bool in_order = true;
    for (std::size_t k = 1; k < size; ++k) in_order = in_order && theta(first + k, i) >= theta(first + k - 1, i);
    out[i] = in_order ? out[i] + log_orders_ : -kInf;
  }
}

void OrderedItem::add_gradient(ConstBlock theta, Block gradient) const {
  for (const ScalarItem& e : entries) e.add_gradient(theta, gradient);
}

double OrderedItem::lower_of(std::size_t k, ConstBlock theta, std::size_t i) const {
  return k == 0 ? support_.lower : theta(first + k - 1, i);
}

void OrderedItem::constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const {
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double x = z(free_first + k, i), lower = lower_of(k, theta, i);
      double& to = theta(first + k, i);
      if (!std::isfinite(lower)) {
        to = x;
      } else if (!std::isfinite(support_.upper)) {
        to = lower + std::exp(x);
        log_jacobian[i] += x;
      } else {
        const double e = std::exp(-std::abs(x)), share = x < 0 ? e / (1 + e) : 1 / (1 + e);
        const double width = support_.upper - lower;
        to = lower + width * share;
        log_jacobian[i] += std::log(width) - std::abs(x) - 2 * std::log1p(e);
      }
    }
  }
}

void OrderedItem::unconstrain(ConstBlock theta, Block z) const {
  constexpr double kNudge = 1e-15;
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double x = theta(first + k, i), lower = lower_of(k, theta, i), above = x - lower;
      double& to = z(free_first + k, i);
      if (!std::isfinite(lower)) {
        to = x;
      } else if (!std::isfinite(support_.upper)) {
        to = std::log(above > 0 ? above : kNudge * std::max(std::abs(x), 1e-290));
      } else {
        const double p = std::clamp(above / (support_.upper - lower), kNudge, 1 - kNudge);
        to = std::log(p) - std::log1p(-p);
      }
    }
  }
}

void OrderedItem::pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const {
  const double jacobian = add_log_jacobian ? 1.0 : 0.0;
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double g = adjoint(first + k, i), lower = lower_of(k, theta, i), above = theta(first + k, i) - lower;
      double& to = d_z(free_first + k, i);
      double to_lower = 0;
      if (!std::isfinite(lower)) {
        to = g;
      } else if (!std::isfinite(support_.upper)) {
        to = g * above + jacobian;
        to_lower = g;
      } else {
        const double width = support_.upper - lower, p = above / width;
        to = g * width * p * (1 - p) + jacobian * (1 - 2 * p);
        to_lower = g * (1 - p) - jacobian / width;
      }
      if (k > 0) adjoint(first + k - 1, i) += to_lower;
    }
  }
}

}  // namespace evident
