#include "study/identity.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "evident/compare/checkpoint.hpp"
#include "tables/file_text.hpp"
#include "tables/input_file.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

/// Nothing for a study that was never a file: the likelihood tells.
void add_file(JournalIdentity& to, const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return;
  Fingerprint sum;
  sum.add(file_bytes(file, InputFile::kAnySize));
  to.fact(fmt::format("sum of {}", std::filesystem::path(file).filename().string()),
          fmt::format("{:016x}", sum.value()));
}

}  // namespace

JournalIdentity study_identity(const Study& study, LikelihoodAtDraws likelihood) {
  JournalIdentity out = study.family ? comparison_identity(*study.family, study.options, likelihood)
                                     : comparison_identity(study.candidates(), study.options, likelihood);
  add_file(out, study.file);
  for (const std::string& file : study.data_files) add_file(out, file);
  return out;
}

}  // namespace evident::study
