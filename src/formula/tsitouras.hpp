// The Runge-Kutta pair of orders 5 and 4 of Tsitouras (Computers & Mathematics with Applications 62, 2011), with its
// interpolant of order 4. The last stage is the first of the next step.
#pragma once

#include <array>

namespace evident::formula::tsitouras {

inline constexpr std::array<double, 7> kTime = {0, 0.161, 0.327, 0.9, 0.9800255409045097, 1, 1};

/// Row s: how the rates of stages 0 .. s are put together for stage s + 1; the last row gives the step itself.
inline constexpr std::array<std::array<double, 6>, 6> kStage = {{
    {0.161},
    {-0.008480655492356989, 0.335480655492357},
    {2.8971530571054935, -6.359448489975075, 4.3622954328695815},
    {5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525},
    {5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383},
    {0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774},
}};

/// The difference to the solution of order 4.
inline constexpr std::array<double, 7> kError = {-0.00178001105222577714,
                                                 -0.0008164344596567469,
                                                 0.007880878010261995,
                                                 -0.1447110071732629,
                                                 0.5823571654525552,
                                                 -0.45808210592918697,
                                                 1.0 / 66};

/// Weights of the interpolant: kInterpolant[j][d] x^(d+1), summed over d.
inline constexpr std::array<std::array<double, 4>, 7> kInterpolant = [] {
  // c x^2 (x^2 + p x + q) for all but the first.
  constexpr std::array<std::array<double, 3>, 6> quadratics = {{
      {0.1017, -2.1966568338249754, 1.2949852507374631},
      {2.490627285651252793, -2.38535645472061657, 1.57803468208092486},
      {-16.54810288924490272, -1.21712927295533244 - 0.61620406037800089, 1.21712927295533244 * 0.61620406037800089},
      {47.37952196281928122, -1.203071208372362603 - 0.658047292653547382, 1.203071208372362603 * 0.658047292653547382},
      {-34.87065786149660974, -1.2 - 2.0 / 3, 1.2 * 2.0 / 3},
      {2.5, -1.6, 0.6},
  }};
  std::array<std::array<double, 4>, 7> out{};
  // c x (x - r) (x^2 - p x + q)
  constexpr double c = -1.0530884977290216, r = 1.3299890189751412, p = 1.4364028541716351, q = 0.7139816917074209;
  out[0] = {-c * r * q, c * (q + r * p), -c * (p + r), c};
  for (std::size_t j = 0; j < 6; ++j)
    out[j + 1] = {0, quadratics[j][0] * quadratics[j][2], quadratics[j][0] * quadratics[j][1], quadratics[j][0]};
  return out;
}();

}  // namespace evident::formula::tsitouras
