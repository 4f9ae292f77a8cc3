#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/number_text.hpp"
#include "batch/tables.hpp"

namespace evident::batch {
namespace {

using report::display_width;
using report::printable;

constexpr std::size_t kMostModels = 20, kMostName = 40;

std::string number(double x, int digits) { return std::isfinite(x) ? fmt::format("{:.{}f}", x, digits) : "-"; }

/// Columns as wide as they must be; the first is flushed left, the others right.
std::string aligned(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> width(rows.front().size());
  for (auto& row : rows) {
    row.front() = report::fitted(row.front(), std::min(kMostName, display_width(row.front())));
    for (std::size_t j = 0; j < row.size(); ++j) width[j] = std::max(width[j], display_width(row[j]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = report::fitted(row.front(), width.front());
    for (std::size_t j = 1; j < row.size(); ++j)
      line += std::string(2 + width[j] - display_width(row[j]), ' ') + row[j];
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string models_text(const Summary& s) {
  const std::size_t good = s.data_sets - s.failed;
  std::vector<ModelTotal> models = s.models;
  std::ranges::stable_sort(models, std::ranges::greater{}, &ModelTotal::preferred);
  const bool sums = std::ranges::any_of(models, [](const ModelTotal& m) { return std::isfinite(m.log_evidence); });
  std::vector<std::vector<std::string>> rows = {{"model", "preferred in", "of"}};
  if (sums) rows.front().emplace_back("sum of log evidence");
  for (std::size_t i = 0; i < std::min(models.size(), kMostModels); ++i) {
    const ModelTotal& m = models[i];
    rows.push_back({printable(m.name), fmt::format("{}", m.preferred), fmt::format("{}", m.data_sets)});
    if (!sums) continue;
    const double se = std::sqrt(m.variance);
    rows.back().push_back(m.data_sets < good
                              ? "-"
                              : number(m.log_evidence, 2) + (std::isfinite(se) ? fmt::format(" +- {:.2f}", se) : ""));
  }
  std::string out = aligned(rows);
  if (models.size() > kMostModels) out += fmt::format("... and {} more\n", models.size() - kMostModels);
  return out;
}

std::string head_text(const Summary& s) {
  std::vector<std::vector<std::string>> rows = {{"data set", "best model", "probability", "verdict"}};
  for (const ItemResult& r : s.head) {
    if (r.failed()) {
      rows.push_back({printable(r.name), "failed", "-", "-"});
      continue;
    }
    const ModelRow& best = r.models[*r.best()];
    rows.push_back({printable(r.name),
                    report::fitted(printable(best.name), std::min(kMostName, display_width(printable(best.name)))),
                    probability_cell(best.probability.value), best.verdict.empty() ? "-" : best.verdict});
  }
  std::string out = aligned(rows);
  if (s.data_sets > s.head.size())
    out += fmt::format("... and {} more in {}\n", s.data_sets - s.head.size(), printable(s.results.string()));
  return out;
}

}  // namespace

std::string to_text(const Summary& s, const report::TextStyle& style) {
  const auto bold = [&](const std::string& text) {  // the line of titles
    if (!style.colour) return text;
    const std::size_t end = text.find('\n');
    return "\x1b[1m" + text.substr(0, end) + "\x1b[0m" + text.substr(end);
  };
  std::string out = fmt::format("{} data set{}", s.data_sets, s.data_sets == 1 ? "" : "s");
  if (s.failed > 0) out += fmt::format(", {} failed", s.failed);
  if (s.doubtful > 0) out += fmt::format(", in {} the evidence of the best model is not to be trusted yet", s.doubtful);
  if (s.unjudged > 0) out += fmt::format(", in {} it is unjudged", s.unjudged);
  out += "\n\n";
  if (!s.models.empty()) out += bold(models_text(s)) + "\n";
  out += bold(head_text(s));
  for (const auto& [name, why] : s.failures) out += fmt::format("failed: {}: {}\n", printable(name), printable(why));
  if (s.failed > s.failures.size()) out += fmt::format("... and {} more failed\n", s.failed - s.failures.size());
  return out;
}

std::string failure_text(const Summary& s) {
  if (s.failed == 0) return {};
  const auto& [name, why] = s.failures.front();
  return fmt::format("{} of {} data set{} failed ({}: {}){}", s.failed, s.data_sets, s.data_sets == 1 ? "" : "s", name,
                     why, s.failed > 1 ? "; the table tells why the others did" : "");
}

}  // namespace evident::batch
