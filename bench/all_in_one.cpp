// The all-in-one method by its default settings, against exact evidences: 2^5 subsets of a regression.
//
//   bench_all_in_one [--adaptive] [--particles N] [SEEDS]      default: 20 seeds
//
// For each model with a probability above 1 %: mean error of its log evidence with the standard error of that mean, the
// mean error that a comparison reports, how many 95 % intervals hold, of evidence and of probability, and verdicts.
// "bias" is the mean of evidence / exact - 1: islands have none; that of the logarithms is lower by half the variance.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "evident/compare/compare.hpp"
#include "problems/subsets.hpp"

using namespace evident;

namespace {

struct Seen {
  double exact = 0, probability = 0;
  std::vector<double> errors, ratios, reported;
  int evidence_held = 0, probability_held = 0, intervals = 0, trusted = 0, trusted_and_wrong = 0, unjudged = 0;
};

void add(const ModelResult& m, Seen& to) {
  const double error = m.log_evidence.value - to.exact;
  to.errors.push_back(error);
  to.ratios.push_back(std::exp(error) - 1);
  to.reported.push_back(m.log_evidence.standard_error);
  to.intervals += !std::isnan(m.log_evidence.interval().lower);
  to.evidence_held += m.log_evidence.interval().holds(to.exact);
  to.probability_held += m.probability_interval.holds(to.probability);
  to.trusted += m.verdict == Verdict::trust;
  to.unjudged += m.verdict == Verdict::unjudged;
  to.trusted_and_wrong += m.verdict == Verdict::trust && std::abs(error) > 0.1 + 4 * m.log_evidence.standard_error;
}

void print(const std::string& name, const Seen& s) {
  const auto n = static_cast<double>(s.errors.size());
  std::printf("| %-24s | %.4f | %+.4f | %.4f | %+.4f +- %.4f | %.4f | %.4f | %5.1f | %5.1f | %3d | %2d | %2d |\n",
              name.c_str(), s.probability, mean(s.errors), error_of_mean(s.errors), mean(s.ratios),
              error_of_mean(s.ratios), standard_deviation(s.errors), mean(s.reported), 100 * s.evidence_held / n,
              100 * s.probability_held / n, s.trusted, s.trusted_and_wrong, s.unjudged);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t seeds = 20;
  bool adaptive = false;
  std::size_t particles = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--adaptive") == 0)
      adaptive = true;
    else if (std::strcmp(argv[i], "--particles") == 0 && i + 1 < argc)
      particles = static_cast<std::size_t>(std::atoi(argv[++i]));
    else
      seeds = static_cast<std::size_t>(std::atoi(argv[i]));
  }
  const std::shared_ptr<const RegressionFamily> family(new RegressionFamily(problems::subsets()));
  const std::vector<double> probability = problems::subset_probabilities(*family);
  std::vector<Seen> seen(32);
  std::map<std::string, int> alarms;
  FamilyCandidate candidate{family, {}};
  for (ModelIndex k = 0; k < 32; ++k) {
    seen[k].exact = family->regression(k).exact_log_evidence();
    seen[k].probability = probability[k];
    candidate.listed.emplace_back(k, family->name(k));
  }
  CompareOptions options = default_options(Method::all_in_one, adaptive ? Recipe::adaptive : Recipe::islands);
  if (particles > 0) options.smc->particles = particles;
  options.threads = 1;
  for (std::size_t seed = 1; seed <= seeds; ++seed) {
    options.seed = seed;
    const Comparison c = compare_family(candidate, options);
    for (const ModelResult& m : c.models) {
      add(m, seen[*m.index]);
      for (const Reason& r : m.reasons)
        if (r.level == Verdict::run_longer || r.level == Verdict::do_not_trust)
          ++alarms[std::string(name(r.code)) + ", " + std::string(name(r.level))];
    }
  }
  std::printf(
      "| model | probability | mean error | its SE | bias | SD | reported | holds %% | probability holds %% |"
      " trust | trusted and wrong | unjudged |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (ModelIndex k = 0; k < 32; ++k)
    if (probability[k] > 0.01) print(family->name(k), seen[k]);
  for (const auto& [alarm, count] : alarms) std::printf("%s: %d\n", alarm.c_str(), count);
  return 0;
}
