// What a finished study leaves: its document, and the folder of results with result.json, report.html and the files of
// each model.
//
//   report::OutputFolder folder("study.evident", force);
//   write_study_files(study, comparison, folder.path());
//   folder.publish();
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
