// A comparison that no sampler made: small, and with every awkward value.
#pragma once

#include <string>

#include "evident/compare/compare.hpp"

namespace evident::report {

inline Trace made_up_trace() {
  Trace trace;
  trace.particles = 4;
  trace.evaluations = 12;
  trace.steps.resize(3);
  trace.steps[1].alpha = 0.25;
  trace.steps[1].log_ratio = -1.5;
  trace.steps[1].acceptance = 0.5;
  trace.steps[1].resampled = true;
  trace.steps[1].finer[0] = -3;
  trace.steps[2].alpha = 1;
  trace.steps[2].log_ratio = -2;
  trace.steps[2].acceptance = 0.25;
  trace.steps[2].seconds = 0.125;
  return trace;
}

inline Replicate made_up_replicate() {
  Replicate r;
  r.log_evidence.value = -3.5;
  r.trace = made_up_trace();
  return r;
}

inline ModelResult made_up_model(const std::string& name, double log_evidence, double probability) {
  ModelResult m;
  m.name = name;
  m.weight = 0.5;
  m.log_evidence.value = m.spread.log_evidence_mean = log_evidence;
  m.log_evidence_path = log_evidence + 0.25;
  m.probability.value = probability;
  Replicate replicate = made_up_replicate();
  replicate.log_evidence.value = log_evidence;
  replicate.log_evidence_path = log_evidence + 0.25;
  replicate.path = PathSampling{};
  m.replicates.push_back(std::move(replicate));
  m.parameters.push_back({.name = "mu", .mean = 1, .sd = 2, .q05 = -3, .q25 = 0, .q50 = 1, .q75 = 2, .q95 = 5});
  m.draws.names = {"mu", "a,\"b\""};
  m.draws.values = BlockStorage(2, 3);
  for (std::size_t i = 0; i < 3; ++i) m.draws.values(0, i) = 0.1 * static_cast<double>(i);
  m.draws.weights = {0.5, 0.25, 0.25};
  m.draws.log_likelihood = {-1, -2, -kInf};
  m.draws.log_prior = {-1, -1, -1};
  return m;
}

inline Comparison made_up_comparison() {
  Comparison c;
  c.seed = 18446744073709551615u;
  c.models.push_back(made_up_model("one", -10.0, 0.25));
  c.models.push_back(made_up_model("two", -9.0, 0.75));
  c.seconds = 1.5;
  return c;
}

}  // namespace evident::report
