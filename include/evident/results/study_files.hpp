// What a finished study leaves: its document, and the folder of results with result.json, report.html and the files of
// each model.
//
//   const study::Study study = study::read_study("study.toml");
//   write_study_files(study, study::run(study), "results");  // the folder must be there
#pragma once

#include <filesystem>

#include "evident/report/document.hpp"
#include "evident/study/study.hpp"

namespace evident::results {

/// The name of the study and the kinds of its models.
report::RunInfo run_info(const study::Study& study, const Comparison& comparison);

/// With prior draws and predictions of the study's models.
report::Document document_of(const study::Study& study, const Comparison& comparison);

/// Throws RunError when a file cannot be written.
void write_study_files(const study::Study& study, const Comparison& comparison, const std::filesystem::path& folder,
                       bool with_report = true);

}  // namespace evident::results
