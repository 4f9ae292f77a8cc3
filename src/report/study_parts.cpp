#include "report/study_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/summary_fields.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/path/trace.hpp"
#include "report/density.hpp"
#include "report/json_fields.hpp"
#include "report/new_data.hpp"
#include "report/predictive_fields.hpp"
#include "report/short_number.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kMostSteps = 400, kMostPathPoints = 600;
constexpr std::size_t kDensityDraws = 4000, kPairDraws = 400, kMostDensities = 60, kMostPairs = 12;
constexpr std::size_t kMostPredicted = 1000;

/// Of `count` rows, at most `most`, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> rows(std::min(count, most));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = rows.size() == 1 ? 0 : i * (count - 1) / (rows.size() - 1);
  return rows;
}

Json thinned(const std::vector<double>* column, const std::vector<std::size_t>& rows) {
  Json out = Json::array();
  if (column)
    for (const std::size_t i : rows) out.push_back(short_number((*column)[i]));
  return out;
}

/// The mean log likelihood along the path: at each step, and between steps where the trace has it.
Json path_json(const NumberTable& trace) {
  const std::vector<double>&alpha = *trace.find("alpha"), &mean = *trace.find("mean_log_likelihood");
  std::vector<const std::vector<double>*> finer;
  for (std::size_t j = 1; j < kFinest; ++j)
    finer.push_back(trace.find(fmt::format("mean_log_likelihood_{}_{}", j, kFinest)));
  std::vector<double> x, u;
  for (std::size_t t = 0; t < alpha.size(); ++t) {
    for (std::size_t j = 1; t > 0 && j < kFinest; ++j) {
      if (!finer[j - 1]) continue;
      x.push_back(alpha[t - 1] + static_cast<double>(j) / kFinest * (alpha[t] - alpha[t - 1]));
      u.push_back((*finer[j - 1])[t]);
    }
    x.push_back(alpha[t]);
    u.push_back(mean[t]);
  }
  Json out = {{"alpha", Json::array()}, {"mean", Json::array()}};
  for (const std::size_t i : spread(x.size(), kMostPathPoints)) {
    out["alpha"].push_back(short_number(x[i]));
    out["mean"].push_back(short_number(u[i]));
  }
  return out;
}

std::vector<double> picked(std::span<const double> column, const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  out.reserve(rows.size());
  for (const std::size_t i : rows) out.push_back(column[i]);
  return out;
}

Json density_json(const DensityCurves& d) {
  if (d.x.empty()) return nullptr;
  Json out = {{"x", short_numbers(d.x)},
              {"posterior", short_numbers(d.posterior)},
              {"near", {short_number(d.near_low), short_number(d.near_high)}},
              {"wide", {short_number(d.wide_low), short_number(d.wide_high)}}};
  if (!d.prior.empty()) out["prior"] = short_numbers(d.prior);
  return out;
}

/// Rows of weighted draws, each as often as its weight asks for; none when no draw has a weight.
std::vector<std::size_t> rows_of(const Draws& draws, std::size_t most) {
  const std::vector<double>& weights = draws.weights;
  if (std::ranges::none_of(weights, [](double w) { return w > 0 && std::isfinite(w); })) return {};
  return pick(weights, std::min(most, weights.size()));
}

/// Of a parameter or derived quantity; empty when there is none of that name.
std::span<const double> column_of(const Draws& draws, const std::string& name) {
  const auto found = std::ranges::find(draws.names, name);
  if (found == draws.names.end()) return {};
  return draws.values.row(static_cast<std::size_t>(found - draws.names.begin()));
}

std::string prior_text(const ModelParts& m, const std::string& name) {
  if (m.study)
    for (const Stored& p : m.study->list("parameters"))
      if (p.json().is_object() && p.text("name") == name) return p.text("prior");
  return {};
}

/// A list of numbers of one length, null where there is none.
Json checked_numbers(const Stored& from, const char* key, std::size_t count) {
  const std::vector<double> values = from.numbers(key);
  if (values.size() != count) from.refuse(key, fmt::format("a list of {} numbers", count).c_str());
  return short_numbers(values);
}

Json checked_band(const Stored& from, std::size_t count) {
  const auto band = from.object("band");
  if (!band) from.refuse("band", "an object");
  Json out;
  const Band keys;
  for_each_field(keys, [&](std::string_view q, const auto&) {
    out[std::string(q)] = checked_numbers(*band, std::string(q).c_str(), count);
  });
  return out;
}

Json checked_histogram(const Stored& from) {
  const std::size_t bins = from.numbers("observed").size();
  return {{"edges", checked_numbers(from, "edges", bins + 1)},
          {"observed", checked_numbers(from, "observed", bins)},
          {"band", checked_band(from, bins)}};
}

Json checked_series(const Stored& s) {
  const std::size_t n = s.numbers("values").size();
  if (n == 0 || n > kMostPredicted) s.refuse("values", "a list of 1 to 1000 numbers");
  Json out = {{"name", s.text("name")},
              {"count", s.number("count")},
              {"discrete", s.json().value("discrete", Json()) == true},
              {"axis_name", s.text("axis_name")},
              {"axis", s.numbers("axis").empty() ? Json::array() : checked_numbers(s, "axis", n)},
              {"band", checked_band(s, n)}};
  for (const char* key : {"values", "mean", "mean_q05", "mean_q95"}) out[key] = checked_numbers(s, key, n);
  out["replicates"] = Json::array();
  for (const Stored& r : s.list("replicates")) {
    const std::vector<double> values = r.as_numbers();
    if (values.size() != n) s.refuse("replicates", "a list of data sets");
    out["replicates"].push_back(short_numbers(values));
  }
  const auto histogram = s.object("histogram");
  out["histogram"] = histogram ? checked_histogram(*histogram) : Json();
  return out;
}

}  // namespace

Json trace_json(const NumberTable& trace) {
  const std::vector<std::size_t> rows = spread(trace.rows(), kMostSteps);
  Json out = {{"steps", trace.rows() == 0 ? 0 : trace.rows() - 1}, {"step", Json::array()}};
  for (const std::size_t i : rows) out["step"].push_back(i);
  for (const char* name : {"alpha", "ess", "cess", "acceptance"}) out[name] = thinned(trace.find(name), rows);
  out["path"] = path_json(trace);
  return out;
}

Json summaries_json(const std::vector<Stored>& parameters) {
  Json out = Json::array();
  for (const Stored& p : parameters) {
    if (!p.json().is_object()) p.refuse("parameters", "a list of parameters");
    out.push_back(json_of(fields_of<ParameterSummary>(p), short_number));
  }
  return out;
}

Json posterior_json(const ModelParts& m, bool detailed) {
  Json parameters = summaries_json(m.result.list("parameters")), draws = Json::array();
  for (Json& p : parameters) {
    const std::string prior = prior_text(m, p["name"]);
    if (!prior.empty()) p["prior"] = prior;
  }
  if (detailed && m.draws) {
    const std::vector<std::size_t> rows = rows_of(*m.draws, kDensityDraws), few = rows_of(*m.draws, kPairDraws);
    const std::vector<std::size_t> before = m.prior ? rows_of(*m.prior, kDensityDraws) : std::vector<std::size_t>{};
    for (std::size_t j = 0; j < parameters.size() && !rows.empty(); ++j) {
      const std::string name = parameters[j]["name"];
      const std::span<const double> column = column_of(*m.draws, name);
      const std::span<const double> prior = m.prior ? column_of(*m.prior, name) : std::span<const double>{};
      if (column.empty()) continue;
      if (j < kMostDensities)
        parameters[j]["density"] = density_json(
            density_curves(picked(column, rows), prior.empty() ? std::vector<double>{} : picked(prior, before)));
      if (j < kMostPairs) draws.push_back(short_numbers(picked(column, few)));
    }
  }
  return {{"parameters", std::move(parameters)}, {"draws", std::move(draws)}};
}

Json checked_predictive(const Stored& p) {
  Json series = Json::array(), checks = Json::array();
  for (const Stored& s : p.list("series")) series.push_back(checked_series(s));
  for (const Stored& c : p.list("checks")) checks.push_back(json_of(fields_of<PredictiveCheck>(c), short_number));
  return {{"draws", short_number(p.number("draws"))}, {"series", std::move(series)}, {"checks", std::move(checks)}};
}

}  // namespace evident::report
