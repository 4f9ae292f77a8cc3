// Reference evidences by importance sampling, for problems that have no closed form: no path, no bridge.
//
//   bench_reference [--data FOLDER] [--draws MILLIONS] [--particles N] [--seed S] [PART-OF-NAME ...]
//
// One adaptive run gives posterior draws, a mixture of Student t is fitted to them and frozen, and independent draws
// from it (nine tenths; the others from components as wide as the prior and wider than the posterior) are weighted by
// prior x likelihood / density. Their mean is the evidence whatever the fit is worth; a poor fit only makes it
// noisy, and the largest share of one draw shows when it misses something. The draws come in parts of 65536, and the
// error is that of the mean of the parts.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "dist/fitted_mixture.hpp"
#include "evident/base/log_math.hpp"
#include "evident/smc/sampler.hpp"
#include "problems_with_data.hpp"

using namespace evident;
using problems::Problem;

namespace {

constexpr std::size_t kPart = 65536, kPriorDraws = 4096;

struct Options {
  std::string data = bench::data_folder();
  std::size_t millions = 100, particles = 20000;
  std::uint64_t seed = 1;
  std::vector<std::string> names;
};

/// Sums over one part, relative to exp(top).
struct Part {
  double top = -kInf, sum = 0, squares = 0;
  void add(double log_weight) {
    if (!(log_weight > -kInf)) return;
    if (log_weight > top) {
      const double shrink = std::exp(top - log_weight);
      sum *= shrink;
      squares *= shrink * shrink;
      top = log_weight;
    }
    sum += std::exp(log_weight - top);
    squares += std::exp(2 * (log_weight - top));
  }
};

Part weigh(const Model& model, const FittedMixture& q, const Streams& streams, std::size_t part) {
  const ParameterSpace& space = model.parameters();
  BlockStorage z(space.free_size(), kBlockSize), theta(space.size(), kBlockSize);
  AlignedVector<double> log_q(kBlockSize), jacobian(kBlockSize), prior(kBlockSize), likelihood(kBlockSize);
  Part out;
  for (std::size_t first = 0; first < kPart; first += kBlockSize) {
    q.draw(streams,
           {.step = static_cast<std::uint32_t>(part),
            .particle = static_cast<std::uint32_t>(first),
            .purpose = Purpose::proposal},
           z);
    q.log_density(z, log_q);
    space.constrain(z, theta, jacobian);
    model.log_prior(theta, prior);
    model.log_likelihood(theta, likelihood);
    for (std::size_t i = 0; i < kBlockSize; ++i) out.add(prior[i] + jacobian[i] + likelihood[i] - log_q[i]);
  }
  return out;
}

/// Draws of the posterior shape the density; whatever they are worth, it is frozen before it is used.
FittedMixture proposal(const Model& model, const Options& options, const Executor& executor) {
  const Streams streams({.seed = options.seed});
  SmcOptions smc = frozen_defaults();
  smc.particles = options.particles;
  const Population x = pilot(model, smc, {streams, executor}).run.particles;
  BlockStorage theta(model.parameters().size(), kPriorDraws), z(model.parameters().free_size(), kPriorDraws);
  model.draw_prior(streams.part(1), 0, theta);
  model.parameters().unconstrain(theta, z);
  return fit_mixture(x.z, x.weights.values(), {.least_gain = 0.003}, streams.part(2), executor)
      .widened(0.05, x.z, 9, 5)
      .widened(0.05, z, 1, 5);
}

void report(const Problem& problem, const Options& options) {
  const Executor executor(1);
  const FittedMixture q = proposal(*problem.model, options, executor);
  const Streams streams = Streams({.seed = options.seed}).part(3);
  std::vector<double> means;
  Part all;
  const std::size_t parts = std::max<std::size_t>(options.millions * 1000000 / kPart, 2);
  for (std::size_t p = 0; p < parts; ++p) {
    const Part part = weigh(*problem.model, q, streams, p);
    means.push_back(part.top + std::log(part.sum / kPart));
    const double top = std::max(all.top, part.top);
    const double was = std::exp(all.top - top), is = std::exp(part.top - top);
    all = {top, all.sum * was + part.sum * is, all.squares * was * was + part.squares * is * is};
  }
  const auto n = static_cast<double>(parts), draws = n * kPart;
  const double log_evidence = all.top + std::log(all.sum / draws);
  double variance = 0;
  for (const double m : means) variance += std::pow(std::expm1(m - log_evidence), 2) / (n - 1);
  std::printf("| %-24s | %.5f | %.5f | %.0e | %zu | %.3f | %.1e | %+.4f |\n", problem.name.c_str(), log_evidence,
              std::sqrt(variance / n), draws, q.components().size() - 2, all.sum * all.sum / all.squares / draws,
              1 / all.sum, log_evidence - problem.log_evidence);
  std::fflush(stdout);
}

Options read(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--data" && more)
      o.data = argv[++i];
    else if (word == "--draws" && more)
      o.millions = std::strtoul(argv[++i], nullptr, 10);
    else if (word == "--particles" && more)
      o.particles = std::strtoul(argv[++i], nullptr, 10);
    else if (word == "--seed" && more)
      o.seed = std::strtoul(argv[++i], nullptr, 10);
    else
      o.names.push_back(word);
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read(argc, argv);
  std::printf(
      "| problem | log evidence | error | draws | components | efficiency | largest share | off the stored one "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const Problem& problem : bench::problems_with_data(options.data))
    for (const std::string& name : options.names)
      if (problem.name.find(name) != std::string::npos) report(problem, options);
}
