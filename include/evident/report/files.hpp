// The files of a finished run: result.json, and for each model its posterior draws and its trace.
//
//   OutputFolder folder("study.evident", force);   // finds out at once whether it can be written
//   Comparison c = compare(...);
//   write_files(c, info, folder.path());
//   folder.publish();
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evident/compare/compare.hpp"
#include "evident/report/json.hpp"

namespace evident::report {

/// A file name for each model name: letters, digits, '.', '_' and '-' only, and no two alike on any file system.
std::vector<std::string> safe_file_names(const std::vector<std::string>& names);

/// Without log likelihoods, as prior draws are, the columns of the two densities are left out.
std::string draws_csv(const Draws& draws);
std::string trace_csv(const Trace& trace);

/// Writes all files into `folder`; throws RunError when one cannot be written.
void write_files(const Comparison& comparison, const RunInfo& info, const std::filesystem::path& folder);

/// Writes one file and makes sure that it arrived; throws RunError.
void write_file(const std::filesystem::path& file, std::string_view text);
/// The same, but the file appears whole or not at all, and what was there before stays until then.
void replace_file(const std::filesystem::path& file, std::string_view text);

}  // namespace evident::report
