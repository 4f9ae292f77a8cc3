#include "baseline/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <variant>

#include "evident/base/error.hpp"

namespace evident {

std::vector<double> ladder(const Schedule& shape, std::size_t chains) {
  if (chains < 2) throw InputError("chains of the ladder must be at least 2, was " + std::to_string(chains));
  Schedule schedule = shape;
  std::visit(
      [&](auto& s) {
        using S = std::remove_cvref_t<decltype(s)>;
        if constexpr (requires { s.steps; }) s.steps = chains - 1;
        if constexpr (std::is_same_v<S, CessSchedule> || std::is_same_v<S, EssSchedule>)
          throw InputError("the ladder must be of a fixed shape (linear, prior, posterior or a list), not " +
                           text(shape));
      },
      schedule);
  check(schedule);
  std::vector<double> alphas = {0};
  for (std::size_t t = 1; alphas.back() < 1; ++t)
    alphas.push_back(next_alpha(schedule, {.alpha = alphas.back(), .step = t}));
  return alphas;
}

std::vector<double> respaced(std::span<const double> alphas, std::span<const double> rejection) {
  constexpr double kLeast = 1e-4;  // keeps the length increasing where all is accepted
  const std::size_t rungs = alphas.size();
  std::vector<double> length(rungs, 0.0), out(rungs);
  for (std::size_t c = 0; c + 1 < rungs; ++c) length[c + 1] = length[c] + std::max(rejection[c], kLeast);
  std::size_t c = 0;
  for (std::size_t r = 1; r + 1 < rungs; ++r) {
    const double want = length.back() * static_cast<double>(r) / static_cast<double>(rungs - 1);
    while (length[c + 1] < want) ++c;
    const double share = (want - length[c]) / (length[c + 1] - length[c]);
    out[r] = alphas[c] + share * (alphas[c + 1] - alphas[c]);
  }
  out.back() = 1;
  return out;
}

}  // namespace evident
