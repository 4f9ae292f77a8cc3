// When a comparison is good enough: rounds of further islands go on until everything that is asked for is met.
//
//   compare(candidates, {.goal = {.precision = 0.1}});
#pragma once

namespace evident {

struct Goal {
  double precision = 0;  ///< standard error of the log evidence of each model that matters; 0: not asked
  double decide = 0;     ///< go on until the best model's probability is above or below it; 0: not asked
  double seconds = 0;    ///< give the best answer within this time; 0: no limit

  bool asked() const { return precision > 0 || decide > 0 || seconds > 0; }
};

/// Nothing finer can be asked for.
inline constexpr double kFinestPrecision = 1e-4;

/// A model whose probability is below this with confidence is not refined any further.
inline constexpr double kNegligible = 1e-3;

/// Throws InputError that names the option, its value and the range.
void check(const Goal& goal);

}  // namespace evident
