// Repeated runs of a method, and the comparison of their mean with an exact answer.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "evident/base/context.hpp"

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

struct MeanAndError {
  double mean = 0, error = 0, sd = 0;
};

inline MeanAndError summary(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  double mean = 0, squares = 0;
  for (const double v : x) mean += v / n;
  for (const double v : x) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / (n - 1) / n), std::sqrt(squares / (n - 1))};
}

/// Within three standard errors, and `slack` for a bias that the method is known to have; the error itself is below
/// `largest`.
inline void expect_near(const std::vector<double>& x, double exact, double slack, double largest,
                        const std::string& what) {
  const MeanAndError s = summary(x);
  EXPECT_NEAR(s.mean, exact, 3 * s.error + slack) << what << ", standard error " << s.error;
  EXPECT_LT(s.error, largest) << what;
}

/// One field of every result.
template <class Result>
std::vector<double> column(const std::vector<Result>& results, double Result::*field) {
  std::vector<double> out;
  for (const Result& r : results) out.push_back(r.*field);
  return out;
}

}  // namespace evident::test
