// Every kind that registry.cpp lists; each is defined in the file of its name.
#pragma once

#include "study/kinds.hpp"

namespace evident::study {

extern const Kind kFormula;
extern const Kind kGaussianMixture;
extern const Kind kGoodwin;
extern const Kind kLibrary;
extern const Kind kLinearRegression;
extern const Kind kPetCompartments;
extern const Kind kProcess;

}  // namespace evident::study
