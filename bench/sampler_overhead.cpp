// What the sampler itself costs, and what a second thread gains.
//
//   bench_sampler_overhead
//
// Overhead: thread CPU time of a whole run less the time of exactly its prior and likelihood calls, measured apart on
// blocks of the same size, per particle and move (d = 5, N = 1000, one pass). Scaling: wall time of one run with a
// likelihood made to cost about 1 us, with one and with two threads.
#include <cmath>
#include <cstdio>
#include <vector>

#include "evident/smc/sampler.hpp"
#include "timing.hpp"

using namespace evident;

namespace {

constexpr std::size_t kD = 5, kN = 1000;

/// Independent normals, as cheap as a likelihood can be; `work` more rounds of arithmetic make it dear.
class Cheap final : public Model {
 public:
  explicit Cheap(int work = 0) : work_(work) {
    for (std::size_t j = 0; j < kD; ++j) space_.add("x" + std::to_string(j), normal(0, 1));
  }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) out[i] = 0;
    for (std::size_t j = 0; j < kD; ++j) {
      const double* x = theta.row_data(j);
      for (std::size_t i = 0; i < theta.size(); ++i) out[i] -= 50 * (x[i] - 1) * (x[i] - 1);
    }
    for (std::size_t i = 0; i < theta.size() && work_ > 0; ++i) {
      double v = 0.5;
      for (int k = 0; k < work_; ++k) v = v * 0.99 + std::sqrt(v) * 0.003;
      out[i] += 1e-12 * v;
    }
  }

 private:
  int work_;
  ParameterSpace space_;
};

SmcOptions options() {
  SmcOptions o{.particles = kN};
  o.kernel.own_moves = false;
  o.kernel.passes = 1;
  return o;
}

double run_wall(const Model& model, unsigned threads) {
  const Executor executor(threads);
  double best = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = bench::wall_seconds();
    direct_evidence(model, options(), {Streams({.seed = 1}), executor});
    best = std::min(best, bench::wall_seconds() - start);
  }
  return best;
}

}  // namespace

int main() {
  const Cheap model;
  const Executor executor(1);
  const Context context{Streams({.seed = 1}), executor};
  std::size_t moves = 0;
  const double whole = bench::least_seconds([&] {
    const Run run = direct_evidence(model, options(), context);
    moves = (run.trace.steps.size() - 1) * kN;
  });
  // The model's own share, on blocks of the sampler's size.
  BlockStorage theta(kD, kBlockSize);
  model.draw_prior(context.streams, 0, theta);
  AlignedVector<double> out(kBlockSize);
  const double model_block = bench::least_seconds([&] {
                               for (int k = 0; k < 1000; ++k) {
                                 model.log_prior(theta, out);
                                 model.log_likelihood(theta, out);
                               }
                             }) /
                             1000;
  const double total = 1e9 * whole / static_cast<double>(moves);
  const double own = 1e9 * model_block / kBlockSize;
  std::printf("whole run             %7.1f ns per particle and move (d = %zu, N = %zu, %zu moves)\n", total, kD, kN,
              moves);
  std::printf("prior and likelihood  %7.1f ns\n", own);
  std::printf("overhead              %7.1f ns (limit 60)\n", total - own);

  int work = 100;
  double cost = 0;
  for (int round = 0; round < 6; ++round) {
    const Cheap dear(work);
    cost = bench::least_seconds([&] { dear.log_likelihood(theta, out); }, 5, 0.01) / kBlockSize;
    if (std::abs(cost * 1e6 - 1) < 0.05) break;
    work = std::max(1, static_cast<int>(work * 1e-6 / cost));
  }
  const Cheap dear(work);
  const double one = run_wall(dear, 1), two = run_wall(dear, 2);
  std::printf("\nlikelihood of %.2f us: one thread %.3f s, two threads %.3f s, ratio %.2f (at least 1.8)\n", cost * 1e6,
              one, two, one / two);
}
