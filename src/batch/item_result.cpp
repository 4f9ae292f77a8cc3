#include "batch/item_result.hpp"

#include <cmath>

#include "base/pack.hpp"
#include "compare/method.hpp"
#include "evident/report/table.hpp"

namespace evident::batch {
namespace {

constexpr std::uint32_t kFormat = 1;

// Over replicates where one run serves all models, else from within the runs.
double probability_se(const ModelResult& m) {
  if (!std::isnan(m.probability_sd)) return m.probability_sd / std::sqrt(static_cast<double>(m.replicates.size()));
  return m.probability_se;
}

void put(Packer& out, const ParameterSummary& p) {
  out.put(p.name);
  for (const double x : {p.mean, p.sd, p.q05, p.q25, p.q50, p.q75, p.q95}) out.put(x);
}

ParameterSummary get_parameter(Unpacker& in) {
  ParameterSummary p{.name = in.get_text()};
  for (double* x : {&p.mean, &p.sd, &p.q05, &p.q25, &p.q50, &p.q75, &p.q95}) *x = in.get<double>();
  return p;
}

void put(Packer& out, const ModelRow& m) {
  out.put(m.name);
  for (const double x : {m.log_evidence, m.log_evidence_se, m.probability, m.probability_se,
                         m.probability_interval.lower, m.probability_interval.upper})
    out.put(x);
  out.put(m.verdict);
  out.put(static_cast<std::uint64_t>(m.parameters.size()));
  for (const ParameterSummary& p : m.parameters) put(out, p);
}

ModelRow get_model(Unpacker& in) {
  ModelRow m;
  m.name = in.get_text();
  for (double* x : {&m.log_evidence, &m.log_evidence_se, &m.probability, &m.probability_se,
                    &m.probability_interval.lower, &m.probability_interval.upper})
    *x = in.get<double>();
  m.verdict = in.get_text();
  m.parameters.resize(in.get_count(8 * sizeof(double)));
  for (ParameterSummary& p : m.parameters) p = get_parameter(in);
  return m;
}

}  // namespace

std::optional<std::size_t> ItemResult::best() const {
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (models[i].probability > (out ? models[*out].probability : 0)) out = i;
  return out;
}

void add_comparison(const Comparison& comparison, ItemResult& result) {
  result.method = info(comparison.method).name;
  for (const ModelResult& m : comparison.models) {
    result.models.push_back({.name = m.name,
                             .log_evidence = m.log_evidence,
                             .log_evidence_se = report::evidence_se(m),
                             .probability = m.probability,
                             .probability_se = probability_se(m),
                             .probability_interval = m.probability_interval,
                             .verdict = m.verdict ? std::string(name(*m.verdict)) : std::string(),
                             .parameters = m.parameters});
    for (const std::string& w : m.warnings) result.warnings.push_back(m.name + ": " + w);
  }
  for (const Replicate& run : comparison.runs)
    result.warnings.insert(result.warnings.end(), run.warnings.begin(), run.warnings.end());
}

std::vector<std::byte> pack(const ItemResult& r) {
  Packer out;
  out.put(kFormat);
  for (const std::string* text : {&r.name, &r.study, &r.data, &r.message, &r.method}) out.put(*text);
  out.put(r.seed);
  out.put(r.seconds);
  out.put(static_cast<std::uint64_t>(r.models.size()));
  for (const ModelRow& m : r.models) put(out, m);
  out.put(static_cast<std::uint64_t>(r.warnings.size()));
  for (const std::string& w : r.warnings) out.put(w);
  out.put(static_cast<std::uint64_t>(r.inputs.size()));
  for (const auto& [file, sum] : r.inputs) {
    out.put(file);
    out.put(sum);
  }
  return out.finish();
}

ItemResult unpack(std::span<const std::byte> bytes) {
  Unpacker in(bytes);
  if (in.get<std::uint32_t>() != kFormat) Unpacker::refuse();
  ItemResult r;
  for (std::string* text : {&r.name, &r.study, &r.data, &r.message, &r.method}) *text = in.get_text();
  r.seed = in.get<std::uint64_t>();
  r.seconds = in.get<double>();
  r.models.resize(in.get_count(8 * sizeof(double)));
  for (ModelRow& m : r.models) m = get_model(in);
  r.warnings.resize(in.get_count(sizeof(std::uint64_t)));
  for (std::string& w : r.warnings) w = in.get_text();
  r.inputs.resize(in.get_count(2 * sizeof(std::uint64_t)));
  for (auto& [file, sum] : r.inputs) {
    file = in.get_text();
    sum = in.get<std::uint64_t>();
  }
  in.end();
  if (!r.failed() && !r.best()) Unpacker::refuse();
  return r;
}

}  // namespace evident::batch
