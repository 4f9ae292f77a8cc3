// Why a log likelihood is NaN at one place: the first operation that makes NaN of numbers, in the words of the study.
//
//   why_nan(text, theta);  // "inf / inf in row 17 of the data (D = 1000), in 'D^n / (D^n + E^n)' (study.toml:9:24)"
//
// The model is built again with numbers for its parameters, so that every step of its formulas is folded: then each
// result lies beside its operands.
#pragma once

#include <span>
#include <string>

#include "evident/formula/model.hpp"

namespace evident::formula {

/// Nothing when it cannot tell: the NaN comes from a differential equation, or from the last digits.
std::string why_nan(const FormulaText& text, std::span<const double> theta);

}  // namespace evident::formula
