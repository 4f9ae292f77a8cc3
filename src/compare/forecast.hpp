// What a comparison of one model by the direct method will cost, from one in small.
//
//   const Forecast f = forecast_from(compare_in_small(*model, options, known, context), options, known, threads);
//
// A pure function of what was counted and timed.
#pragma once

#include "compare/model_check.hpp"
#include "compare/small_comparison.hpp"

namespace evident {

Forecast forecast_from(const SmallComparison& small, const ModelCheckOptions& options, const CheckedSoFar& known,
                       unsigned threads);

}  // namespace evident
