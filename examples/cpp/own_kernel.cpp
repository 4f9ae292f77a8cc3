// A kernel of one's own: a particle jumps by the difference of two others (differential evolution), so that jumps have
// the size and the direction of the posterior without any covariance. Pairs are taken from a copy of the particles that
// was made before the move: given that copy the proposal is symmetric, and Metropolis' rule makes it right.
#include <atomic>
#include <evident/base/error.hpp>
#include <evident/evidence/estimate.hpp>
#include <evident/model/model.hpp>
#include <evident/smc/sampler.hpp>
#include <vector>

#include "line.hpp"

namespace {

using namespace evident;

class Differences final : public Kernel {
 public:
  void calibrate(const Population& x, double /*alpha*/) override { before_ = x.z; }

  MoveReport move(const TemperedTarget& target, Population& x, const Context& context, std::uint32_t step) override {
    std::atomic<std::size_t> accepted = 0;
    context.executor.for_each(block_count(x.size()), [&](std::size_t block) {
      for (std::uint32_t pass = 0; pass < kPasses; ++pass)
        accepted += move_block(target, x, context.streams, {.step = step, .pass = pass}, block * kBlockSize);
    });
    return {.acceptance = static_cast<double>(accepted) / static_cast<double>(kPasses * x.size()), .passes = kPasses};
  }

  // For frozen and waste-free runs, which this program does not make.
  void use(const Calibration&) override { throw InputError("differences are not for frozen runs"); }
  Calibration calibration() const override { return {}; }
  MoveReport move_chains(const TemperedTarget&, Population&, const Context&, std::uint32_t, const Chains&) override {
    throw InputError("differences are not for waste-free runs");
  }

 private:
  static constexpr std::uint32_t kPasses = 10;

  /// Random numbers belong to a particle, a step and a pass: the result does not depend on threads or blocks.
  std::size_t move_block(const TemperedTarget& target, Population& x, const Streams& streams, DrawIdentity id,
                         std::size_t first) const {
    const std::size_t rows = before_.rows(), count = std::min(kBlockSize, x.size() - first);
    BlockStorage z(rows, count), theta(x.theta.rows(), count);
    AlignedVector<double> log_prior(count), log_jacobian(count), log_likelihood(count), log_uniform(count);
    const double factor = 2.38 / std::sqrt(2.0 * static_cast<double>(rows));
    for (std::size_t i = 0; i < count; ++i) {
      id.particle = static_cast<std::uint32_t>(first + i);
      id.purpose = Purpose::proposal;
      Stream random = streams.at(id);
      const auto one = static_cast<std::size_t>(random.uniform() * static_cast<double>(before_.size()));
      const auto other = static_cast<std::size_t>(random.uniform() * static_cast<double>(before_.size()));
      for (std::size_t j = 0; j < rows; ++j)
        z(j, i) = x.z(j, first + i) + factor * (before_(j, one) - before_(j, other)) + 1e-3 * random.normal();
      id.purpose = Purpose::accept;
      log_uniform[i] = std::log(streams.at(id).uniform());
    }
    target.prior(z, theta, log_prior, log_jacobian);
    target.likelihood(theta, log_likelihood);
    std::size_t accepted = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = first + i;
      const double ratio = log_prior[i] - x.log_prior[at] + target.alpha() * (log_likelihood[i] - x.log_likelihood[at]);
      if (!(log_uniform[i] < ratio)) continue;  // not a number: stay
      ++accepted;
      for (std::size_t j = 0; j < rows; ++j) x.z(j, at) = z(j, i);
      for (std::size_t j = 0; j < theta.rows(); ++j) x.theta(j, at) = theta(j, i);
      x.log_prior[at] = log_prior[i];
      x.log_jacobian[at] = log_jacobian[i];
      x.log_likelihood[at] = log_likelihood[i];
    }
    return accepted;
  }

  BlockStorage before_;
};

}  // namespace

int main() {
  ParameterSpace space;
  space.add("a", normal(0, line::kPriorSd)).add("b", normal(0, line::kPriorSd));
  const auto model = lift(space, [](std::span<const double> x) { return line::log_likelihood(x[0], x[1]); });

  const Executor executor(2);
  SmcOptions options;
  options.particles = 1000;
  options.schedule = CessSchedule{0.99};
  std::vector<double> log_evidences;
  for (std::uint32_t r = 0; r < 8; ++r) {
    Differences kernel;
    const Run run = evidence_with_kernel(*model, kernel, options, {Streams({.seed = 10, .replicate = r}), executor});
    log_evidences.push_back(standard_estimate(run.trace));
    if (r == 0) std::printf("  mean acceptance %.2f\n", run.trace.mean_acceptance());
  }
  const Estimate all = island_evidence(log_evidences);
  return line::report("line", all.value, all.standard_error, true) ? 0 : 1;
}
