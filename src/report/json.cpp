#include "evident/report/document.hpp"

#include "base/printable.hpp"
#include "base/version.hpp"
#include "compare/method.hpp"
#include "compare/summary_fields.hpp"
#include "report/document_parts.hpp"
#include "report/json_fields.hpp"

namespace evident::report {
namespace {

Json path_json(const PathSampling& path) {
  Json out = {{"refinements", kRefinements}};
  Json rules = Json::object();
  for (std::size_t r = 0; r < kRules.size(); ++r) rules[std::string(name(kRules[r]))] = path.estimate[r];
  out["rules"] = std::move(rules);
  out["corrected"] = path.corrected;
  out["start"] = path.start;
  return out;
}

// What a method cannot tell is null: a chain has no steps, an optimiser no particles.
Json told(bool known, Json value) { return known ? std::move(value) : Json(); }

Json details_json(const Replicate& r) {
  Json out = Json::object();
  for (const auto& [name, value] : r.details) out[name] = value;
  return out;
}

Json bridge_json(const BridgeEvidence& b) {
  return {{"log_evidence", b.log_evidence.value},
          {"log_evidence_se", b.log_evidence.standard_error},
          {"components", b.components},
          {"efficiency", b.agreement.efficiency},
          {"pareto_k", b.agreement.pareto_k},
          {"usable", b.usable},
          {"reason", told(!b.reason.empty(), b.reason)}};
}

// What the trace of a run tells, in the same fields wherever it stands.
void add_trace(const Trace& trace, const std::optional<PathSampling>& path, Json& out) {
  const bool stepped = !trace.steps.empty();
  out["steps"] = told(stepped, stepped ? trace.steps.size() - 1 : 0);
  out["particles"] = told(trace.particles > 0, trace.particles);
  out["acceptance"] = told(stepped, stepped ? trace.mean_acceptance() : 0);
  out["resamplings"] = told(stepped, trace.resamplings());
  out["path_sampling"] = path ? path_json(*path) : Json();
}

Json replicates_json(const std::vector<Replicate>& replicates) {
  Json out = Json::array();
  for (const Replicate& r : replicates) {
    const bool stepped = !r.trace.steps.empty();
    out.push_back({{"log_evidence", r.log_evidence.value},
                   {"log_evidence_path", r.log_evidence_path},
                   {"log_evidence_se", r.log_evidence.standard_error},
                   {"probability", r.probability.value},
                   {"probability_se", r.probability.standard_error},
                   {"support", r.support},
                   {"steps", told(stepped, stepped ? r.trace.steps.size() - 1 : 0)},
                   {"likelihood_evaluations", told(r.trace.evaluations > 0, r.trace.evaluations)},
                   {"bridge", r.bridge ? bridge_json(*r.bridge) : Json()},
                   {"details", details_json(r)},
                   {"warnings", r.warnings},
                   {"seconds", r.seconds}});
  }
  return out;
}

Json pilot_json(const Replicate& pilot) {
  Json out = {{"log_evidence", pilot.log_evidence.value}, {"likelihood_evaluations", pilot.trace.evaluations}};
  add_trace(pilot.trace, std::nullopt, out);
  out.erase("path_sampling");
  return out;
}

// Runs that serve all the models at once.
Json runs_json(const std::vector<Replicate>& runs) {
  Json out = Json::array();
  for (const Replicate& r : runs) {
    Json run = {{"log_evidence", r.log_evidence.value}, {"log_evidence_path", r.log_evidence_path}};
    run["likelihood_evaluations"] = told(r.trace.evaluations > 0, r.trace.evaluations);
    run["nan_evaluations"] = told(r.trace.evaluations > 0, r.trace.nan_evaluations);
    add_trace(r.trace, r.path, run);
    run["details"] = details_json(r);
    run["warnings"] = r.warnings;
    run["seconds"] = r.seconds;
    out.push_back(std::move(run));
  }
  return out;
}

Json modes_json(const FoundModes& found) {
  Json largest = Json::array();
  for (const FoundMode& m : found.largest) {
    Json one = {{"at", m.at}};
    put("log_mass", m.log_mass, one);
    put("of_particles", m.of_particles, one);
    largest.push_back(std::move(one));
  }
  return {{"found", found.found},
          {"starts", found.starts},
          {"unseen", found.unseen},
          {"likelihood_evaluations", found.evaluations},
          {"largest", std::move(largest)}};
}

Json nan_json(const FoundNan& found) {
  Json places = Json::array();
  for (const NanPlace& p : found.places) places.push_back({{"at", p.at}, {"why", told(!p.why.empty(), p.why)}});
  return {{"of_prior", found.of_prior},
          {"of_posterior", found.of_posterior},
          {"log_evidence_too_low", found.too_low},
          {"likelihood_evaluations", found.fresh_evaluations},
          {"places", std::move(places)}};
}

std::size_t nan_evaluations(const ModelResult& m) {
  std::size_t sum = m.pilot ? m.pilot->trace.nan_evaluations : 0;
  for (const Replicate& r : m.replicates) sum += r.trace.nan_evaluations;
  return sum;
}

// What is told of the run is that of the first replicate; counts are summed over all of them.
Json model_json(const ModelResult& m, const std::string* kind) {
  Json out = {{"name", m.name}};
  if (kind) out["kind"] = *kind;
  out["weight"] = m.weight;
  out["probability"] = m.probability.value;
  out["probability_sd"] = m.spread.probability_sd;
  out["probability_se"] = m.probability.standard_error;
  out["support"] = m.support;
  out["probability_interval"] = json_of(m.probability_interval);
  out["verdict"] = m.verdict ? Json(name(*m.verdict)) : Json();
  out["dropped"] = told(m.verdict.has_value() && m.verdict != Verdict::unjudged, m.dropped);
  out["reasons"] = told(m.verdict.has_value(), json_of(m.reasons));
  put("log_evidence", m.log_evidence, out);
  out["log_evidence_interval"] = json_of(m.log_evidence.interval());
  put("log_evidence_standard", m.log_evidence_standard, out);
  put("log_evidence_bridge", m.log_evidence_bridge, out);
  put("log_evidence_nested", m.log_evidence_nested, out);
  out["log_evidence_path"] = m.log_evidence_path;
  out["log_evidence_mean"] = m.spread.log_evidence_mean;
  out["log_evidence_sd"] = m.spread.log_evidence_sd;
  out["log_evidence_path_sd"] = m.spread.log_evidence_path_sd;
  const std::size_t evaluations = m.evaluations();
  out["likelihood_evaluations"] = told(evaluations > 0, evaluations);
  out["nan_evaluations"] = told(evaluations > 0, nan_evaluations(m));
  if (!m.replicates.empty()) add_trace(m.replicates.front().trace, m.replicates.front().path, out);
  put("possible_share", m.possible_share, out);
  out["modes"] = m.modes ? modes_json(*m.modes) : Json();
  out["nan"] = m.nan ? nan_json(*m.nan) : Json();
  out["pilot"] = m.pilot ? pilot_json(*m.pilot) : Json();
  out["replicates"] = replicates_json(m.replicates);
  out["parameters"] = json_of(m.parameters);
  out["warnings"] = m.warnings;
  return out;
}

// The matrix grows with the square of the models, and a family may visit thousands.
Json bayes_factors_json(const Comparison& c) {
  constexpr std::size_t most = 100;
  const std::size_t n = c.runs.empty() ? c.models.size() : std::min(c.models.size(), most);
  Json rows = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < n; ++j) row.push_back(i == j ? 0.0 : c.log_bayes_factor(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Json comparison_json(const Comparison& c, const RunInfo& info) {
  Json models = Json::array();
  for (std::size_t i = 0; i < c.models.size(); ++i) {
    models.push_back(model_json(c.models[i], i < info.kinds.size() ? &info.kinds[i] : nullptr));
  }
  return {{"schema", 1},
          {"evident", version()},
          {"study", info.study},
          {"method", evident::info(c.method).name},
          {"seed", c.seed},
          {"rounds", c.rounds},
          {"models", std::move(models)},
          {"pilot", c.pilot ? pilot_json(*c.pilot) : Json()},
          {"runs", runs_json(c.runs)},
          {"log_bayes_factors", bayes_factors_json(c)},
          {"averaged_parameters", json_of(c.averaged)},
          {"seconds", c.seconds}};
}

std::string to_json(const Comparison& c, const RunInfo& info) { return indented_text(comparison_json(c, info)); }

std::string indented_text(const Json& json) {
  return escaped_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string compact_text(const Json& json) {
  return escaped_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace evident::report
