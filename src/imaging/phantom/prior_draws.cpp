#include "imaging/phantom/prior_draws.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace evident::imaging {
// With D(s) = prod (s + theta_d) and N(s) = sum_d phi_d prod_(e != d) (s + theta_e) / K1, the Laplace transform of the
// response is K1 N / D. For the compartments N = (s+k4)(s+k6) + k3 (s+k6) + k5 (s+k4) and D = s N + k2 (s+k4)(s+k6), so
// that k2, k4 and k6 follow from D - s N, and then k3 and k5 from N at -k4 and -k6. Two compartments are the same with
// one factor less.
RateConstants rates_of_exponentials(std::span<const double> phi, std::span<const double> theta) {
  RateConstants k{.K1 = std::accumulate(phi.begin(), phi.end(), 0.0)};
  if (phi.size() == 1) {
    k.k2 = theta[0];
  } else if (phi.size() == 2) {
    const double zero = (phi[0] * theta[1] + phi[1] * theta[0]) / k.K1;  // N = s + zero
    k.k2 = theta[0] + theta[1] - zero;
    k.k4 = theta[0] * theta[1] / k.k2;
    k.k3 = zero - k.k4;
  } else {
    double b = 0, c = 0;  // N = s^2 + b s + c
    for (std::size_t d = 0; d < 3; ++d) {
      const double u = theta[(d + 1) % 3], v = theta[(d + 2) % 3];
      b += phi[d] * (u + v) / k.K1;
      c += phi[d] * u * v / k.K1;
    }
    const double pairs = theta[0] * theta[1] + theta[1] * theta[2] + theta[2] * theta[0];
    k.k2 = theta[0] + theta[1] + theta[2] - b;
    const double half_sum = (pairs - c) / k.k2 / 2, product = theta[0] * theta[1] * theta[2] / k.k2;
    k.k4 = half_sum + std::sqrt(std::max(0.0, half_sum * half_sum - product));
    k.k6 = product / k.k4;
    k.k3 = (k.k4 * k.k4 - b * k.k4 + c) / (k.k6 - k.k4);
    k.k5 = (k.k6 * k.k6 - b * k.k6 + c) / (k.k4 - k.k6);
  }
  return k;
}

RateConstants draw_rates(Stream& stream) {
  const auto order = 1 + std::min<std::size_t>(2, static_cast<std::size_t>(3 * stream.uniform()));
  std::vector<double> phi(order), theta(order);
  for (double& p : phi) p = 1e-4 + (1 - 1e-4) * stream.uniform();
  theta[0] = 1e-3 + (0.5 - 1e-3) * stream.uniform();
  for (std::size_t d = 1; d < order; ++d) theta[d] = theta[d - 1] + (1.5 - theta[d - 1]) * stream.uniform();
  return rates_of_exponentials(phi, theta);
}

}  // namespace evident::imaging
