#include "results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "evident/base/error.hpp"

namespace zhou2016 {
namespace {

constexpr double kPublishedReplicates = 100;

std::string number(double x, int digits = 3) {
  if (!std::isfinite(x)) return x < 0 ? "-inf" : "-";
  return fmt::format("{:.{}f}", x, digits);
}

std::string line(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string head(const std::vector<std::string>& names) {
  std::string out = line(names) + "|";
  for (std::size_t i = 0; i < names.size(); ++i) out += "---|";
  return out + "\n";
}

std::string reference_text(const Row& row) {
  if (!row.reference) return "-";
  return row.reference_se > 0 ? fmt::format("{:g} ± {:g}", *row.reference, row.reference_se)
                              : fmt::format("{:g}", *row.reference);
}

std::string section_text(const Section& section) {
  std::vector<std::string> names = section.label_names;
  for (const char* name : {"published", "reference", "mean", "SD", "SE", "replicates"}) names.emplace_back(name);
  names.insert(names.end(), section.extra_names.begin(), section.extra_names.end());
  names.emplace_back("verdict");
  std::string out = fmt::format("## {}\n\n{}", section.title, head(names));
  for (const Row& row : section.rows) {
    std::vector<std::string> cells = row.labels;
    cells.push_back(row.published ? fmt::format("{:g} ± {:g}", row.published->mean, row.published->sd) : "-");
    cells.push_back(reference_text(row));
    for (const double x : {row.ours.mean, row.ours.sd, row.ours.se}) cells.push_back(number(x));
    cells.push_back(fmt::format("{}", row.ours.replicates));
    cells.insert(cells.end(), row.extra.begin(), row.extra.end());
    cells.push_back(verdict(row));
    out += line(cells);
  }
  return out + "\n";
}

nlohmann::json finite(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(nullptr); }

nlohmann::json json_of(const Section& section, const Row& row) {
  nlohmann::json out = {{"mean", finite(row.ours.mean)},
                        {"sd", finite(row.ours.sd)},
                        {"se", finite(row.ours.se)},
                        {"replicates", row.ours.replicates},
                        {"verdict", verdict(row)}};
  for (std::size_t i = 0; i < row.labels.size(); ++i) out[section.label_names[i]] = row.labels[i];
  for (std::size_t i = 0; i < row.extra.size(); ++i) out[section.extra_names[i]] = row.extra[i];
  if (row.published) out["published"] = {{"mean", row.published->mean}, {"sd", row.published->sd}};
  if (row.reference) out["reference"] = *row.reference;
  return out;
}

nlohmann::json json_of(const Results& results) {
  nlohmann::json out = {{"name", results.name}, {"title", results.title}, {"settings", results.settings}};
  for (const Section& section : results.sections) {
    nlohmann::json rows = nlohmann::json::array();
    for (const Row& row : section.rows) rows.push_back(json_of(section, row));
    out["sections"].push_back({{"title", section.title}, {"rows", rows}});
  }
  for (const Plain& plain : results.plains)
    out["tables"].push_back({{"title", plain.title}, {"columns", plain.names}, {"rows", plain.rows}});
  out["notes"] = results.notes;
  return out;
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw evident::RunError("cannot write " + file.string());
}

}  // namespace

const char* const kRule =
    "Verdict: the mean must lie within 3 standard errors of the reference (the true value). Where there is none, or "
    "where "
    "the published estimator is known to be biased, it must lie within 3 combined standard errors of the published "
    "mean, "
    "which was rounded to its last digit. The SD must be at most 1.1 times the published one where schedule or scales "
    "are "
    "adaptive, 1.3 times elsewhere (three standard errors of a ratio of two SDs of 100 replicates each).";

Summary summarise(std::span<const double> values) {
  Summary out;
  out.replicates = values.size();
  const auto n = static_cast<double>(values.size());
  for (const double v : values) out.mean += v / n;
  for (const double v : values) out.sd += (v - out.mean) * (v - out.mean);
  out.sd = values.size() > 1 ? std::sqrt(out.sd / (n - 1)) : std::nan("");
  out.se = out.sd / std::sqrt(n);
  return out;
}

std::string verdict(const Row& row) {
  if (!std::isfinite(row.ours.mean) || (!row.reference && !row.published)) return "-";
  std::vector<std::string> faults;
  const bool to_reference = row.reference && !(row.biased && row.published);
  const double goal = to_reference ? *row.reference : row.published->mean;
  const double goal_se = to_reference ? row.reference_se : row.published->sd / std::sqrt(kPublishedReplicates);
  const double rounding = to_reference ? 0 : std::abs(goal) >= 1000 ? 0.5 : 0.05;
  const double se = std::hypot(row.ours.se, goal_se);
  const double off = row.ours.mean - goal;
  if (!(std::abs(off) <= 3 * se + rounding)) faults.push_back(fmt::format("mean {:+.3g} ({:.1f} SE)", off, off / se));
  if (row.published && !(row.ours.sd <= row.sd_limit * row.published->sd))
    faults.push_back(fmt::format("SD {:.2f} times", row.ours.sd / row.published->sd));
  return faults.empty() ? "ok" : fmt::format("differs: {}", fmt::join(faults, ", "));
}

std::string markdown(const Results& results) {
  std::string out = fmt::format("# {}\n\n", results.title);
  for (const std::string& s : results.settings) out += "* " + s + "\n";
  out += "\n";
  for (const Section& section : results.sections) out += section_text(section);
  for (const Plain& plain : results.plains) {
    out += fmt::format("## {}\n\n{}", plain.title, head(plain.names));
    for (const auto& row : plain.rows) out += line(row);
    out += "\n";
  }
  for (const std::string& note : results.notes) out += note + "\n\n";
  out += fmt::format("![{}]({}.svg)\n", results.title, results.name);
  return out;
}

void write(const Results& results, const std::filesystem::path& folder) {
  const std::string text = markdown(results);
  fmt::print("{}\n", text);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw evident::InputError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  write_file(folder / (results.name + ".md"), text);
  write_file(folder / (results.name + ".json"), json_of(results).dump(1) + "\n");
  write_file(folder / (results.name + ".svg"), results.svg);
}

}  // namespace zhou2016
