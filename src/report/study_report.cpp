#include "report/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/version.hpp"
#include "compare/method.hpp"
#include "evident/base/log_math.hpp"
#include "report/html.hpp"
#include "report/short_number.hpp"
#include "report/study_parts.hpp"
#include "report/study_words.hpp"
#include "report/text.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kMostDetailed = 12, kMostListed = 60;

Json interval_json(const Stored& m, const char* key) {
  const std::vector<double> ends = m.numbers(key);
  if (ends.empty()) return nullptr;
  if (ends.size() != 2) m.refuse(key, "a pair of numbers");
  return short_numbers(ends);
}

Json texts_json(const std::vector<Stored>& texts) {
  Json out = Json::array();
  for (const Stored& t : texts) out.push_back(t.as_text());
  return out;
}

Json reasons_json(const Stored& m) {
  Json out = Json::array();
  for (const Stored& r : m.list("reasons"))
    out.push_back({{"code", r.text("code")}, {"level", r.text("level")}, {"text", r.text("text")}});
  return out;
}

/// The ways in which the evidence was estimated, as far as the method has several.
Json estimates_json(const Stored& m) {
  Json out = Json::array();
  const auto add = [&](const char* name, const char* value, const char* error) {
    const double v = m.number(value);
    if (std::isfinite(v))
      out.push_back({{"name", name}, {"value", v}, {"error", error ? short_number(m.number(error)) : Json()}});
  };
  add("Standard (product of ratios)", "log_evidence_standard", "log_evidence_standard_se");
  add("Bridge sampling", "log_evidence_bridge", "log_evidence_bridge_se");
  add("Path sampling (the shaded area)", "log_evidence_path", nullptr);
  add("Nested sampling", "log_evidence_nested", "log_evidence_nested_se");
  return out;
}

/// How many modes were found, in one sentence; empty where nobody looked.
std::string modes_text(const Stored& m) {
  const std::optional<Stored> modes = m.object("modes");
  if (!modes) return "";
  const double found = modes->number("found"), starts = modes->number("starts");
  if (!(found > 0)) return "No mode was found before the runs: no climb had a possible start.";
  return fmt::format(
      "Before the runs {:.0f} climbs found {:.0f} mode{}; at most {:.2g} % of further climbs would find another.",
      starts, found, found == 1 ? "" : "s", 100 * modes->number("unseen"));
}

double total_seconds(const Stored& m) {
  double sum = 0;
  for (const Stored& r : m.list("replicates"))
    if (const double s = r.number("seconds"); std::isfinite(s)) sum += s;
  return sum;
}

Json model_json(const ModelParts& m, bool detailed) {
  const Stored& r = m.result;
  Json out = {{"name", m.name}, {"kind", r.text("kind")}};
  for (const char* key : {"weight", "probability", "probability_sd", "log_evidence_se", "steps", "particles",
                          "acceptance", "support", "likelihood_evaluations", "nan_evaluations"})
    out[key] = short_number(r.number(key));
  const double z = r.number("log_evidence");
  out["log_evidence"] = std::isfinite(z) ? Json(z) : Json();
  out["probability_interval"] = interval_json(r, "probability_interval");
  out["log_evidence_interval"] = interval_json(r, "log_evidence_interval");
  out["runs"] = r.list("replicates").size();
  out["seconds"] = short_number(total_seconds(r));
  out["verdict"] = r.text("verdict");
  out["dropped"] = r.json().value("dropped", Json()) == true;
  out["reasons"] = reasons_json(r);
  out["warnings"] = texts_json(r.list("warnings"));
  out["modes"] = modes_text(r);
  out["estimates"] = estimates_json(r);
  out["trace"] = detailed && m.trace && m.trace->rows() > 1 ? trace_json(*m.trace) : Json();
  Json posterior = posterior_json(m, detailed);
  out["parameters"] = std::move(posterior["parameters"]);
  out["draws"] = std::move(posterior["draws"]);
  out["predictive"] = detailed && m.predictive ? checked_predictive(*m.predictive) : Json();
  return out;
}

std::string method_title(const std::string& name) {
  for (const MethodInfo& m : methods())
    if (m.name == name) return std::string(m.title);
  return name;
}

/// Those that are shown with path, parameters and predictions, as far as a folder would have them.
std::vector<std::size_t> detailed_models(const DocumentParts& r) {
  std::vector<std::size_t> out = r.most_probable(kMostDetailed);
  std::erase_if(out, [&](std::size_t i) { return i >= r.with_files(); });
  return out;
}

/// What this run has not, and why, one sentence each.
Json missing_json(const DocumentParts& r, const std::vector<std::size_t>& detailed, const std::string& method) {
  Json out = Json::array();
  const auto any = [&](const auto& has) { return std::ranges::any_of(r.models, has); };
  const auto any_detailed = [&](auto part) {
    return std::ranges::any_of(detailed, [&](std::size_t i) { return (r.models[i].*part).has_value(); });
  };
  if (!any([](const ModelParts& m) { return std::isfinite(m.result.number("log_evidence")); }))
    out.push_back(fmt::format("No log evidences: the method {} gives probabilities only.", method));
  if (!any([](const ModelParts& m) { return !m.result.numbers("probability_interval").empty(); }))
    out.push_back("No intervals: with one run, or with this method, the error is not known.");
  if (!any_detailed(&ModelParts::trace) && !r.union_trace)
    out.push_back(fmt::format("No evidence path: the method {} keeps none.", method));
  if (!any_detailed(&ModelParts::draws))
    out.push_back(fmt::format("No posterior: the method {} keeps no draws.", method));
  else if (!any_detailed(&ModelParts::prior))
    out.push_back("No prior draws: they are not in the results folder.");
  if (!any_detailed(&ModelParts::predictive))
    out.push_back("No predictions: the models make none, or the method keeps no draws to make them from.");
  if (r.models.size() > kMostDetailed)
    out.push_back(fmt::format("Paths, parameters and predictions are those of the {} most probable of {} models.",
                              kMostDetailed, r.models.size()));
  return out;
}

/// Of the listed models against each other; NaN where the result has none.
Json factors_json(const DocumentParts& r, const std::vector<std::size_t>& listed) {
  const std::vector<Stored> rows = r.result.list("log_bayes_factors");
  Json out = Json::array();
  for (const std::size_t i : listed) {
    const std::vector<double> all = i < rows.size() ? rows[i].as_numbers() : std::vector<double>{};
    std::vector<double> row;
    for (const std::size_t j : listed) row.push_back(j < all.size() ? all[j] : kNaN);
    out.push_back(short_numbers(row));
  }
  return out;
}

Json settings_json(const DocumentParts& r) {
  Json out = Json::array();
  if (r.study)
    for (const Stored& row : r.study->list("settings")) {
      if (!row.json().is_array() || row.json().size() != 2) r.study->refuse("settings", "a list of pairs");
      out.push_back({Stored(row.json()[0], "study.json").as_text(), Stored(row.json()[1], "study.json").as_text()});
    }
  return out;
}

Json averaged_json(const DocumentParts& r) {
  const auto about = r.study ? r.study->object("averaged") : std::nullopt;
  if (!r.averaged || !about) return nullptr;
  return {{"models", texts_json(about->list("models"))},
          {"probability", short_number(about->number("probability"))},
          {"predictive", checked_predictive(*r.averaged)}};
}

Json report_json(const DocumentParts& r, const StudyWords& words) {
  const std::string method = r.result.text("method");
  const Json seed = r.result.json().value("seed", Json());
  const std::vector<std::size_t> listed = r.most_probable(kMostListed);
  const std::vector<std::size_t> detailed = detailed_models(r);
  Json models = Json::array();
  for (const std::size_t i : listed) models.push_back(model_json(r.models[i], std::ranges::binary_search(detailed, i)));
  return {{"title", fmt::format("Model comparison: {}", r.result.text("study"))},
          {"version", r.result.text("evident")},
          {"method", method_title(method)},
          {"seed", seed.is_number() ? Json(seed.dump()) : Json()},
          {"seconds", short_number(r.result.number("seconds"))},
          {"rounds", short_number(r.result.number("rounds"))},
          {"verdict", words.sentences},
          {"trust", words.trust},
          {"best", std::ranges::find(listed, words.best) - listed.begin()},
          {"strengths", strengths_json()},
          {"model_count", r.models.size()},
          {"models", std::move(models)},
          {"log_bayes_factors", factors_json(r, listed)},
          {"averaged_parameters", summaries_json(r.result.list("averaged_parameters"))},
          {"averaged", averaged_json(r)},
          {"union_trace", r.union_trace && r.union_trace->rows() > 1 ? trace_json(*r.union_trace) : Json()},
          {"settings", settings_json(r)},
          {"notes", r.study ? texts_json(r.study->list("notes")) : Json::array()},
          {"missing", missing_json(r, detailed, method)}};
}

}  // namespace

bool has_study_report() {
  const std::vector<std::string> kinds = html_kinds();
  return std::ranges::find(kinds, "study") != kinds.end();
}

std::string study_report_json(const Document& document) {
  return compact_text(report_json(document.parts(), words_of(document.parts())));
}

std::string study_report(const Document& document) {
  const StudyWords words = words_of(document.parts());
  const Json json = report_json(document.parts(), words);
  return html_page({.kind = "study",
                    .title = json["title"].get<std::string>(),
                    .json = compact_text(json),
                    .summary = summary_text(document.parts(), words)});
}

std::string study_report_json(const std::filesystem::path& folder) {
  return study_report_json(Document::read(folder, kMostDetailed));
}

std::string study_report(const std::filesystem::path& folder) {
  return study_report(Document::read(folder, kMostDetailed));
}

}  // namespace evident::report
