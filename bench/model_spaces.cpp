// Samplers on unions of models against exact answers: 2^5 subsets of a regression.
//
//   bench_model_spaces [REPLICATES]      default: 40
//
// A subset passes when the mean over replicates is within 3 standard errors of its exact posterior probability; those
// above 0.001 count. For the chain of nested models, log Bayes factors of neighbours.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "baseline/rjmcmc.hpp"
#include "problems/subsets.hpp"
#include "smc/all_in_one.hpp"
#include "smc/relative_evidence.hpp"

using namespace evident;

namespace {

bool report(const std::string& method, const std::string& what, const std::vector<double>& x, double exact) {
  double mean = 0, squares = 0;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) mean += v / n;
  for (const double v : x) squares += (v - mean) * (v - mean);
  const double sd = std::sqrt(squares / (n - 1)), off = (mean - exact) / (sd / std::sqrt(n));
  const bool ok = std::abs(off) <= 3;
  std::printf("| %-12s | %-22s | %8.4f | %8.4f | %7.4f | %+5.2f | %s |\n", method.c_str(), what.c_str(), exact, mean,
              sd, off, ok ? "ok" : "NOT MET");
  return ok;
}

/// result[k][r]: what `run` gives for model k in replicate r.
std::vector<std::vector<double>> replicate(std::size_t models, std::size_t replicates, std::uint64_t seed,
                                           const std::function<std::vector<double>(const Context&)>& run) {
  std::vector<std::vector<double>> out(models, std::vector<double>(replicates));
  const Executor executor(0);
  executor.for_each(replicates, [&](std::size_t r) {
    const Executor alone(1);
    const std::vector<double> one = run({Streams({.seed = seed, .replicate = static_cast<std::uint32_t>(r)}), alone});
    for (std::size_t k = 0; k < models; ++k) out[k][r] = one[k];
  });
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t replicates = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 40;
  const RegressionFamily family = problems::subsets();
  const std::vector<double> exact = problems::subset_probabilities(family);
  bool ok = true;
  std::printf("| method       | model                  | exact    | mean     | SD      | off   |    |\n");
  std::printf("|---|---|---|---|---|---|---|\n");

  const auto shares = replicate(32, replicates, 1, [&](const Context& context) {
    const AllInOneRun run = all_in_one(family, {.particles = 1000}, {}, context);
    std::vector<double> out;
    for (ModelIndex k = 0; k < 32; ++k) out.push_back(run.particles.share(k));
    return out;
  });
  const auto visits = replicate(32, replicates, 2, [&](const Context& context) {
    const RjmcmcRun run = rjmcmc(family, {}, {}, context);
    std::vector<double> out(32, 0.0);
    for (const auto& [k, v] : run.visits) out[k] = v.share.value;
    return out;
  });
  for (ModelIndex k = 0; k < 32; ++k) {
    if (exact[k] <= 0.001) continue;
    ok = report("all-in-one", family.name(k), shares[k], exact[k]) && ok;
    ok = report("rjmcmc", family.name(k), visits[k], exact[k]) && ok;
  }

  const std::vector<ModelIndex> chain = {0, 1, 5, 13, 15, 31};
  const auto links = replicate(2 * (chain.size() - 1), replicates, 3, [&](const Context& context) {
    const RelativeRun run = relative_evidence(family, chain, {.particles = 1000}, {}, context);
    std::vector<double> out;
    for (const RelativeLink& link : run.links) {
      out.push_back(link.log_ratio);
      out.push_back(link.log_ratio_path);
    }
    return out;
  });
  for (std::size_t l = 0; l + 1 < chain.size(); ++l) {
    const double ratio =
        family.regression(chain[l + 1]).exact_log_evidence() - family.regression(chain[l]).exact_log_evidence();
    const std::string name = family.name(chain[l + 1]);
    ok = report("relative", "+ to " + name, links[2 * l], ratio) && ok;
    ok = report("relative, PS", "+ to " + name, links[2 * l + 1], ratio) && ok;
  }
  return ok ? 0 : 1;
}
