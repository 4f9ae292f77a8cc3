// What a voxel costs: models of 1, 2 and 3 compartments compared, against the bare time of its likelihood evaluations.
//
//   bench_pet_voxels [VOXELS [SEED]]           default: 40 voxels
//
// Curves are simulated with the frames and the kind of noise of the published study, half of them with one compartment
// and half with two. For each preset: milliseconds a voxel on one thread, the same evaluations by the likelihood alone
// (timed in this run, on particles of the posterior), their ratio, core hours of 217,000 voxels, and mean and standard
// deviation over 100 seeds of log B21 of a noisy curve and of one with a fifth of the noise's variance, with the root
// mean square of the standard error that log B21 is given. Then two threads against one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "evident/smc/sampler.hpp"
#include "imaging/fit/fit_many.hpp"
#include "models/pet/simulate.hpp"
#include "timing.hpp"

using namespace evident;
using namespace evident::imaging;
using bench::thread_seconds;
using bench::wall_seconds;

namespace {

constexpr double kScan = 217000;

/// Voxels are noisy: with a lambda of 0.02 two compartments are found, but not beyond doubt.
PetStudy study(std::uint32_t number, std::uint64_t seed, double lambda = 0.02) {
  const PetSimulation one{.phi = {5e-3}, .theta = {6e-4}, .lambda = lambda};
  const PetSimulation two{.phi = {4e-3, 5e-3}, .theta = {5e-4, 1e-2}, .lambda = lambda};
  return simulate_pet(number % 2 == 0 ? one : two, Streams({.seed = seed}), number);
}

CurveSetup setup_of(const PetStudy& any, const SmcOptions& smc) {
  CurveSetup s{.models = {}, .frames = any.frames, .input = any.input(), .blood = {}, .smc = smc};
  for (std::size_t m = 1; m <= 3; ++m) {
    s.models.push_back(zhou2013_n(m));
    s.models.back().marginal_precision = true;
    s.models.back().scale = Scale::logit;
  }
  return s;
}

struct Cost {
  double likelihood = 0;  ///< seconds of the evaluations alone
  double evaluations = 0;
};

/// The evaluations that a voxel's fit made, timed alone on the particles of its runs' ends.
Cost bare_cost(const CurveSetup& s, const std::shared_ptr<const ConvolutionTable>& table,
               const std::vector<double>& curve, std::uint64_t index, const CurveFit& fit) {
  Cost out;
  const Executor one(1);
  for (std::size_t k = 0; k < s.models.size(); ++k) {
    const PetOptions& options = s.models[k];
    const PetCompartments model(options, table, curve);
    const Streams streams(
        {.seed = s.seed, .data_set = index + 1, .model = static_cast<std::uint32_t>(options.compartments)});
    const Run run = direct_evidence(model, s.smc, {streams, one});
    const ConstBlock theta = run.particles.theta;
    std::vector<double> l(theta.size());
    constexpr int kRepeats = 20;
    const double start = thread_seconds();
    for (int r = 0; r < kRepeats; ++r)
      for (std::size_t b = 0; b < l.size(); b += kBlockSize) {
        const std::size_t n = std::min(kBlockSize, l.size() - b);
        model.log_likelihood(theta.columns(b, n), std::span(l).subspan(b, n));
      }
    const double each = (thread_seconds() - start) / kRepeats / static_cast<double>(l.size());
    out.likelihood += each * static_cast<double>(fit.models[k].evaluations);
    out.evaluations += static_cast<double>(fit.models[k].evaluations);
  }
  return out;
}

Curves curves_of(std::size_t count, std::uint64_t seed) {
  Curves out{.frames = published_frames().time.size(), .index = {}, .values = {}};
  for (std::size_t i = 0; i < count; ++i) {
    const PetStudy s = study(static_cast<std::uint32_t>(i), seed);
    out.index.push_back(i);
    out.values.insert(out.values.end(), s.activity.begin(), s.activity.end());
  }
  return out;
}

struct Spread {
  double mean = 0, sd = 0, se = 0;
};

Spread log_b21(CurveSetup s, const std::vector<double>& curve, int seeds) {
  double sum = 0, squares = 0, variance = 0;
  s.models.resize(2);
  const CurveFitter fitter(s);
  for (int r = 0; r < seeds; ++r) {
    const CurveFit fit = fitter.fit(static_cast<std::uint64_t>(1000 + r), curve);
    const double b = fit.models[1].log_evidence.value - fit.models[0].log_evidence.value;
    sum += b;
    squares += b * b;
    for (const ModelFit& m : fit.models)
      variance += m.log_evidence.standard_error * m.log_evidence.standard_error / seeds;
  }
  return {sum / seeds, std::sqrt((squares - sum * sum / seeds) / (seeds - 1)), std::sqrt(variance)};
}

/// About 20 ms of arithmetic in registers.
void spin() {
  volatile double sink = 1;
  double x = sink;
  for (int i = 0; i < 5000000; ++i) x = x * 0.999999 + 1e-6;
  sink = x;
  (void)sink;
}

/// Least wall time of one thread over that of two, in turn, so that other work on the machine matters little.
template <class F>
double gain_of_two(const F& run) {
  double wall[2] = {1e300, 1e300};
  for (int repeat = 0; repeat < 5; ++repeat)
    for (const unsigned threads : {1U, 2U}) {
      const Executor executor(threads);
      const double start = wall_seconds();
      run(executor);
      wall[threads - 1] = std::min(wall[threads - 1], wall_seconds() - start);
    }
  return wall[0] / wall[1];
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t voxels = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 40;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const Curves curves = curves_of(voxels, seed);
  const FitColumns columns({"1TCM", "2TCM", "3TCM"}, {1, 2, 3});
  struct Preset {
    const char* name;
    SmcOptions smc;
  };
  std::printf(
      "| preset | ms a voxel | likelihood alone, ms | ratio | evaluations | 217,000 voxels, core hours | log B21 | of "
      "a "
      "clear curve |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  double paper = 0;
  for (const Preset& preset : {Preset{"paper", paper_preset()}, Preset{"fast", fast_preset()}}) {
    const CurveSetup s = setup_of(study(0, seed), preset.smc);
    const CurveFitter fitter(s);
    const auto table = make_table(s.input, s.frames, s.models.back());
    Cost cost;
    double seconds = 0;
    for (std::size_t i = 0; i < voxels; ++i) {  // in turn, so that other work on the machine slows both alike
      const double start = thread_seconds();
      const CurveFit fit = fitter.fit(curves.index[i], curves.curve(i));
      seconds += thread_seconds() - start;
      const Cost c = bare_cost(s, table, curves.curve(i), curves.index[i], fit);
      cost.likelihood += c.likelihood;
      cost.evaluations += c.evaluations;
    }
    const auto n = static_cast<double>(voxels);
    const double each = seconds / n;
    const Spread noisy = log_b21(s, study(1, seed).activity, 100),
                 clear = log_b21(s, study(1, seed, 0.1).activity, 100);
    std::printf("| %s | %.1f | %.1f | %.2f | %.3g | %.2f | %.2f, SD %.3f, SE %.3f | %.2f, SD %.3f, SE %.3f |\n",
                preset.name, 1e3 * each, 1e3 * cost.likelihood / n, seconds / cost.likelihood, cost.evaluations / n,
                each * kScan / 3600, noisy.mean, noisy.sd, noisy.se, clear.mean, clear.sd, clear.se);
    std::fflush(stdout);
    if (paper == 0)
      paper = each;
    else
      std::printf("\nfast is %.1f times faster than paper\n", paper / each);
  }
  const CurveFitter fitter(setup_of(study(0, seed), paper_preset()));
  const FitMany job{.fitter = fitter, .curves = curves, .columns = columns, .chunk = 1};
  const double bare = gain_of_two([&](const Executor& executor) {  // nothing but arithmetic: what the machine gives
    executor.for_each(2 * voxels, [](std::size_t) { spin(); });
  });
  std::printf("two threads are %.2f times faster than one; with nothing but arithmetic %.2f times\n",
              gain_of_two([&](const Executor& executor) { fit_many(job, nullptr, executor); }), bare);
}
