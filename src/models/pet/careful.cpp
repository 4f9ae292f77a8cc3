// One particle at a time, with one logarithm per frame: for the few particles that the kernels hand back.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "dist/special.hpp"
#include "evident/base/log_math.hpp"
#include "models/pet/likelihood.hpp"

namespace evident::pet {

std::vector<double> predictions(const Curve& curve, std::span<const double> phi, std::span<const double> theta) {
  std::vector<double> c(curve.blood.begin(), curve.blood.begin() + static_cast<std::ptrdiff_t>(curve.frames));
  std::vector<double> k(curve.frames);
  const double tissue = curve.table->tissue();
  for (std::size_t j = 0; j < phi.size(); ++j) {
    curve.table->evaluate(theta[j], k);
    for (std::size_t i = 0; i < c.size(); ++i)
      c[i] += phi[j] / curve.unit * curve.table->frames().dt[i] * k[i] * tissue;
  }
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::isnan(c[i]) ? c[i] : std::max(std::abs(c[i]), curve.floor[i]);
  return c;
}

namespace {

template <class Term>
Terms sum_over_frames(const Curve& curve, std::span<const double> phi, std::span<const double> theta, Term term) {
  Terms out{0, 0};
  const std::vector<double> c = predictions(curve, phi, theta);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!(c[i] > 0 && c[i] < kInf)) return {kInf, 0};
    // (r/c) r rather than r r / c: no overflow before the value itself does.
    const double r = curve.activity[i] - c[i];
    out.sum += term(r / c[i] * r);
    out.log_product += std::log(c[i]);
  }
  return out;
}

}  // namespace

Curve make_curve(const ConvolutionTable& table, std::span<const double> activity, double activity_floor) {
  Curve curve{.table = &table, .activity = {}, .floor = {}, .blood = {}, .frames = activity.size()};
  const PetBlood& blood = table.blood();
  const std::vector<double>& dt = table.frames().dt;
  double largest = 0;
  for (std::size_t i = 0; i < activity.size(); ++i) largest = std::max(largest, dt[i] * std::abs(activity[i]));
  if (largest > 0) curve.unit = largest;
  curve.activity.assign(table.width(), 1.0);
  curve.floor.assign(table.width(), 1.0);
  curve.blood.assign(table.width(), 0.0);
  for (std::size_t i = 0; i < activity.size(); ++i) {
    curve.activity[i] = dt[i] * activity[i] / curve.unit;
    curve.floor[i] = dt[i] * activity_floor / curve.unit;
    if (blood.volume > 0) curve.blood[i] = dt[i] * blood.volume * blood.activity[i] / curve.unit;
    curve.most_blood = std::max(curve.most_blood, std::abs(curve.blood[i]));
  }
  return curve;
}

Terms careful_normal_terms(const Curve& curve, std::span<const double> phi, std::span<const double> theta) {
  return sum_over_frames(curve, phi, theta, [](double squared) { return squared; });
}

Terms careful_student_terms(const Curve& curve, std::span<const double> phi, std::span<const double> theta,
                            double lambda, double w) {
  const double scale = lambda * curve.unit;
  return sum_over_frames(curve, phi, theta,
                         [=](double squared) { return w > 0 ? std::log1p(w * scale * squared) / w : scale * squared; });
}

double frames_log_density(const Curve& curve, std::span<const double> phi, std::span<const double> theta, double lambda,
                          double w, std::size_t first, std::size_t count) {
  constexpr double kNormal = 1e-9;  // below this 1/nu the two agree to nine digits, and the gamma functions do not
  const bool student = w > kNormal;
  const double constant = student ? dist::log_gamma(0.5 / w + 0.5) - dist::log_gamma(0.5 / w) +
                                        0.5 * (std::log(w) + kLog2Pi) - 0.5 * std::log(std::numbers::pi)
                                  : 0.0;
  const std::vector<double> c = predictions(curve, phi, theta);
  double out = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    if (!(c[i] > 0 && c[i] < kInf)) return -kInf;
    const double dt = curve.table->frames().dt[i], r = curve.activity[i] - c[i];
    const double squared = lambda * curve.unit * (r / c[i] * r);
    out += 0.5 * (std::log(lambda) + 2 * std::log(dt) - std::log(c[i]) - std::log(curve.unit) - kLog2Pi) + constant;
    out -= student ? (0.5 / w + 0.5) * std::log1p(w * squared) : 0.5 * squared;
  }
  return out;
}

}  // namespace evident::pet
