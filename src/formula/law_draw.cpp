#include "formula/law_draw.hpp"

#include <algorithm>
#include <cmath>

#include "evident/base/log_math.hpp"

namespace evident::formula {
namespace {

double share_of(double logit) {
  return logit >= 0 ? 1 / (1 + std::exp(-logit)) : std::exp(logit) / (1 + std::exp(logit));
}

/// Laws on another scale, by the family on its own.
std::string family_name(const std::string& law) {
  if (law == "bernoulli-logit") return "bernoulli";
  if (law == "binomial-logit") return "binomial";
  return law == "poisson-log" ? "poisson" : law;
}

/// Which of `count` weights a draw falls on; `count` when they are no weights.
std::size_t choose(const double* weights, std::size_t count, Stream& stream) {
  double total = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (!(weights[k] >= 0)) return count;
    total += weights[k];
  }
  if (!(total > 0 && total < kInf)) return count;
  double left = stream.uniform() * total;
  std::size_t last = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (weights[k] > 0) last = k;
    left -= weights[k];
    if (left < 0) break;
  }
  return last;
}

}  // namespace

LawDraw::LawDraw(const Graph& g, const Law& law, std::vector<NodeId>& nodes)
    : kind_(law.kind),
      name_(law.name),
      discrete_(is_discrete(law)),
      first_(nodes.size()),
      count_(law.arguments.size()) {
  nodes.insert(nodes.end(), law.arguments.begin(), law.arguments.end());
  if (law.lower != kNone) {
    lower_ = nodes.size();
    nodes.push_back(law.lower);
  }
  if (law.upper != kNone) {
    upper_ = nodes.size();
    nodes.push_back(law.upper);
  }
  if (kind_ == Law::plain) family_ = &family(family_name(name_));
  for (const Law& part : law.parts) parts_.emplace_back(g, part, nodes);
}

double LawDraw::plain(const double* values, Stream& stream) const {
  const double* x = values + first_;
  double changed[2] = {};
  if (name_ == "bernoulli-logit") {
    changed[0] = share_of(x[0]);
    x = changed;
  } else if (name_ == "binomial-logit") {
    changed[0] = x[0];
    changed[1] = share_of(x[1]);
    x = changed;
  } else if (name_ == "poisson-log") {
    changed[0] = std::exp(x[0]);
    x = changed;
  }
  return family_->valid(x) ? family_->draw(stream, x) : kNaN;
}

double LawDraw::by_halving(const double* values, double lower, double upper, Stream& stream) const {
  // Constants fold, so that a little graph of them is a calculator.
  const LawDraw& inner = parts_[0];
  if (inner.kind_ != Law::plain) return kNaN;
  const auto tail = [&](double y, bool above) {
    Graph g;
    Law law{.name = inner.name_};
    for (std::size_t k = 0; k < inner.count_; ++k) law.arguments.push_back(g.constant(values[inner.first_ + k]));
    const NodeId at = g.constant(y);
    return g[above ? log_survival(g, law, at) : log_cdf(g, law, at)].value;
  };
  double low = discrete_ ? std::ceil(lower) - 1 : lower, high = upper;  // its share below leaves `lower` itself out
  if (std::isinf(low)) low = std::isinf(high) ? -1 : high - std::max(1.0, std::abs(high));
  if (std::isinf(high)) high = std::max(low, 0.0) + std::max(1.0, std::abs(low));
  for (int k = 0; k < 60 && std::isinf(upper) && tail(high, true) > tail(low, true) - 40; ++k) high += high - low;
  for (int k = 0; k < 60 && std::isinf(lower) && tail(low, false) > tail(high, false) - 40; ++k) low -= high - low;
  // From the side whose shares are small.
  const bool above = tail(low, true) < tail(low, false);
  const double from = tail(above ? low : high, above), to = tail(above ? high : low, above);
  const double u = stream.uniform();
  const double goal = from + std::log1p(-u * -std::expm1(to - from));  // log of the share beyond the draw
  if (std::isnan(goal)) return kNaN;
  for (int k = 0; k < 200 && high - low > (discrete_ ? 0.5 : 1e-14 * std::max(std::abs(low), std::abs(high))); ++k) {
    const double middle = low + (high - low) / 2;
    (tail(middle, above) > goal) == above ? low = middle : high = middle;
  }
  return discrete_ ? std::clamp(std::floor(high), lower, upper) : std::clamp(low + (high - low) / 2, lower, upper);
}

double LawDraw::truncated(const double* values, Stream& stream) const {
  const double lower = lower_ == kNoBound ? -kInf : values[lower_], upper = upper_ == kNoBound ? kInf : values[upper_];
  if (!(lower <= upper)) return kNaN;
  for (int k = 0; k < 100; ++k) {
    const double y = parts_[0](values, stream);
    if (std::isnan(y) || (y >= lower && y <= upper)) return y;
  }
  return by_halving(values, lower, upper, stream);
}

double LawDraw::operator()(const double* values, Stream& stream) const {
  switch (kind_) {
    case Law::plain:
      return plain(values, stream);
    case Law::mixture: {
      const std::size_t k = choose(values + first_, count_, stream);
      return k < count_ ? parts_[k](values, stream) : kNaN;
    }
    case Law::censored: {
      double y = parts_[0](values, stream);
      if (lower_ != kNoBound && y < values[lower_]) y = values[lower_];
      if (upper_ != kNoBound && y > values[upper_]) y = values[upper_];
      return y;
    }
    case Law::truncated:
      return truncated(values, stream);
    case Law::categorical:
    case Law::categorical_logit: {
      std::vector<double> weights(values + first_, values + first_ + count_);
      if (kind_ == Law::categorical_logit) {
        const double top = *std::ranges::max_element(weights);
        for (double& w : weights) w = std::exp(w - top);
      }
      const std::size_t k = choose(weights.data(), count_, stream);
      return k < count_ ? static_cast<double>(k + 1) : kNaN;
    }
    default:
      return kNaN;
  }
}

}  // namespace evident::formula
