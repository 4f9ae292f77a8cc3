#include "imaging/pet/blood/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace evident::imaging {

BloodSeries ordered(std::span<const double> time, std::span<const double> value, const std::string& what,
                    std::vector<std::string>& warnings) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (std::isfinite(time[i]) && std::isfinite(value[i])) order.push_back(i);
  }
  const auto earlier = [&](std::size_t a, std::size_t b) { return time[a] < time[b]; };
  if (!std::ranges::is_sorted(order, earlier)) {
    warnings.push_back(fmt::format("{}: samples are not in the order of time; sorted", what));
    std::ranges::stable_sort(order, earlier);
  }
  BloodSeries out;
  std::size_t repeated = 0;
  for (std::size_t k = 0; k < order.size();) {
    double sum = 0;
    std::size_t j = k;
    for (; j < order.size() && time[order[j]] == time[order[k]]; ++j) sum += value[order[j]];
    out.time.push_back(time[order[k]]);
    out.value.push_back(sum / static_cast<double>(j - k));
    repeated += j - k > 1;
    k = j;
  }
  if (repeated > 0) {
    warnings.push_back(
        fmt::format("{}: {} time{} with more than one sample; averaged", what, repeated, repeated == 1 ? "" : "s"));
  }
  return out;
}

BloodSeries merged(const BloodSeries& first, const BloodSeries& second) {
  BloodSeries out;
  std::size_t i = 0, j = 0;
  while (i < first.size() || j < second.size()) {
    const bool take_first = j == second.size() || (i < first.size() && first.time[i] <= second.time[j]);
    if (take_first && j < second.size() && first.time[i] == second.time[j]) ++j;
    const BloodSeries& from = take_first ? first : second;
    std::size_t& k = take_first ? i : j;
    out.time.push_back(from.time[k]);
    out.value.push_back(from.value[k]);
    ++k;
  }
  return out;
}

double linear_at(const BloodSeries& s, double time) {
  if (time <= s.time.front()) return s.value.front();
  if (time >= s.time.back()) return s.value.back();
  const auto i = static_cast<std::size_t>(std::ranges::upper_bound(s.time, time) - s.time.begin());
  const double part = (time - s.time[i - 1]) / (s.time[i] - s.time[i - 1]);
  return s.value[i - 1] + part * (s.value[i] - s.value[i - 1]);
}

MonotoneCurve::MonotoneCurve(BloodSeries samples) : s_(std::move(samples)), slope_(s_.size(), 0.0) {
  const std::size_t n = s_.size();
  if (n < 2) return;
  std::vector<double> chord(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) chord[i] = (s_.value[i + 1] - s_.value[i]) / (s_.time[i + 1] - s_.time[i]);
  slope_.front() = chord.front();
  slope_.back() = chord.back();
  for (std::size_t i = 1; i + 1 < n; ++i) slope_[i] = chord[i - 1] * chord[i] > 0 ? (chord[i - 1] + chord[i]) / 2 : 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (chord[i] == 0) {
      slope_[i] = slope_[i + 1] = 0;
      continue;
    }
    const double a = slope_[i] / chord[i], b = slope_[i + 1] / chord[i], size = std::hypot(a, b);
    if (size > 3) {
      slope_[i] *= 3 / size;
      slope_[i + 1] *= 3 / size;
    }
  }
}

double MonotoneCurve::operator()(double time) const {
  if (time <= s_.time.front()) return s_.value.front();
  if (time >= s_.time.back()) return s_.value.back();
  const auto i = static_cast<std::size_t>(std::ranges::upper_bound(s_.time, time) - s_.time.begin());
  const double h = s_.time[i] - s_.time[i - 1], u = (time - s_.time[i - 1]) / h, v = 1 - u;
  const double y = v * v * (1 + 2 * u) * s_.value[i - 1] + u * v * v * h * slope_[i - 1] +
                   u * u * (3 - 2 * u) * s_.value[i] - u * u * v * h * slope_[i];
  return std::clamp(y, std::min(s_.value[i - 1], s_.value[i]), std::max(s_.value[i - 1], s_.value[i]));
}

Tail fit_tail(std::span<const double> time, std::span<const double> value) {
  const double last = time.back();
  double n = 0, mean_t = 0, mean_y = 0;
  std::vector<std::pair<double, double>> points;  // seconds after the last sample, log of the value
  for (std::size_t i = time.size(); i-- > 0;) {
    if (time[i] < last / 2 && points.size() >= 3) break;
    if (time[i] <= 0) break;
    if (value[i] > 0) points.emplace_back(time[i] - last, std::log(value[i]));
  }
  for (const auto& [t, y] : points) {
    n += 1;
    mean_t += (t - mean_t) / n;
    mean_y += (y - mean_y) / n;
  }
  if (points.size() < 2) return {};
  double above = 0, below = 0;
  for (const auto& [t, y] : points) {
    above += (t - mean_t) * (y - mean_y);
    below += (t - mean_t) * (t - mean_t);
  }
  const double rate = std::max(0.0, -above / below);
  return {std::exp(mean_y + rate * mean_t), rate, points.size()};
}

void append_tail(std::vector<double>& time, std::vector<double>& value, double end, const Tail& tail) {
  const double last = time.back(), length = end - last;
  if (!(length > 0)) return;
  // A chord of an exponential over x e-folds is off by x^2 / 8.
  const double folds = tail.rate * length;
  const auto count = static_cast<std::size_t>(std::clamp(std::ceil(folds / 0.1), 1.0, 200.0));
  for (std::size_t k = 1; k <= count; ++k) {
    const double t = length * static_cast<double>(k) / static_cast<double>(count);
    time.push_back(k == count ? end : last + t);
    value.push_back(tail.value * std::exp(-tail.rate * t));
  }
}

}  // namespace evident::imaging
