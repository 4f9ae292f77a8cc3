// The PET report: what web/src/pet shows.
#pragma once

#include <string>

#include "imaging/fit/fit_many.hpp"
#include "imaging/pet/fit/plan.hpp"

namespace evident::imaging {

/// The whole page.
std::string pet_report(const PetPlan& plan, const CurveSetup& setup, const FitResults& results,
                       const CurveFit& mean_fit);

}  // namespace evident::imaging
