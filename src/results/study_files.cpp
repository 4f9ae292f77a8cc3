#include "evident/results/study_files.hpp"

#include "report/files.hpp"
#include "study/known_models.hpp"

namespace evident::results {

report::RunInfo run_info(const study::Study& study, const Comparison& comparison) {
  return {.study = std::filesystem::path(study.file).filename().string(), .kinds = study::kinds_of(study, comparison)};
}

report::Document document_of(const study::Study& study, const Comparison& comparison) {
  report::Document out(comparison, run_info(study, comparison));
  out.add_models(study::known_models(study, comparison), study.options);
  return out;
}

void write_study_files(const study::Study& study, const Comparison& comparison, const std::filesystem::path& folder,
                       bool with_report) {
  report::write_files(document_of(study, comparison), folder, with_report);
}

}  // namespace evident::results
