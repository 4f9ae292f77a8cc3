// What a program needs to compare models, in one header.
//
//   evident::ParameterSpace space;                                    // names with priors
//   space.add("heads", evident::beta(1, 1));
//   const auto model = evident::lift(space, [](std::span<const double> theta) { return log_likelihood(theta[0]); });
//   const evident::Comparison result = evident::compare({{"any", 1, model}}, {.seed = 7});
//   std::cout << evident::report::to_table(result, {});
//
// compare() and its models are in the component core, reports in report: docs/library.md.
#pragma once

#include <string_view>

#include "evident/base/error.hpp"
#include "evident/compare/checkpoint.hpp"
#include "evident/compare/compare.hpp"
#include "evident/report/document.hpp"

namespace evident {

/// Of the library: "0.1.0".
std::string_view version();

}  // namespace evident
