// A table of results beside the published ones, and how it is written: Markdown, JSON and SVG.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace zhou2016 {

/// A published cell: mean and standard deviation over 100 replicates.
struct Published {
  double mean, sd;
};

struct Summary {
  std::size_t replicates = 0;
  double mean = 0, sd = 0, se = 0;  ///< se: standard error of the mean
};
Summary summarise(std::span<const double> values);

struct Row {
  std::vector<std::string> labels;
  std::optional<Published> published;
  std::optional<double> reference;  ///< the true value, where it is known
  Summary ours;
  bool biased = false;    ///< the estimator is known to be off here: what counts is the published mean
  double sd_limit = 1.3;  ///< SD at most this many times the published one
  std::vector<std::string> extra = {};
  double reference_se = 0;  ///< where the true value is itself an estimate
};
/// "ok", or "differs: ..." and by how much. The rule is in kRule.
std::string verdict(const Row& row);
extern const char* const kRule;

struct Section {
  std::string title;
  std::vector<std::string> label_names, extra_names;
  std::vector<Row> rows;
};

/// A table of plain words.
struct Plain {
  std::string title;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
};

struct Results {
  std::string name, title;
  std::vector<std::string> settings;  ///< one line each
  std::vector<Section> sections;
  std::vector<Plain> plains;
  std::vector<std::string> notes;
  std::string svg;
};

std::string markdown(const Results& results);
/// NAME.md, NAME.json and NAME.svg in `folder`; the Markdown also goes to standard output.
void write(const Results& results, const std::filesystem::path& folder);

}  // namespace zhou2016
