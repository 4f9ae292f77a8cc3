// The average over a frame of the convolution, exact like the convolution itself (see convolution.cpp).
//
// Over h of one piece with K and M = -dK/dtheta at its start, the area under K is
//   h phi_1 K + sum over k of c_k k! h^(k+2) phi_(k+2),   all at z = -theta h:
// a sum of positive terms for a positive input, so nothing cancels, also when theta h is small. (The shorter way,
// integral of CP less the change of K, over theta, loses all digits there.) Its slope needs phi_k' = phi_k - k
// phi_(k+1).
#include <algorithm>
#include <string>

#include "evident/base/error.hpp"
#include "models/pet/input.hpp"
#include "models/pet/phi_functions.hpp"
#include "models/pet/piece.hpp"

namespace evident {
namespace {

constexpr double kFactorial[] = {1, 1, 2, 6, 24};

/// K, M and the integrals of both since the frame began.
struct AreaState {
  double value = 0, moment = 0, area = 0, area_moment = 0;
};

/// A time h on from the start of the piece.
void advance(AreaState& s, const PetInput::Piece& piece, double theta, double h) {
  double phi[7];
  pet::phi_functions<6>(-theta * h, phi);
  const auto derivative = [&](int k) { return phi[k] - k * phi[k + 1]; };
  AreaState next{phi[0] * s.value, phi[0] * (s.moment + h * s.value), s.area + h * phi[1] * s.value,
                 s.area_moment + h * (phi[1] * s.moment + h * derivative(1) * s.value)};
  double power = h;  // h^(k+1)
  for (int k = 0; k < 4; ++k) {
    const double integral = kFactorial[k] * power * phi[k + 1];        // of v^k
    const double higher = kFactorial[k + 1] * power * h * phi[k + 2];  // of v^(k+1)
    next.value += piece.c[k] * integral;
    next.moment += piece.c[k] * (h * integral - higher);
    next.area += piece.c[k] * kFactorial[k] * power * h * phi[k + 2];
    next.area_moment += piece.c[k] * kFactorial[k] * power * h * h * derivative(k + 2);
    power *= h;
  }
  s = next;
}

/// Walks over the pieces from time 0 on.
class Walk {
 public:
  explicit Walk(std::span<const PetInput::Piece> pieces) : pieces_(pieces) {}

  /// Calls step(piece, h) from where it stands until `time`, with pieces that start where it stands.
  template <class Step>
  void until(double time, Step step) {
    while (now_ < time) {
      const PetInput::Piece& piece = pieces_[at_];
      const bool last = at_ + 1 == pieces_.size();
      const double piece_end = piece.start + piece.length, end = last ? time : std::min(piece_end, time);
      if (end > now_) step(now_ == piece.start ? piece : pet::restarted(piece, now_), end - now_);
      now_ = std::max(now_, end);
      if (!last && piece_end <= now_) ++at_;
    }
  }

 private:
  std::span<const PetInput::Piece> pieces_;
  std::size_t at_ = 0;
  double now_ = 0;
};

void check_end(double end, double last_time) {
  if (!(end <= last_time * (1 + 1e-12)))
    throw InputError("plasma input ends at " + std::to_string(last_time) + " s, before the frame that ends at " +
                     std::to_string(end) + " s");
}

}  // namespace

void PetInput::convolve_average(double theta, std::span<const double> starts, std::span<const double> durations,
                                std::span<double> value, std::span<double> slope) const {
  AreaState state;
  Walk walk(pieces_);
  const auto step = [&](const Piece& piece, double h) { advance(state, piece, theta, h); };
  for (std::size_t i = 0; i < starts.size(); ++i) {
    check_end(starts[i] + durations[i], last_time_);
    walk.until(starts[i], step);
    state.area = state.area_moment = 0;
    walk.until(starts[i] + durations[i], step);
    value[i] = state.area / durations[i];
    if (!slope.empty()) slope[i] = -state.area_moment / durations[i];
  }
}

double PetInput::average(double start, double duration) const {
  check_end(start + duration, last_time_);
  Walk walk(pieces_);
  double area = 0;
  walk.until(start, [](const Piece&, double) {});
  walk.until(start + duration, [&](const Piece& p, double h) {
    area += h * (p.c[0] + h * (p.c[1] / 2 + h * (p.c[2] / 3 + h * p.c[3] / 4)));
  });
  return area / duration;
}

}  // namespace evident
