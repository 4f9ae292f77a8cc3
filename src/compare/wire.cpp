#include "compare/wire.hpp"

#include <type_traits>

#include "base/pack.hpp"
#include "kernel/pack_calibration.hpp"
#include "path/pack_trace.hpp"

namespace evident::wire {
namespace {

template <class E>
E get_enum(Unpacker& in, E last) {
  const auto value = in.get<std::underlying_type_t<E>>();
  if (value < 0 || value > static_cast<std::underlying_type_t<E>>(last)) Unpacker::refuse();
  return static_cast<E>(value);
}

/// Calls f for each plain number of a replicate, for both ways.
template <class R, class F>
void numbers_of(R& r, const F& f) {
  f(r.log_evidence);
  f(r.log_evidence_path);
  f(r.log_evidence_se);
  f(r.probability);
  f(r.probability_se);
  f(r.support);
  f(r.seconds);
}

template <class R, class F>
void numbers_of_judgement(R& r, const F& f) {
  f(r.log_evidence);
  f(r.log_evidence_se);
  f(r.log_evidence_interval.lower);
  f(r.log_evidence_interval.upper);
  f(r.log_evidence_degrees);
  f(r.log_evidence_standard);
  f(r.log_evidence_standard_se);
  f(r.log_evidence_bridge);
  f(r.log_evidence_bridge_se);
  f(r.log_evidence_nested);
  f(r.log_evidence_nested_se);
}

void put(Packer& out, const BridgeEvidence& b) {
  for (const double v : {b.log_evidence, b.error, b.effective}) out.put(v);
  for (const std::size_t n : {b.components, b.evaluations, b.nan_evaluations}) out.put(static_cast<std::uint64_t>(n));
  out.put_plain(b.agreement);
  out.put(static_cast<char>(b.usable));
  out.put(b.reason);
}

BridgeEvidence get_bridge(Unpacker& in) {
  BridgeEvidence b;
  for (double* v : {&b.log_evidence, &b.error, &b.effective}) *v = in.get<double>();
  for (std::size_t* n : {&b.components, &b.evaluations, &b.nan_evaluations})
    *n = static_cast<std::size_t>(in.get<std::uint64_t>());
  b.agreement = in.get_plain<BridgeAgreement>();
  b.usable = in.get<char>() != 0;
  b.reason = in.get_text();
  return b;
}

void put(Packer& out, const Replicate& r) {
  numbers_of(r, [&](double v) { out.put(v); });
  out.put(static_cast<char>(r.path.has_value()));
  if (r.path) out.put_plain(*r.path);
  out.put(static_cast<char>(r.bridge.has_value()));
  if (r.bridge) put(out, *r.bridge);
  put_trace(out, r.trace);
  out.put(static_cast<std::uint64_t>(r.details.size()));
  for (const auto& [name, value] : r.details) {
    out.put(name);
    out.put(value);
  }
  out.put(static_cast<std::uint64_t>(r.warnings.size()));
  for (const std::string& w : r.warnings) out.put(w);
}

Replicate get_replicate(Unpacker& in) {
  Replicate r;
  numbers_of(r, [&](double& v) { v = in.get<double>(); });
  if (in.get<char>() != 0) r.path = in.get_plain<PathSampling>();
  if (in.get<char>() != 0) r.bridge = get_bridge(in);
  r.trace = get_trace(in);
  for (std::size_t n = in.get_count(sizeof(double)); n > 0; --n) {
    std::string name = in.get_text();
    r.details.emplace_back(std::move(name), in.get<double>());
  }
  for (std::size_t n = in.get_count(sizeof(std::uint64_t)); n > 0; --n) r.warnings.push_back(in.get_text());
  return r;
}

void put(Packer& out, const Draws& d) {
  out.put(static_cast<std::uint64_t>(d.names.size()));
  for (const std::string& name : d.names) out.put(name);
  out.put(static_cast<std::uint64_t>(d.values.rows()));
  out.put(static_cast<std::uint64_t>(d.values.size()));
  for (std::size_t j = 0; j < d.values.rows(); ++j) out.put_doubles(d.values.row(j));
  out.put_doubles(d.weights);
  out.put_doubles(d.log_likelihood);
  out.put_doubles(d.log_prior);
}

Draws get_draws(Unpacker& in) {
  Draws d;
  for (std::size_t n = in.get_count(sizeof(std::uint64_t)); n > 0; --n) d.names.push_back(in.get_text());
  const std::size_t rows = in.get_count(sizeof(std::uint64_t)), size = in.get_count(rows > 0 ? rows : 1);
  d.values = BlockStorage(rows, size);
  for (std::size_t j = 0; j < rows; ++j) {
    const std::vector<double> row = in.get_doubles();
    if (row.size() != size) Unpacker::refuse();
    std::copy(row.begin(), row.end(), d.values.row(j).begin());
  }
  d.weights = in.get_doubles();
  d.log_likelihood = in.get_doubles();
  d.log_prior = in.get_doubles();
  return d;
}

void put(Packer& out, const runs::Finished& f) {
  put(out, f.replicate);
  put(out, f.draws);
}

runs::Finished get_finished(Unpacker& in) {
  runs::Finished f;
  f.replicate = get_replicate(in);
  f.draws = get_draws(in);
  return f;
}

}  // namespace

std::vector<std::byte> pack(const runs::Finished& finished) {
  Packer out;
  put(out, finished);
  return out.finish();
}

runs::Finished unpack_finished(std::span<const std::byte> bytes) {
  Unpacker in(bytes);
  runs::Finished out = get_finished(in);
  in.end();
  return out;
}

std::vector<std::byte> pack(const PlanOfPilot& pilot) {
  Packer out;
  put(out, pilot.replicate);
  out.put_doubles(pilot.plan.alphas);
  put_calibrations(out, pilot.plan.calibrations);
  put_fit(out, pilot.bridge_density.get());
  return out.finish();
}

PlanOfPilot unpack_pilot(std::span<const std::byte> bytes) {
  Unpacker in(bytes);
  PlanOfPilot out;
  out.replicate = get_replicate(in);
  out.plan.alphas = in.get_doubles();
  out.plan.calibrations = get_calibrations(in);
  out.bridge_density = get_fit(in);
  in.end();
  return out;
}

std::vector<std::byte> pack(const runs::FinishedFamily& finished) {
  Packer out;
  out.put(static_cast<std::uint64_t>(finished.models.size()));
  for (const auto& [k, one] : finished.models) {
    out.put(k);
    put(out, one);
  }
  put(out, finished.run);
  return out.finish();
}

runs::FinishedFamily unpack_family(std::span<const std::byte> bytes) {
  Unpacker in(bytes);
  runs::FinishedFamily out;
  for (std::size_t n = in.get_count(sizeof(ModelIndex)); n > 0; --n) {
    const auto k = in.get<ModelIndex>();
    out.models[k] = get_finished(in);
  }
  out.run = get_replicate(in);
  in.end();
  return out;
}

std::vector<std::byte> pack_judgement(const ModelResult& result) {
  Packer out;
  numbers_of_judgement(result, [&](double v) { out.put(v); });
  out.put(static_cast<std::uint64_t>(result.nested_evaluations));
  out.put(static_cast<char>(result.verdict.has_value()));
  if (result.verdict) out.put(*result.verdict);
  out.put(static_cast<std::uint64_t>(result.reasons.size()));
  for (const Reason& r : result.reasons) {
    out.put(r.code);
    out.put(r.level);
    out.put(r.text);
  }
  return out.finish();
}

void unpack_judgement(std::span<const std::byte> bytes, ModelResult& result) {
  Unpacker in(bytes);
  numbers_of_judgement(result, [&](double& v) { v = in.get<double>(); });
  result.nested_evaluations = static_cast<std::size_t>(in.get<std::uint64_t>());
  result.verdict.reset();
  if (in.get<char>() != 0) result.verdict = get_enum(in, Verdict::do_not_trust);
  result.reasons.clear();
  for (std::size_t n = in.get_count(sizeof(std::uint64_t)); n > 0; --n) {
    const auto code = get_enum(in, Alarm::nested_disagrees);
    const auto level = get_enum(in, Verdict::do_not_trust);
    result.reasons.push_back({code, level, in.get_text()});
  }
  in.end();
}

std::string layout() {
  constexpr int kFormat = 1;  // of the order of things, which sizes do not tell
  std::string out = std::to_string(kFormat);
  for (const std::size_t size : {sizeof(Step), sizeof(Families), sizeof(PathSampling), sizeof(BridgeAgreement),
                                 sizeof(Marginal), sizeof(Replicate), sizeof(ModelResult)})
    out += "." + std::to_string(size);
  return out;
}

}  // namespace evident::wire
