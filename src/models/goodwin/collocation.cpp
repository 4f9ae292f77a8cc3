// Lobatto nodes and integrals of their Lagrange polynomials, in extended precision.
#include <cmath>

#include "models/goodwin/plan.hpp"

namespace evident::goodwin {
namespace {

using Real = long double;
constexpr std::size_t kDegree = kNodes - 1;

/// Interior nodes are the zeros of P'_6; Newton on (1 - x^2) P'_6 = 6 (P_5 - x P_6).
std::array<Real, kNodes> lobatto_nodes() {
  std::array<Real, kNodes> c{};
  c[kDegree] = 1;
  for (std::size_t k = 1; k < kDegree; ++k) {
    Real x = -std::cos(3.14159265358979323846264338327950288L * static_cast<Real>(k) / kDegree);
    for (int iteration = 0; iteration < 50; ++iteration) {
      Real before = 1, now = x;
      for (std::size_t j = 2; j <= kDegree; ++j) {
        const Real r = static_cast<Real>(j);
        const Real next = ((2 * r - 1) * x * now - (r - 1) * before) / r;
        before = now;
        now = next;
      }
      x += (before - x * now) / ((kDegree + 1) * now);
    }
    c[k] = (1 + x) / 2;
  }
  return c;
}

/// Coefficients of l_l, lowest power first.
std::array<Real, kNodes> lagrange(const std::array<Real, kNodes>& c, std::size_t l) {
  std::array<Real, kNodes> p{1};
  std::size_t degree = 0;
  for (std::size_t k = 0; k < kNodes; ++k) {
    if (k == l) continue;
    const Real d = c[l] - c[k];
    for (std::size_t i = degree + 1; i-- > 0;) {
      p[i + 1] += p[i] / d;
      p[i] *= -c[k] / d;
    }
    ++degree;
  }
  return p;
}

/// The `times`-fold integral of a polynomial from 0 to x.
Real integral(const std::array<Real, kNodes>& p, std::size_t times, Real x) {
  Real sum = 0;
  for (std::size_t i = 0; i < kNodes; ++i) {
    Real divisor = 1;
    for (std::size_t r = 1; r <= times; ++r) divisor *= static_cast<Real>(i + r);
    sum += p[i] / divisor * std::pow(x, static_cast<Real>(i + times));
  }
  return sum;
}

}  // namespace

Collocation make_collocation(std::size_t m) {
  const auto c = lobatto_nodes();
  Collocation t{};
  // The Legendre polynomials on [0, 1]: P_6 = 924 x^6 - 2772 x^5 + ..., P_5 = 252 x^5 - ...
  static_assert(kDegree == 6);
  for (std::size_t j = 0; j < kNodes; ++j) {
    t.node[j] = static_cast<double>(c[j]);
    t.start_value[j] = static_cast<double>(integral({1}, m, c[j]));
    t.start_slope[j] = static_cast<double>(integral({0, 1}, m, c[j]));
  }
  for (std::size_t p = 0; p < 3; ++p) t.ratio[p] = static_cast<double>(1 - 2 * c[p]);
  for (std::size_t l = 0; l < kNodes; ++l) {
    const auto p = lagrange(c, l);
    for (std::size_t j = 0; j < kNodes; ++j) t.inner[l][j] = static_cast<double>(integral(p, m, c[j]));
    for (std::size_t i = 0; i < m; ++i) t.end[i][l] = static_cast<double>(integral(p, i + 1, 1));
    t.top[l] = static_cast<double>(p[6] / 924);
    t.below_top[l] = static_cast<double>((p[5] + 3 * p[6]) / 252);
  }
  return t;
}

}  // namespace evident::goodwin
