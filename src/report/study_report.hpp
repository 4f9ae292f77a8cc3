// The report of a comparison, from its document or from its results folder.
//
//   write_file("study.evident/report.html", study_report("study.evident"));
//
// What the page shows, and the JSON that it reads, is in web/src/study/data.ts. docs/report.md tells how to read it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "evident/report/document.hpp"

namespace evident::report {

/// What the page shows.
std::string study_report_json(const Document& document);

/// The same of a folder; only what the page shows is read. Throws InputError, as Document::read does.
std::string study_report(const std::filesystem::path& folder);
std::string study_report_json(const std::filesystem::path& folder);

/// The words of Kass and Raftery (1995) for a Bayes factor of at least 1, given its natural logarithm.
std::string_view strength_words(double log_bayes_factor);

}  // namespace evident::report
