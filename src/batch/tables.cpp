#include "batch/tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "batch/text_file.hpp"
#include "compare/summary_fields.hpp"
#include "report/json_fields.hpp"
#include "report/output_files.hpp"

namespace evident::batch {
namespace {

using report::Json;
namespace fs = std::filesystem;

constexpr std::size_t kHead = 20, kFailures = 10, kMaxModels = 1000;

// RFC 4180: quoted only when needed.
std::string cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string cell(double x) { return std::isnan(x) ? std::string() : fmt::format("{}", x); }

std::string cells(const Estimate& x) { return cell(x.value) + "," + cell(x.standard_error); }

std::string rows(const ItemResult& r) {
  if (r.failed()) return fmt::format("{},failed,,,,,,,,,,{},{}\n", cell(r.name), cell(r.seconds), cell(r.message));
  std::string out;
  for (std::size_t i = 0; i < r.models.size(); ++i) {
    const ModelRow& m = r.models[i];
    out += fmt::format("{},ok,{},{},{},{},{},{},{},{},\n", cell(r.name), cell(m.name), r.best() == i ? "yes" : "no",
                       cells(m.log_evidence), cells(m.probability), cell(m.probability_interval.lower),
                       cell(m.probability_interval.upper), cell(m.verdict), cell(r.seconds));
  }
  return out;
}

std::string parameter_rows(const ItemResult& r) {
  std::string out;
  if (r.failed()) return out;
  for (const ModelRow& m : r.models)
    for (const ParameterSummary& p : m.parameters) {
      out += cell(r.name) + "," + cell(m.name);
      for_each_field(p, [&](std::string_view, const auto& x) { out += "," + cell(x); });
      out += "\n";
    }
  return out;
}

Json model_json(const ModelRow& m) {
  Json out = {{"name", m.name}};
  report::put("log_evidence", m.log_evidence, out);
  report::put("probability", m.probability, out);
  out["probability_interval"] = report::json_of(m.probability_interval);
  out["verdict"] = m.verdict.empty() ? Json() : Json(m.verdict);
  return out;
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json item_json(const ItemResult& r) {
  Json out = {{"name", r.name}, {"study", r.study}, {"data", r.data.empty() ? Json() : Json(r.data)}};
  out["status"] = r.failed() ? "failed" : "ok";
  out["message"] = r.failed() ? Json(r.message) : Json();
  if (!r.failed()) {
    out["method"] = r.method;
    out["seed"] = r.seed;
    out["best"] = r.models[*r.best()].name;
    Json models = Json::array();
    for (const ModelRow& m : r.models) models.push_back(model_json(m));
    out["models"] = std::move(models);
    out["warnings"] = r.warnings;
  }
  out["seconds"] = r.seconds;
  return out;
}

Json summary_json(const Summary& s) {
  Json models = Json::array();
  for (const ModelTotal& m : s.models)
    models.push_back({{"name", m.name},
                      {"preferred", m.preferred},
                      {"data_sets", m.data_sets},
                      {"sum_of_log_evidence", m.log_evidence},
                      {"sum_of_log_evidence_se", std::sqrt(m.variance)}});
  return {{"data_sets", s.data_sets},
          {"failed", s.failed},
          {"not_trusted", s.doubtful},
          {"unjudged", s.unjudged},
          {"models", std::move(models)}};
}

}  // namespace

void Summary::add(const ItemResult& r) {
  ++data_sets;
  if (r.failed()) {
    ++failed;
    if (failures.size() < kFailures) failures.emplace_back(r.name, r.message);
  }
  if (head.size() < kHead) {
    head.push_back(r);
    for (ModelRow& m : head.back().models) m.parameters.clear();
  }
  if (r.failed()) return;
  const ModelRow& best = r.models[*r.best()];
  unjudged += best.verdict == name(Verdict::unjudged);
  doubtful += best.verdict == name(Verdict::run_longer) || best.verdict == name(Verdict::do_not_trust);
  for (const ModelRow& m : r.models) {
    auto total = std::ranges::find(models, m.name, &ModelTotal::name);
    if (total == models.end()) {
      if (models.size() == kMaxModels) continue;  // of a family that visits others in each data set
      total = models.insert(models.end(), {.name = m.name});
    }
    total->preferred += &m == &best;
    ++total->data_sets;
    total->log_evidence += m.log_evidence.value;
    total->variance += m.log_evidence.standard_error * m.log_evidence.standard_error;
  }
}

struct Tables::State {
  explicit State(const fs::path& in)
      : folder(in), csv(folder / "results.csv"), parameters(folder / "parameters.csv"), json(folder / "results.json") {}
  fs::path folder;
  TextFile csv, parameters, json;
  Summary summary;
};

// results.csv last: where it is, everything is.
std::vector<std::string> Tables::names() { return {"parameters.csv", "results.json", "results.csv"}; }

Tables::Tables(const fs::path& folder, const Title& title) : state_(std::make_unique<State>(folder)) {
  state_->csv.put(
      "name,status,model,best,log_evidence,log_evidence_se,probability,probability_se,probability_low,"
      "probability_high,verdict,seconds,message\n");
  state_->parameters.put("name,model,parameter,mean,sd,q05,q25,q50,q75,q95\n");
  state_->json.put(fmt::format("{{\n\"schema\": 1,\n\"evident\": {},\n\"study\": {},\n\"results\": [",
                               dump(title.version), dump(title.study)));
}
Tables::~Tables() = default;

void Tables::add(const ItemResult& result) {
  State& s = *state_;
  s.csv.put(rows(result));
  s.parameters.put(parameter_rows(result));
  s.json.put((s.summary.data_sets == 0 ? "\n" : ",\n") + dump(item_json(result)));
  s.summary.add(result);
}

Summary Tables::publish(const fs::path& folder, const report::RunFacts& facts) {
  State& s = *state_;
  s.json.put(fmt::format("\n],\n\"summary\": {}\n}}\n", dump(summary_json(s.summary))));
  s.parameters.commit();
  s.json.commit();
  s.csv.commit();
  report::OutputFiles(folder).publish(s.folder, names(), facts);
  s.summary.results = folder / "results.csv";
  s.summary.pieces_done_again = facts.pieces_done_again;
  return std::move(s.summary);
}

}  // namespace evident::batch
