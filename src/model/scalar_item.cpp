#include <algorithm>
#include <cmath>

#include "base/vector_math.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "model/item.hpp"

namespace evident {
namespace {

constexpr std::size_t kMaxArguments = 8;
constexpr double kHeavyDegrees = 4;  // of Student's t: up to here it has no fourth moment

Scale automatic_scale(const Support& s, bool bounded_below, bool bounded_above) {
  if ((bounded_below || std::isfinite(s.lower)) && (bounded_above || std::isfinite(s.upper))) return Scale::logit;
  return bounded_below || std::isfinite(s.lower) ? Scale::log : Scale::identity;
}

/// Has a distribution on the whole line no fourth moment? Then the covariance of draws has no error that could be
/// known, and moves of its size lead nowhere. An unknown number of degrees counts as few.
bool has_heavy_tails(const Distribution& prior, const std::vector<double>& constants) {
  const auto name = prior.family().name();
  return name == "cauchy" || (name == "student-t" && !(constants[0] > kHeavyDegrees));
}

/// sinh of |z| below 1/2, where a difference of exponentials would lose digits; the next term is below 5e-17 of it.
double short_sinh(double z) {
  const double s = z * z;
  return z * (1 + s / 6 * (1 + s / 20 * (1 + s / 42 * (1 + s / 72 * (1 + s / 110 * (1 + s / 156))))));
}

}  // namespace

ScalarItem::ScalarItem(Distribution d, Scale s, std::vector<std::size_t> rows)
    : prior(std::move(d)), scale(s), argument_rows(std::move(rows)) {
  const auto names = prior.family().arguments();
  for (std::size_t a = 0; a < argument_rows.size(); ++a) {
    constants.push_back(prior.arguments()[a].value);
    if (argument_rows[a] == npos) continue;
    dependent = true;
    constants[a] = kNaN;
    if (names[a] == "lower") lower_row = argument_rows[a];
    if (names[a] == "upper") upper_row = argument_rows[a];
  }
  if (argument_rows.size() > kMaxArguments) throw InputError("too many arguments");
  fixed = prior.family().support(constants.data());
  if (fixed.discrete)
    throw InputError(std::string(prior.family().name()) +
                     " is a distribution of counts and cannot be the prior of a parameter that moves continuously");
  if (scale == Scale::automatic) scale = automatic_scale(fixed, lower_row != npos, upper_row != npos);
  if (s == Scale::automatic && has_heavy_tails(prior, constants) && find_asinh_unit()) scale = Scale::asinh;
  const bool has_lower = lower_row != npos || std::isfinite(fixed.lower);
  const bool has_upper = upper_row != npos || std::isfinite(fixed.upper);
  if (scale == Scale::log && !has_lower) throw InputError("the log scale needs a prior with a lower bound");
  if (scale == Scale::logit && !(has_lower && has_upper))
    throw InputError("the logit scale needs a prior with two bounds");
  if (scale == Scale::asinh && (has_lower || has_upper || !find_asinh_unit()))
    throw InputError("the asinh scale needs a prior on the whole line whose location and scale are numbers");
}

bool ScalarItem::is_built_in() const { return std::ranges::find(families(), &prior.family()) != families().end(); }

bool ScalarItem::find_asinh_unit() {
  const auto names = prior.family().arguments();
  bool has_location = false, has_unit = false;
  for (std::size_t a = 0; a < names.size(); ++a) {
    const bool is_location = names[a] == "location" || names[a] == "mean";
    const bool is_unit = names[a] == "scale" || names[a] == "sd";
    if ((is_location || is_unit) && argument_rows[a] != npos) return false;
    if (is_location) location = constants[a];
    if (is_unit) unit = constants[a];
    has_location = has_location || is_location;
    has_unit = has_unit || is_unit;
  }
  return has_location && has_unit;
}

void ScalarItem::arguments_at(ConstBlock theta, std::size_t i, std::vector<double>& args) const {
  args = constants;
  for (std::size_t a = 0; a < args.size(); ++a)
    if (argument_rows[a] != npos) args[a] = theta(argument_rows[a], i);
}

Support ScalarItem::support_at(ConstBlock theta, std::size_t i, std::vector<double>& args) const {
  if (!dependent) return fixed;
  arguments_at(theta, i, args);
  return prior.family().support(args.data());
}

void ScalarItem::draw(Stream& stream, std::span<double> theta) const {
  std::array<double, kMaxArguments> args{};
  for (std::size_t a = 0; a < constants.size(); ++a)
    args[a] = argument_rows[a] == npos ? constants[a] : theta[argument_rows[a]];
  theta[first] = prior.family().draw(stream, args.data());
}

void ScalarItem::add_log_density(ConstBlock theta, std::span<double> out) const {
  std::array<ArgumentValues, kMaxArguments> args;
  for (std::size_t a = 0; a < constants.size(); ++a) {
    const bool constant = argument_rows[a] == npos;
    args[a] = {constant ? &constants[a] : theta.row_data(argument_rows[a]), !constant};
  }
  prior.family().add_log_density(theta.row(first), {args.data(), constants.size()}, out);
}

void ScalarItem::add_gradient(ConstBlock theta, Block gradient) const {
  if (std::ranges::all_of(argument_rows, [](std::size_t row) { return row == npos; })) {
    for (std::size_t i = 0; i < theta.size(); ++i)
      gradient(first, i) += prior.family().d_log_density(theta(first, i), constants.data());
    return;
  }
  std::vector<double> args;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double x = theta(first, i);
    arguments_at(theta, i, args);
    gradient(first, i) += prior.family().d_log_density(x, args.data());
    for (std::size_t a = 0; a < args.size(); ++a) {
      if (argument_rows[a] == npos) continue;
      // Families know their derivative in x only; in an argument a central difference is exact enough for a proposal.
      const double centre = args[a], h = 6e-6 * std::max(1e-3, std::abs(centre));
      args[a] = centre + h;
      const double above = prior.family().log_density(x, args.data());
      args[a] = centre - h;
      const double below = prior.family().log_density(x, args.data());
      args[a] = centre;
      gradient(argument_rows[a], i) += (above - below) / (2 * h);
    }
  }
}

// sinh(z) = (e^|z| - e^-|z|) / 2 with the sign of z, and log cosh(z) = |z| + log(1 + e^-2|z|) - log 2.
void ScalarItem::from_asinh(ConstBlock z, Block theta, std::span<double> log_jacobian) const {
  const std::size_t n = z.size();
  const double* from = z.row_data(free_first);
  double* to = theta.row_data(first);
  BlockStorage work(2, n);
  double *grown = work.block().row_data(0), *log_term = work.block().row_data(1);
  for (std::size_t i = 0; i < n; ++i) log_term[i] = std::abs(from[i]);
  vector_math::exp(log_term, grown, n);
  for (std::size_t i = 0; i < n; ++i) log_term[i] = 1 + 1 / (grown[i] * grown[i]);
  vector_math::log(log_term, log_term, n);
  const double log_half_unit = std::log(0.5 * unit);
  for (std::size_t i = 0; i < n; ++i) {
    const double sinh = std::copysign(0.5 * (grown[i] - 1 / grown[i]), from[i]);
    to[i] = location + unit * (std::abs(from[i]) < 0.5 ? short_sinh(from[i]) : sinh);
    log_jacobian[i] += std::abs(from[i]) + log_term[i] + log_half_unit;
  }
}

void ScalarItem::constrain(ConstBlock z, Block theta, std::span<double> log_jacobian) const {
  const double* from = z.row_data(free_first);
  double* to = theta.row_data(first);
  const std::size_t n = z.size();
  if (scale == Scale::identity) {
    std::copy_n(from, n, to);
  } else if (scale == Scale::asinh) {
    from_asinh(z, theta, log_jacobian);
  } else if (scale == Scale::log) {
    vector_math::exp(from, to, n);
    std::vector<double> args;
    for (std::size_t i = 0; i < n; ++i) log_jacobian[i] += from[i];
    if (dependent || fixed.lower != 0)
      for (std::size_t i = 0; i < n; ++i) to[i] += support_at(theta, i, args).lower;
  } else if (!dependent || (lower_row == npos && upper_row == npos)) {
    vector_math::logistic(from, {&fixed.lower, &fixed.upper, 0, 0}, to, log_jacobian.data(), n);
  } else {
    const bool low = lower_row != npos, high = upper_row != npos;
    vector_math::logistic(
        from,
        {low ? theta.row_data(lower_row) : &fixed.lower, high ? theta.row_data(upper_row) : &fixed.upper,
         low ? std::size_t{1} : 0, high ? std::size_t{1} : 0},
        to, log_jacobian.data(), n);
  }
}

void ScalarItem::unconstrain(ConstBlock theta, Block z) const {
  constexpr double kNudge = 1e-15;
  std::vector<double> args;
  if (scale == Scale::logit) {
    double* out = z.row_data(free_first);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const Support s = dependent ? support_at(theta, i, args) : fixed;
      const double p = std::clamp((theta(first, i) - s.lower) / (s.upper - s.lower), kNudge, 1 - kNudge);
      out[i] = p / (1 - p);
    }
    vector_math::log(out, out, theta.size());
    return;
  }
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double x = theta(first, i);
    double& out = z(free_first, i);
    if (scale == Scale::identity) {
      out = x;
      continue;
    }
    if (scale == Scale::asinh) {
      out = std::asinh((x - location) / unit);
      continue;
    }
    const Support s = support_at(theta, i, args);
    const double above = x - s.lower;
    out = std::log(above > 0 ? above : kNudge * std::max(std::abs(x), 1e-290));
  }
}

void ScalarItem::pull_back(ConstBlock z, ConstBlock theta, Block adjoint, Block d_z, bool add_log_jacobian) const {
  std::vector<double> args;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double g = adjoint(first, i), x = theta(first, i);
    double& out = d_z(free_first, i);
    if (scale == Scale::identity) {
      out = g;
      continue;
    }
    if (scale == Scale::asinh) {
      const double slope = std::hypot(unit, x - location);  // unit cosh(z)
      out = g * slope + (add_log_jacobian ? (x - location) / slope : 0.0);
      continue;
    }
    const Support s = support_at(theta, i, args);
    if (scale == Scale::log) {
      out = g * (x - s.lower) + (add_log_jacobian ? 1.0 : 0.0);
      if (lower_row != npos) adjoint(lower_row, i) += g;
      continue;
    }
    const double width = s.upper - s.lower, p = (x - s.lower) / width;
    out = g * width * p * (1 - p) + (add_log_jacobian ? 1 - 2 * p : 0.0);
    const double d_log_width = add_log_jacobian ? 1 / width : 0.0;
    if (lower_row != npos) adjoint(lower_row, i) += g * (1 - p) - d_log_width;
    if (upper_row != npos) adjoint(upper_row, i) += g * p + d_log_width;
  }
}

}  // namespace evident
