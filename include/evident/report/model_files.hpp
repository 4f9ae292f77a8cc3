// What a report needs beyond the result itself: the study's settings and priors (study.json), and for each model prior
// draws (NAME-prior.csv) and what it predicts (NAME-predictive.json); all-models-predictive.json is averaged over the
// models.
//
//   write_files(comparison, info, folder);
//   write_model_files(comparison, candidates, options, folder);
//
// All of it is a function of study and seed, whatever the number of threads.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "evident/compare/compare.hpp"

namespace evident::report {

/// Prior draws of a model, derived quantities included, without log likelihoods.
Draws prior_draws(const Model& model, std::size_t count, const Streams& streams);

/// Settings as rows of a table: name and value.
std::vector<std::pair<std::string, std::string>> settings_of(const CompareOptions& options,
                                                             std::span<const Candidate> candidates);

/// `candidates` are the models as far as they are known, in any order; others are left out, with a note. A model whose
/// predictions fail is left out in the same way. Throws RunError when a file cannot be written.
void write_model_files(const Comparison& comparison, std::span<const Candidate> candidates,
                       const CompareOptions& options, const std::filesystem::path& folder);

}  // namespace evident::report
