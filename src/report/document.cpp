#include "evident/report/document.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/document_parts.hpp"
#include "report/files.hpp"
#include "report/number_table.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kMostOfFamily = 100;  // models with files of their own, the most probable ones

DocumentParts parts_of(Comparison c, const RunInfo& info) {
  DocumentParts out{.result = Stored(comparison_json(c, info), "result.json")};
  const std::vector<Stored> entries = out.result.list("models");
  for (std::size_t i = 0; i < c.models.size(); ++i) {
    ModelResult& m = c.models[i];
    ModelParts parts{.name = m.name, .result = entries[i]};
    if (m.steps() > 0) parts.trace = trace_table(m.replicates.front().trace);
    if (!m.draws.weights.empty()) parts.draws = std::move(m.draws);
    out.models.push_back(std::move(parts));
  }
  if (!c.runs.empty() && !c.runs.front().trace.steps.empty()) out.union_trace = trace_table(c.runs.front().trace);
  return out;
}

template <class T>
const T* if_any(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}

}  // namespace

std::vector<std::size_t> DocumentParts::most_probable(std::size_t most) const {
  std::vector<std::size_t> order(models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto improbability = [&](std::size_t i) {
    const double p = models[i].result.number("probability");
    return std::isnan(p) ? 0.0 : -p;
  };
  std::ranges::stable_sort(order, {}, improbability);
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);
  return order;
}

std::size_t DocumentParts::with_files() const {
  const bool family = !result.list("runs").empty();
  return family ? std::min(models.size(), kMostOfFamily) : models.size();
}

std::vector<std::string> DocumentParts::file_names() const {
  std::vector<std::string> names;
  for (const ModelParts& m : models) names.push_back(m.name);
  names.emplace_back("all-models");
  return safe_file_names(names);
}

Document::Document(DocumentParts parts) : parts_(std::make_unique<DocumentParts>(std::move(parts))) {}
Document::Document(Comparison comparison, const RunInfo& info) : Document(parts_of(std::move(comparison), info)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

std::size_t Document::size() const { return parts_->models.size(); }
const Draws* Document::draws(std::size_t model) const { return if_any(parts_->models[model].draws); }
const Draws* Document::prior(std::size_t model) const { return if_any(parts_->models[model].prior); }
const NumberTable* Document::trace(std::size_t model) const { return if_any(parts_->models[model].trace); }

std::string Document::json() const { return indented_text(parts_->result.json()); }

void Document::each_file(const std::function<void(const std::string&, const std::string&)>& visit) const {
  const DocumentParts& d = *parts_;
  const std::vector<std::string> files = d.file_names();
  const std::size_t detailed = d.with_files();
  const auto numbers = [&](const std::string& name, const std::optional<NumberTable>& table) {
    if (table) visit(name, numbers_csv(*table));
  };
  const auto draws = [&](const std::string& name, const std::optional<Draws>& of) {
    if (of) visit(name, numbers_csv(draws_table(*of)));
  };
  const auto predictions = [&](const std::string& name, const std::optional<Stored>& of) {
    if (of) visit(name, compact_text(of->json()) + "\n");
  };
  visit("result.json", json());
  if (d.study) visit("study.json", indented_text(d.study->json()));
  for (std::size_t i = 0; i < d.models.size(); ++i) {
    const ModelParts& m = d.models[i];
    if (i < detailed) {
      draws(files[i] + "-draws.csv", m.draws);
      numbers(files[i] + "-trace.csv", m.trace);
    }
    draws(files[i] + "-prior.csv", m.prior);
    predictions(files[i] + "-predictive.json", m.predictive);
  }
  numbers(files.back() + "-trace.csv", d.union_trace);
  predictions(files.back() + "-predictive.json", d.averaged);
}

Document::Files Document::files() const {
  Files out;
  each_file([&](const std::string& name, const std::string& text) { out.emplace(name, text); });
  return out;
}

}  // namespace evident::report
