// One whole comparison on a problem whose answer is known, and what it got wrong: for the benches of the verdict.
//
//   const bench::Outcome o = bench::run_known(problem, {.seed = 7, .threads = 1, .islands = 8});
//   if (o.trusted_and_wrong()) bench::show(7, o);
#pragma once

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "evident/compare/compare.hpp"
#include "problems/problems.hpp"
#include "timing.hpp"

namespace evident::bench {

/// Log evidences that differ by less do not change a conclusion.
inline constexpr double kHarmless = 0.1;

/// What "trusted and wrong" and "right" mean in all tables.
inline bool is_wrong(double error, double se) { return std::abs(error) > kHarmless + 4 * se; }
inline bool is_right(double error) { return std::abs(error) <= kHarmless; }

struct Outcome {
  double error = 0, se = 0, evaluations = 0, seconds = 0;
  double standard = 0, bridge = 0;  ///< errors of the two estimates alone; the bridge's is NaN when it was not usable
  std::size_t rounds = 1;
  bool held = false;
  Verdict verdict = Verdict::trust;
  std::vector<Reason> reasons;

  bool trusted_and_wrong() const { return verdict == Verdict::trust && is_wrong(error, se); }
};

inline Outcome run_known(const problems::Problem& problem, const CompareOptions& options) {
  const double start = thread_seconds();
  const Comparison c = compare({{"model", 1.0, problem.model}}, options);
  const ModelResult& m = c.models.front();
  return {.error = m.log_evidence.value - problem.log_evidence,
          .se = m.log_evidence.standard_error,
          .evaluations = static_cast<double>(m.evaluations()),
          .seconds = thread_seconds() - start,
          .standard = m.log_evidence_standard.value - problem.log_evidence,
          .bridge = m.log_evidence_bridge.value - problem.log_evidence,
          .rounds = c.rounds,
          .held = m.log_evidence.interval().holds(problem.log_evidence),
          .verdict = *m.verdict,
          .reasons = m.reasons};
}

/// One line a run, and one for each reason that lowers the verdict.
inline void show(std::uint64_t seed, const Outcome& o) {
  std::string alarms;
  for (const Reason& r : o.reasons) alarms += " " + std::string(name(r.code));
  std::printf(
      "# seed %llu: off %+.4f, SE %.4f, interval %s, standard off %+.4f, bridge off %+.4f, rounds %zu, %s, %.2e, %.1f "
      "s:%s\n",
      static_cast<unsigned long long>(seed), o.error, o.se, o.held ? "holds" : "misses", o.standard, o.bridge, o.rounds,
      std::string(name(o.verdict)).c_str(), o.evaluations, o.seconds, alarms.c_str());
  for (const Reason& r : o.reasons)
    if (r.level > Verdict::trust) std::printf("#   %s: %s\n", std::string(name(r.level)).c_str(), r.text.c_str());
  std::fflush(stdout);
}

/// "bridge-poor 3 at-bound 1".
inline std::string counted(const std::map<std::string, std::size_t>& alarms) {
  std::string out;
  for (const auto& [alarm, count] : alarms) out += (out.empty() ? "" : " ") + alarm + " " + std::to_string(count);
  return out;
}

/// Does the name have one of the parts? All names do when there are no parts.
inline bool has_part(const std::string& name, const std::vector<std::string>& parts) {
  if (parts.empty()) return true;
  for (const std::string& part : parts)
    if (name.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace evident::bench
