// Repeated runs of a method, and the comparison of their mean with an exact answer.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "evident/base/context.hpp"
#include "support/mean_error.hpp"

namespace evident::test {

/// `method` is called with one context per seed, two at a time.
template <class Method>
auto repeat(std::uint32_t seeds, const Method& method) {
  std::vector<std::invoke_result_t<Method, const Context&>> out(seeds);
  Executor(2).for_each(seeds, [&](std::size_t r) {
    const Executor alone(1);
    out[r] = method(Context{Streams({.seed = 1995, .replicate = static_cast<std::uint32_t>(r)}), alone});
  });
  return out;
}

/// Within three standard errors, and `slack` for a bias that the method is known to have; the error itself is below
/// `largest`.
inline void expect_near(const std::vector<double>& x, double exact, double slack, double largest,
                        const std::string& what) {
  expect_mean(x, exact, what, slack);
  EXPECT_LT(mean_error(x).standard_error, largest) << what;
}

/// One field of every result.
template <class Result>
std::vector<double> column(const std::vector<Result>& results, double Result::*field) {
  std::vector<double> out;
  for (const Result& r : results) out.push_back(r.*field);
  return out;
}

}  // namespace evident::test
