// Parts of the study report's JSON (web/src/study/data.ts), each of one model.
#pragma once

#include "report/document_parts.hpp"

namespace evident::report {

/// What a run went through: {step, alpha, ess, cess, acceptance} by step, and the path {alpha, mean} with what is known
/// between the steps. Long traces are thinned.
Json trace_json(const NumberTable& trace);

/// Summaries of the parameters, and where details are wanted their densities and equally weighted posterior draws:
/// {parameters, draws}.
Json posterior_json(const ModelParts& model, bool detailed);

/// Predictions as they were stored, checked.
Json checked_predictive(const Stored& predictive);

/// Parameters as rows: name, mean, sd, quantiles.
Json summaries_json(const std::vector<Stored>& parameters);

}  // namespace evident::report
