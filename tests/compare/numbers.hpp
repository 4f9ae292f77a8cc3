// A comparison as a list of bits, to be compared with another.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "evident/compare/compare.hpp"

namespace evident {

/// All numbers of a result, times apart; NaN is equal to NaN.
inline std::vector<std::uint64_t> numbers(const Comparison& c) {
  std::vector<std::uint64_t> out;
  const auto add = [&](double v) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof bits);
    out.push_back(bits);
  };
  const auto add_trace = [&](const Trace& t) {
    for (const Step& s : t.steps)
      for (const double v : {s.alpha, s.log_ratio, s.mean, s.variance, s.ess, s.cess, s.acceptance, s.jump}) add(v);
    out.push_back(t.evaluations);
    for (const Generation& g : t.generations) add(g.eve.squares), out.push_back(g.eves);
  };
  for (const ModelResult& m : c.models) {
    for (const Estimate& e : {m.log_evidence, m.log_evidence_bridge, m.log_evidence_nested, m.probability})
      for (const double v : {e.value, e.standard_error, e.degrees}) add(v);
    for (const double v : {m.probability_interval.upper, m.spread.probability_sd}) add(v);
    out.push_back(m.evaluations());
    out.push_back(m.reasons.size());
    out.push_back(m.verdict ? static_cast<std::uint64_t>(*m.verdict) : 99);
    if (m.pilot) add_trace(m.pilot->trace);
    for (const Replicate& r : m.replicates) {
      for (const double v :
           {r.log_evidence.value, r.log_evidence_path, r.log_evidence.standard_error, r.probability.value, r.support})
        add(v);
      if (r.bridge) add(r.bridge->log_evidence.value), add(r.bridge->agreement.gap);
      for (const auto& [name, value] : r.details) add(value);
      add_trace(r.trace);
    }
    for (const ParameterSummary& p : m.parameters)
      for (const double v : {p.mean, p.sd, p.q05, p.q95}) add(v);
    for (std::size_t j = 0; j < m.draws.values.rows(); ++j)
      for (const double v : m.draws.values.row(j)) add(v);
    for (const double v : m.draws.weights) add(v);
  }
  for (const Replicate& r : c.runs) add_trace(r.trace);
  for (const ParameterSummary& p : c.averaged) add(p.mean);
  return out;
}

}  // namespace evident
