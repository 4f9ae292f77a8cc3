// All that the outputs of a comparison show, as one value, made from the comparison or read from a results folder.
//
//   Document document(comparison, {.study = "study.toml"});                  // numbers, draws, traces
//   document.add_models(candidates, options);                                // settings, prior draws, predictions
//   write_files(document, "results");                                        // the folder must be there
//   write_file("report.html", study_report(document));
//   write_file("again.html", study_report(Document::read("results")));       // the same page
//   write_netcdf("study.nc", document, candidates, options);                 // for ArviZ: az.from_netcdf("study.nc")
//   std::cout << to_json(comparison, {.study = "study.toml"});
//   std::cout << to_table(comparison, detect_style(1));                      // as the terminal can show it
//
// All of it is a function of study and seed, apart from the times, whatever the number of threads. Numbers that are not
// finite are null in JSON.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evident/compare/compare.hpp"

namespace evident::report {

/// What the document says beyond the comparison itself.
struct RunInfo {
  std::string study;               ///< file name, without folders
  std::vector<std::string> kinds;  ///< of each model, in order; may be empty
};

/// Ends with a line break.
std::string to_json(const Comparison& comparison, const RunInfo& info);

/// What the terminal (or file) behind a stream can show.
struct TextStyle {
  std::size_t width = 80, height = 24;
  bool terminal = false;
  bool cursor = false;  ///< a terminal that can draw over what it shows
  bool colour = false;
  bool unicode = false;
};

/// The style of a file descriptor: asks the terminal for its width, and the environment (NO_COLOR, TERM, LC_ALL,
/// LC_CTYPE, LANG) for the rest.
TextStyle detect_style(int descriptor);

/// Standard error of a model's log evidence: that of its runs together, or from within them; NaN when neither is known.
double evidence_error(const ModelResult& model);

/// One line a model, in the order of the study, then the warnings. Of a large family the first 40 models are shown.
/// Ends with a line break.
std::string to_table(const Comparison& comparison, const TextStyle& style);

/// Columns of numbers, each with its name.
struct NumberTable {
  std::vector<std::string> names = {};
  std::vector<std::vector<double>> columns = {};  ///< all of the same length

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// Null when there is none of that name.
  const std::vector<double>* find(std::string_view name) const;
};

struct DocumentParts;  // src/report/document_parts.hpp

class Document {
 public:
  using Files = std::map<std::string, std::string>;  ///< texts by the names of their files

  /// The numbers, draws and traces of all models.
  Document(Comparison comparison, const RunInfo& info);
  explicit Document(DocumentParts parts);
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  /// Reads a results folder, or the texts of its files; those of a single model for the `most` most probable models
  /// only. Throws InputError when it is not one of `evident compare`, or when a file in it is damaged.
  static Document read(const std::filesystem::path& folder, std::size_t most = std::numeric_limits<std::size_t>::max());
  static Document read(const Files& files);

  /// Settings, prior draws and predictions. `candidates` are the models as far as they are known, in any order; others
  /// are left out. A model whose predictions fail is left out too, with a note.
  void add_models(std::span<const Candidate> candidates, const CompareOptions& options);

  std::size_t size() const;  ///< models
  /// Of one model; null when there are none.
  const Draws* draws(std::size_t model) const;
  const Draws* prior(std::size_t model) const;
  const NumberTable* trace(std::size_t model) const;

  /// The document result.json.
  std::string json() const;
  /// Each file of a results folder but the report, one after the other: result.json, study.json, and of each model
  /// NAME-draws.csv, NAME-trace.csv, NAME-prior.csv and NAME-predictive.json, as far as they are there. Files that
  /// begin with all-models belong to the models together.
  void each_file(const std::function<void(const std::string& name, const std::string& text)>& visit) const;
  Files files() const;

  const DocumentParts& parts() const { return *parts_; }

 private:
  std::unique_ptr<DocumentParts> parts_;
};

/// A thousand draws of the prior, derived quantities included, without log likelihoods: the same that the document has
/// for the model of that name.
Draws prior_draws(const std::string& name, const Model& model, const CompareOptions& options);

/// Can this build make the page? (EVIDENT_REPORT)
bool has_study_report();

/// The page. Throws RunError when this build has no reports.
std::string study_report(const Document& document);

/// Writes all files into `folder`, with report.html where it is wanted and this build can make it; throws RunError when
/// one cannot be written.
void write_files(const Document& document, const std::filesystem::path& folder, bool with_report = false);

/// Writes one file and makes sure that it arrived; throws RunError.
void write_file(const std::filesystem::path& file, std::string_view text);

/// Can this build write such files? (EVIDENT_NETCDF)
bool has_netcdf();

/// Each file appears whole or not at all, after all have been written. Models without draws get none. `candidates` are
/// the models as far as they are known: what the document has not is made from them. Returns the files; throws
/// RunError.
std::vector<std::filesystem::path> write_netcdf(const std::filesystem::path& wanted, const Document& document,
                                                std::span<const Candidate> candidates, const CompareOptions& options);

}  // namespace evident::report
