// The plasma input of a PET study, and its convolution with an exponential.
//
//   const PetInput plasma(times_seconds, activity);  // cubic spline through the samples
//   double k = plasma.convolve(1e-3, 600);
//   // the integral over s from 0 to 600 seconds of CP(s) exp(-1e-3 (600 - s))
//
// The curve is a polynomial between two samples, so the integral is exact: polynomial times exponential, piece by
// piece.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace evident {

enum class PetInterpolation {
  spline,  ///< cubic with the end conditions of Forsythe, Malcolm and Moler, as R's splinefun; extended to time 0
  linear,  ///< straight lines, from 0 (or a given value) at time 0
};

class PetInput {
 public:
  /// One polynomial: c[0] + c[1] v + c[2] v^2 + c[3] v^3 with v = time - start.
  struct Piece {
    double start, length;
    double c[4];
  };

  /// Times in seconds since injection, strictly increasing. `at_zero` is the activity at time 0, for linear
  /// interpolation only. Throws InputError when the samples cannot be used.
  PetInput(std::span<const double> times, std::span<const double> activity,
           PetInterpolation interpolation = PetInterpolation::spline, std::optional<double> at_zero = {});

  /// The interpolated activity at a time from 0 to last_time().
  double operator()(double time) const;
  double last_time() const { return last_time_; }
  /// The polynomials, from time 0 to last_time() without gaps.
  std::span<const Piece> pieces() const { return pieces_; }

  /// K(theta, t), the integral from 0 to t of CP(s) exp(-theta (t-s)).
  double convolve(double theta, double time) const;
  /// K and dK/dtheta at increasing times. `slope` may be empty.
  void convolve(double theta, std::span<const double> times, std::span<double> value, std::span<double> slope) const;
  /// Averages over frames that follow one another: of K, and of dK/dtheta. Before time 0 there is nothing.
  void convolve_average(double theta, std::span<const double> starts, std::span<const double> durations,
                        std::span<double> value, std::span<double> slope) const;
  /// The average of the activity itself over a frame.
  double average(double start, double duration) const;

 private:
  std::vector<Piece> pieces_;
  double last_time_ = 0;
};

}  // namespace evident
