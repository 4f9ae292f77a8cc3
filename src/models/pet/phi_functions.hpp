// The functions phi_k of exponential integrators: integrals of a power times an exponential.
//
// phi_0(z) = exp(z), phi_(k+1)(z) = (phi_k(z) - 1/k!) / z; the integral over 0..h of v^k exp(-theta (h-v)) dv is
// k! h^(k+1) phi_(k+1)(-theta h), and that of u^k phi_k(-theta u) over u from 0 to h is h^(k+1) phi_(k+1)(-theta h).
#pragma once

#include <cmath>

namespace evident::pet {

inline constexpr double kInverseFactorial[] = {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720};

/// phi_0 .. phi_highest at z. Near zero the series of the highest and the recurrence downwards, elsewhere the
/// recurrence upwards: each is used where it does not cancel.
template <int highest>
void phi_functions(double z, double* phi) {
  static_assert(highest <= 6);
  if (std::abs(z) < 2) {
    double term = kInverseFactorial[highest], sum = term;
    for (int j = 1; std::abs(term) > 1e-18 * std::abs(sum); ++j) {
      term *= z / (highest + j);
      sum += term;
    }
    phi[highest] = sum;
    for (int k = highest; k-- > 0;) phi[k] = z * phi[k + 1] + kInverseFactorial[k];
  } else {
    phi[0] = std::exp(z);
    for (int k = 0; k < highest; ++k) phi[k + 1] = (phi[k] - kInverseFactorial[k]) / z;
  }
}

}  // namespace evident::pet
