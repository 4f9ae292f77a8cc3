// The exact convolution of a piecewise polynomial with an exponential.
//
// Over one piece of length h, K(t+h) = exp(-theta h) K(t) + integral over 0..h of p(v) exp(-theta (h-v)) dv, and the
// integral of v^k is k! h^(k+1) phi_(k+1)(-theta h).
#include <string>

#include "evident/base/error.hpp"
#include "models/pet/input.hpp"
#include "models/pet/phi_functions.hpp"

namespace evident {
namespace {

/// K and M = integral of (t-s) CP(s) exp(-theta (t-s)) = -dK/dtheta.
struct State {
  double value = 0, moment = 0;
};

/// The state a time h into the piece, from that at its start.
State advance(const State& at, const PetInput::Piece& piece, double theta, double h) {
  double phi[6];
  pet::phi_functions<5>(-theta * h, phi);
  constexpr double factorial[] = {1, 1, 2, 6, 24};
  State next{phi[0] * at.value, phi[0] * (at.moment + h * at.value)};
  double power = h;  // h^(k+1)
  for (int k = 0; k < 4; ++k) {
    const double integral = factorial[k] * power * phi[k + 1];        // of v^k
    const double higher = factorial[k + 1] * power * h * phi[k + 2];  // of v^(k+1)
    next.value += piece.c[k] * integral;
    next.moment += piece.c[k] * (h * integral - higher);
    power *= h;
  }
  return next;
}

}  // namespace

void PetInput::convolve(double theta, std::span<const double> times, std::span<double> value,
                        std::span<double> slope) const {
  if (!times.empty() && times.back() > last_time_ * (1 + 1e-12))
    throw InputError("plasma input ends at " + std::to_string(last_time_) + " s, before the frame at " +
                     std::to_string(times.back()) + " s");
  State state;
  auto piece = pieces_.begin();
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (; piece + 1 < pieces_.end() && piece->start + piece->length <= times[i]; ++piece)
      state = advance(state, *piece, theta, piece->length);
    const State here = advance(state, *piece, theta, times[i] - piece->start);
    value[i] = here.value;
    if (!slope.empty()) slope[i] = -here.moment;
  }
}

double PetInput::convolve(double theta, double time) const {
  double value = 0;
  convolve(theta, {&time, 1}, {&value, 1}, {});
  return value;
}

}  // namespace evident
