// Bridge sampling beside the standard estimate (DS) and path sampling (PS): spread over independent runs, evaluations
// and CPU time, one thread.
//
//   bench_bridge STUDY.toml [RUNS [PARTICLES CESS [DRAWS]]]     default 20 runs with the study's settings
//   bench_bridge problems[:PART-OF-NAME] [RUNS ...]             problems with exact answers
//
// `error` is the mean reported standard error; `s x MSE` is CPU seconds a run times the mean squared distance from the
// exact answer (of the pooled mean of the bridge for a study): less is better.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "evident/study/study.hpp"
#include "problems/problems.hpp"
#include "proposal/bridge.hpp"
#include "timing.hpp"

using namespace evident;

namespace {

struct Estimator {
  const char* name;
  std::vector<double> values = {}, errors = {};
  double evaluations = 0, seconds = 0;

  double mean() const {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
  }
  double square_about(double centre, double less = 0) const {
    double sum = 0;
    for (const double v : values) sum += (v - centre) * (v - centre);
    return sum / (static_cast<double>(values.size()) - less);
  }
};

void print(const std::string& name, const std::vector<Estimator>& all, double truth) {
  for (const Estimator& e : all) {
    const auto n = static_cast<double>(e.values.size());
    double error = 0;
    for (const double v : e.errors) error += v / n;
    const double sd = std::sqrt(e.square_about(e.mean(), 1));
    std::printf("| %-26s | %-6s | %10.4f | %+6.2f | %7.4f | %7.4f | %9.0f | %7.1f | %9.2e |\n", name.c_str(), e.name,
                e.mean(), (e.mean() - truth) / (sd / std::sqrt(n)), sd, error, e.evaluations / n, 1e3 * e.seconds / n,
                e.seconds / n * e.square_about(truth));
  }
  std::fflush(stdout);
}

struct Settings {
  std::size_t runs = 20;
  std::uint64_t seed = 1;
  BridgeOptions bridge = {};
};

void measure(const std::string& name, const Model& model, const SmcOptions& options, const Settings& settings,
             const double* exact) {
  const Executor executor(1);
  std::vector<Estimator> all = {{"DS"}, {"PS"}, {"bridge"}, {"import"}};
  double k = 0, efficiency = 0, effective = 0, components = 0, refused = 0, wrong = 0;
  for (std::size_t r = 0; r < settings.runs; ++r) {
    const Context context{Streams({.seed = settings.seed, .replicate = static_cast<std::uint32_t>(r)}), executor};
    const double start = bench::thread_seconds();
    const Run run = direct_evidence(model, options, context);
    const double middle = bench::thread_seconds();
    const BridgeEvidence b = bridge_evidence(model, run.particles, settings.bridge, context);
    const double end = bench::thread_seconds();
    const double values[] = {standard_estimate(run.trace), path_sampling(run.trace).best(), b.log_evidence.value,
                             b.agreement.importance.value};
    const double errors[] = {0, 0, b.log_evidence.standard_error, b.agreement.importance.standard_error};
    for (std::size_t e = 0; e < 4; ++e) {
      all[e].values.push_back(values[e]);
      all[e].errors.push_back(errors[e]);
      all[e].evaluations += static_cast<double>(run.trace.evaluations + (e < 2 ? 0 : b.evaluations));
      all[e].seconds += (e < 2 ? middle : end) - start;
    }
    const auto n = static_cast<double>(settings.runs);
    k += b.agreement.pareto_k / n;
    efficiency += b.agreement.efficiency / n;
    effective += b.effective / n;
    components += static_cast<double>(b.components) / n;
    refused += b.usable ? 0 : 1;
    if (exact != nullptr && b.usable && std::abs(b.log_evidence.value - *exact) > 5 * b.log_evidence.standard_error)
      wrong += 1;
  }
  print(name, all, exact != nullptr ? *exact : all[2].mean());
  std::printf(
      "    components %.1f, effective draws %.0f, fit's efficiency %.2f, Pareto k %.2f, refused %.0f, wrong unnoticed "
      "%.0f\n",
      components, effective, efficiency, k, refused, wrong);
}

SmcOptions changed(SmcOptions options, int argc, char** argv) {
  if (argc > 3) options.particles = std::strtoul(argv[3], nullptr, 10);
  if (argc > 4) options.schedule = CessSchedule{std::strtod(argv[4], nullptr)};
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_bridge STUDY.toml|problems [RUNS [PARTICLES CESS [DRAWS]]]\n");
    return 2;
  }
  try {
    Settings settings;
    if (argc > 2) settings.runs = std::strtoul(argv[2], nullptr, 10);
    if (argc > 5) settings.bridge.draws = std::strtoul(argv[5], nullptr, 10);
    std::printf("| problem | estimate | mean | errors off | SD | error | evaluations | CPU ms | s x MSE |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|\n");
    const std::string what = argv[1];
    if (what.starts_with("problems")) {
      const std::string part = what.size() > 9 ? what.substr(9) : "";
      for (const auto& p : {problems::conjugate_normal(10, 3), problems::equicorrelated_gaussian(10),
                            problems::rosenbrock_pairs(2), problems::rosenbrock_pairs(6), problems::two_modes(),
                            problems::log_exponential(5), problems::narrow_gaussian(20), problems::eggbox()})
        if (p.name.find(part) != std::string::npos)
          measure(p.name, *p.model, changed({}, argc, argv), settings, &p.log_evidence);
      return 0;
    }
    const study::Study study = study::read_study(argv[1]);
    settings.seed = study.options.seed;
    for (const Candidate& c : study.candidates())
      measure(c.name, *c.model, changed(c.smc.value_or(study.options.sampler()), argc, argv), settings, nullptr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_bridge: %s\n", e.what());
    return 1;
  }
}
