#include "evident/batch/study_files.hpp"

#include "evident/report/files.hpp"
#include "evident/report/model_files.hpp"
#include "evident/report/study_report.hpp"
#include "evident/study/known_models.hpp"

namespace evident::batch {

report::RunInfo run_info(const study::Study& study, const Comparison& comparison) {
  return {.study = std::filesystem::path(study.file).filename().string(), .kinds = study::kinds_of(study, comparison)};
}

void write_study_files(const study::Study& study, const Comparison& comparison, const std::filesystem::path& folder,
                       bool with_report) {
  report::write_files(comparison, run_info(study, comparison), folder);
  report::write_model_files(comparison, study::known_models(study, comparison), study.options, folder);
  if (with_report && report::has_study_report())
    report::write_file(folder / "report.html", report::study_report(folder));
}

}  // namespace evident::batch
