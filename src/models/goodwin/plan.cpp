#include "models/goodwin/plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

using namespace goodwin;

void check(const GoodwinData& data, std::size_t m, double rho, double sigma, std::size_t max_steps) {
  const auto require = [](bool ok, const std::string& text) {
    if (!ok) throw InputError("goodwin: " + text);
  };
  require(m >= 2 && m <= kMaxM,
          "components must be between 2 and " + std::to_string(kMaxM) + ", was " + std::to_string(m));
  require(rho > 0 && std::isfinite(rho), "rho must be above zero, was " + std::to_string(rho));
  require(sigma > 0 && std::isfinite(sigma), "sigma must be above zero, was " + std::to_string(sigma));
  require(max_steps > 0, "max_steps must be above zero");
  require(!data.times.empty(), "there are no observation times");
  require(!data.states.empty(), "no state is observed");
  require(data.states.size() == data.values.size(), std::to_string(data.states.size()) + " observed states but " +
                                                        std::to_string(data.values.size()) + " columns of values");
  double before = 0;
  for (const double t : data.times) {
    require(t > before && std::isfinite(t), "times must be above zero and increasing, at " + std::to_string(t));
    before = t;
  }
  for (std::size_t c = 0; c < data.states.size(); ++c) {
    require(data.states[c] < m, "observed state x" + std::to_string(data.states[c] + 1) + " but there are only " +
                                    std::to_string(m) + " components");
    require(data.values[c].size() == data.times.size(), "column " + std::to_string(c + 1) + " has " +
                                                            std::to_string(data.values[c].size()) + " values for " +
                                                            std::to_string(data.times.size()) + " times");
    for (const double y : data.values[c]) require(std::isfinite(y), "a value is not a finite number");
  }
}

Feedback make_feedback(double rho) {
  const bool integer = rho <= 64 && rho == std::floor(rho);
  return {.rho = rho,
          .low = std::exp(-600 / rho),
          .high = std::exp(600 / rho),
          .power = rho == 10 ? Power::ten
                   : integer ? Power::integer
                             : Power::real,
          .integer_rho = integer ? static_cast<unsigned>(rho) : 0U};
}

void add_suffixes(GoodwinProblem::Plan& plan) {
  const std::size_t n = plan.times.size(), columns = plan.columns;
  plan.suffix_mean.assign(n * columns, 0);
  plan.suffix_square.assign(n * columns, 0);
  for (std::size_t c = 0; c < columns; ++c) {
    double mean = 0, square = 0, count = 0;
    for (std::size_t j = n; j-- > 0;) {
      const double difference = plan.values[j * columns + c] - mean;
      count += 1;
      mean += difference / count;
      square += difference * (plan.values[j * columns + c] - mean);
      plan.suffix_mean[j * columns + c] = mean;
      plan.suffix_square[j * columns + c] = square;
    }
  }
}

}  // namespace

GoodwinProblem::GoodwinProblem(const GoodwinData& data, std::size_t components, double rho, double sigma,
                               std::size_t max_steps) {
  check(data, components, rho, sigma, max_steps);
  auto plan = std::make_shared<Plan>();
  const std::size_t n = data.times.size(), columns = data.states.size();
  const double m = static_cast<double>(components);
  plan->m = components;
  plan->columns = columns;
  plan->sweeps = components == 2 ? 4 : components == 3 ? 3 : 2;  // each sweep gains m orders
  plan->sweep_weight = 0.4 * rho;
  plan->log_constant = -static_cast<double>(n * columns) * (0.5 * kLog2Pi + std::log(sigma));
  plan->inverse_two_variance = 0.5 / (sigma * sigma);
  plan->max_steps = static_cast<double>(max_steps);
  plan->start_volume = 0.3 * std::tgamma(m + 1);
  // A fixed point is stable while the loop gain is below sec(pi/m)^m; two components are always stable.
  plan->stable_gain = components == 2 ? kInf : 0.99 * std::pow(std::cos(3.14159265358979324 / m), -m);
  plan->feedback = make_feedback(rho);
  plan->table = make_collocation(components);
  plan->states = data.states;
  plan->times = data.times;
  for (std::size_t j = 0; j < n; ++j) {
    plan->gap.push_back(j == 0 ? data.times[0] : data.times[j] - data.times[j - 1]);
    for (std::size_t c = 0; c < columns; ++c) plan->values.push_back(data.values[c][j]);
  }
  add_suffixes(*plan);
  plan_ = std::move(plan);
}

Start GoodwinProblem::Plan::start(std::span<const double> theta) const {
  Start s;
  for (std::size_t j = 0; j < m + 2; ++j)
    if (!(theta[j] > 0) || !std::isfinite(theta[j])) return s;
  s.rate = std::max(theta[0], 1 / times.back());
  s.decay = theta[0] / s.rate;
  // Logs: products of extreme draws leave the range of a double long before the answer does.
  const double log_rate = std::log(s.rate);
  std::array<double, kMaxM> log_scale{};
  log_scale[0] = std::log(theta[1]) - log_rate;
  for (std::size_t i = 1; i < m; ++i) log_scale[i] = log_scale[i - 1] + std::log(theta[2 + i]) - log_rate;
  // Below the lower limit the feedback is 1 to all digits, whatever b.
  const double log_b = std::max(log_scale[m - 1] + std::log(theta[2]) / feedback.rho, -100 - 40 / feedback.rho);
  if (log_b > 500) return s;
  s.b = std::exp(log_b);
  s.floor = std::min(1.0, s.b);
  s.step = std::min(1.0, std::exp((std::log(start_volume) - log_b) / static_cast<double>(m)));
  for (std::size_t i = 0; i < m; ++i) s.scale[i] = std::exp(log_scale[i] - log_b);
  s.valid = true;
  return s;
}

double GoodwinProblem::Plan::squares_at_rest(std::size_t j, const Start& particle, const double* v,
                                             std::size_t stride) const {
  double sum = 0;
  if (j >= times.size()) return sum;
  const double count = static_cast<double>(times.size() - j);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t i = states[c];
    const double r = suffix_mean[j * columns + c] - particle.scale[i] * v[i * stride];
    sum += suffix_square[j * columns + c] + count * r * r;
  }
  return sum;
}

void GoodwinProblem::Plan::add_sums(std::size_t j, std::size_t last, const Start& particle, const double* v,
                                    std::size_t stride, double* out, std::size_t out_stride) const {
  if (j > last || j >= times.size()) return;
  const double count = static_cast<double>(last - j + 1);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t i = states[c];
    const double x = particle.scale[i] * v[i * stride], y = (j == last ? values : suffix_mean)[j * columns + c];
    out[2 * c * out_stride] += count * (x * x);
    out[(2 * c + 1) * out_stride] += count * (x * y);
  }
}

bool GoodwinProblem::Plan::at_rest(const Start& particle, double feedback_now, const double* v,
                                   std::size_t stride) const {
  double inflow = particle.b * feedback_now;
  for (std::size_t i = 0; i < m; ++i) {
    const double level = v[i * stride], outflow = particle.decay * level;
    if (!(std::abs(inflow - outflow) <= kSteady * outflow)) return false;
    inflow = level;
  }
  return feedback.rho * (1 - feedback_now) < stable_gain;
}

double GoodwinProblem::Plan::log_likelihood(double sum_of_squares) const {
  const double value = log_constant - inverse_two_variance * sum_of_squares;
  return value > -kInf ? value : -kInf;  // NaN too
}

}  // namespace evident
