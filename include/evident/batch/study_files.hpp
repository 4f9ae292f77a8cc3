// The folder of results that a study leaves: result.json, report.html, and the files of each model.
//
//   report::OutputFolder folder("study.evident", force);
//   write_study_files(study, comparison, folder.path());
//   folder.publish();
#pragma once

#include <filesystem>

#include "evident/report/json.hpp"
#include "evident/study/study.hpp"

namespace evident::batch {

/// The name of the study and the kinds of its models.
report::RunInfo run_info(const study::Study& study, const Comparison& comparison);

/// Throws RunError when a file cannot be written.
void write_study_files(const study::Study& study, const Comparison& comparison, const std::filesystem::path& folder,
                       bool with_report = true);

}  // namespace evident::batch
