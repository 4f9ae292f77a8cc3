#include "models/pet/input.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "evident/base/error.hpp"
#include "models/pet/piece.hpp"

namespace evident {
namespace {

using pet::restarted;
using pet::value_at;
using Piece = PetInput::Piece;

void check_samples(std::span<const double> times, std::span<const double> activity) {
  if (times.size() != activity.size())
    throw InputError("plasma input: " + std::to_string(times.size()) + " times but " + std::to_string(activity.size()) +
                     " activities");
  if (times.size() < 2)
    throw InputError("plasma input: at least 2 samples are needed, got " + std::to_string(times.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string row = "plasma input, sample " + std::to_string(i + 1) + ": ";
    if (!std::isfinite(times[i]) || !std::isfinite(activity[i])) throw InputError(row + "not a finite number");
    if (i > 0 && times[i] <= times[i - 1])
      throw InputError(row + "time " + std::to_string(times[i]) + " does not come after " +
                       std::to_string(times[i - 1]));
  }
  if (times.back() <= 0) throw InputError("plasma input: all samples lie before time 0");
}

/// Second derivatives over two at the knots. End conditions: the third derivative of the cubic through the first
/// (last) four samples.
std::vector<double> half_curvatures(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  std::vector<double> gap(n), diagonal(n), c(n, 0.0);
  if (n < 3) return c;
  gap[0] = x[1] - x[0];
  c[1] = (y[1] - y[0]) / gap[0];
  for (std::size_t i = 1; i + 1 < n; ++i) {
    gap[i] = x[i + 1] - x[i];
    diagonal[i] = 2 * (gap[i - 1] + gap[i]);
    c[i + 1] = (y[i + 1] - y[i]) / gap[i];
    c[i] = c[i + 1] - c[i];
  }
  diagonal[0] = -gap[0];
  diagonal[n - 1] = -gap[n - 2];
  c[0] = c[n - 1] = 0;
  if (n > 3) {
    const double left = c[2] / (x[3] - x[1]) - c[1] / (x[2] - x[0]);
    const double right = c[n - 2] / (x[n - 1] - x[n - 3]) - c[n - 3] / (x[n - 2] - x[n - 4]);
    c[0] = left * gap[0] * gap[0] / (x[3] - x[0]);
    c[n - 1] = -right * gap[n - 2] * gap[n - 2] / (x[n - 1] - x[n - 4]);
  }
  for (std::size_t i = 1; i < n; ++i) {
    const double t = gap[i - 1] / diagonal[i - 1];
    diagonal[i] -= t * gap[i - 1];
    c[i] -= t * c[i - 1];
  }
  c[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) c[i] = (c[i] - gap[i] * c[i + 1]) / diagonal[i];
  for (double& v : c) v *= 3;
  return c;
}

std::vector<Piece> spline_pieces(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> c = half_curvatures(x, y);
  std::vector<Piece> pieces;
  pieces.reserve(x.size());
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i];
    const double slope = (y[i + 1] - y[i]) / h - h * (c[i + 1] + 2 * c[i]) / 3;
    pieces.push_back({x[i], h, {y[i], slope, c[i], (c[i + 1] - c[i]) / (3 * h)}});
  }
  return pieces;
}

std::vector<Piece> linear_pieces(std::span<const double> x, std::span<const double> y) {
  std::vector<Piece> pieces;
  pieces.reserve(x.size());
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i];
    pieces.push_back({x[i], h, {y[i], (y[i + 1] - y[i]) / h, 0, 0}});
  }
  return pieces;
}

/// Makes the pieces begin at time 0 exactly: cuts what lies before, or extends the first polynomial.
void begin_at_zero(std::vector<Piece>& pieces) {
  const auto first = std::find_if(pieces.begin(), pieces.end(), [](const Piece& p) { return p.start + p.length > 0; });
  pieces.erase(pieces.begin(), first);
  if (pieces.front().start != 0) pieces.front() = restarted(pieces.front(), 0);
}

}  // namespace

PetInput::PetInput(std::span<const double> times, std::span<const double> activity, PetInterpolation interpolation,
                   std::optional<double> at_zero) {
  check_samples(times, activity);
  last_time_ = times.back();
  if (interpolation == PetInterpolation::spline) {
    if (at_zero) throw InputError("plasma input: a value at time 0 can be given for linear interpolation only");
    pieces_ = spline_pieces(times, activity);
  } else {
    std::vector<double> x(times.begin(), times.end()), y(activity.begin(), activity.end());
    if (x.front() > 0) {
      x.insert(x.begin(), 0.0);
      y.insert(y.begin(), at_zero.value_or(0.0));
    }
    pieces_ = linear_pieces(x, y);
  }
  begin_at_zero(pieces_);
}

double PetInput::operator()(double time) const {
  auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), time, [](double t, const Piece& p) { return t < p.start; });
  return value_at(after == pieces_.begin() ? pieces_.front() : *(after - 1), time);
}

}  // namespace evident
