// The whole sampler on a study, one thread: moves and evaluations a second, and how much of the time the likelihood
// takes.
//
//   bench_whole_sampler STUDY.toml [RUNS]      default 20 runs
//
// The likelihood's share is measured inside the runs, by a clock around each block that the sampler asks for.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "evident/evidence/estimate.hpp"
#include "evident/smc/sampler.hpp"
#include "evident/study/study.hpp"
#include "timing.hpp"

using namespace evident;

namespace {

/// Passes everything on and sums up the time of the likelihood.
class Timed final : public Model {
 public:
  explicit Timed(const Model& inner) : inner_(inner) {}
  const ParameterSpace& parameters() const override { return inner_.parameters(); }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    const double start = bench::wall_seconds();
    inner_.log_likelihood(theta, out);
    seconds += bench::wall_seconds() - start;
  }
  void draw_prior(const Streams& s, std::uint32_t first, Block theta) const override {
    inner_.draw_prior(s, first, theta);
  }
  void log_prior(ConstBlock theta, std::span<double> out) const override { inner_.log_prior(theta, out); }
  bool has_gradient() const override { return inner_.has_gradient(); }
  void gradient(ConstBlock theta, Block a, Block b) const override { inner_.gradient(theta, a, b); }
  std::vector<std::vector<std::size_t>> groups() const override { return inner_.groups(); }
  bool has_own_move() const override { return inner_.has_own_move(); }
  std::size_t own_move(double alpha, const MoveState& state, const MoveRandom& random) const override {
    const double start = bench::wall_seconds();
    const std::size_t cost = inner_.own_move(alpha, state, random);
    own_seconds += bench::wall_seconds() - start;
    return cost;
  }
  mutable double seconds = 0, own_seconds = 0;

 private:
  const Model& inner_;
};

void report(const Candidate& candidate, const SmcOptions& options, std::uint64_t seed, std::size_t runs) {
  const Executor executor(1);
  double total = 0, likelihood = 0, own = 0, mean = 0, square = 0;
  std::size_t evaluations = 0, steps = 0;
  for (std::size_t r = 0; r < runs; ++r) {
    const Timed model(*candidate.model);
    const double start = bench::wall_seconds();
    const Run run = direct_evidence(model, options,
                                    {Streams({.seed = seed, .replicate = static_cast<std::uint32_t>(r)}), executor});
    total += bench::wall_seconds() - start;
    likelihood += model.seconds;
    own += model.own_seconds;
    evaluations += run.trace.evaluations;
    steps += run.trace.steps.size() - 1;
    const double z = standard_estimate(run.trace);
    mean += z;
    square += z * z;
  }
  const auto n = static_cast<double>(runs);
  mean /= n;
  const std::size_t groups = options.kernel.grouping == Grouping::blocks
                                 ? std::max<std::size_t>(1, candidate.model->groups().size())
                             : options.kernel.grouping == Grouping::joint ? 1
                                                                          : candidate.model->parameters().free_size();
  const double moves = static_cast<double>(steps * options.particles * groups * options.kernel.passes);
  std::printf("%s: %zu runs, %.0f steps each, log evidence %.4f, SD %.4f\n", candidate.name.c_str(), runs,
              static_cast<double>(steps) / n, mean, std::sqrt(std::max(0.0, (square / n - mean * mean) * n / (n - 1))));
  std::printf("  %.1f ms a run, %.2f million moves and %.2f million evaluations a second\n", 1e3 * total / n,
              1e-6 * moves / total, 1e-6 * static_cast<double>(evaluations) / total);
  std::printf("  %.1f ns a move; likelihood %.1f %% of the time, the model's own move %.1f %%\n", 1e9 * total / moves,
              100 * likelihood / total, 100 * own / total);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_whole_sampler STUDY.toml [RUNS]\n");
    return 2;
  }
  try {
    const study::Study study = study::read_study(argv[1]);
    const std::size_t runs = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 20;
    for (const Candidate& c : study.candidates())
      report(c, c.smc.value_or(study.options.sampler()), study.options.seed, runs);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_whole_sampler: %s\n", e.what());
    return 1;
  }
}
