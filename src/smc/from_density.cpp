#include "smc/from_density.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "dist/log_sum_rows.hpp"
#include "proposal/log_target.hpp"
#include "proposal/quick_mixture.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kTag = 0x64656e736974;  // streams that nothing else in the run uses

/// The density as prior, and what is left of the posterior as likelihood; parameters are the coordinates z.
class FromDensity final : public Model {
 public:
  FromDensity(const Model& model, const QuickMixture& density) : model_(model), density_(density) {
    for (std::size_t j = 0; j < density.dimension(); ++j)
      space_.add("z" + std::to_string(j + 1), normal(0, 1), Scale::identity);
  }

  const ParameterSpace& parameters() const override { return space_; }

  void draw_prior(const Streams& streams, std::uint32_t first, Block z) const override {
    BlockStorage noise(z.rows(), z.size());
    const DrawIdentity id{.particle = first, .purpose = Purpose::prior};
    streams.fill_normal(id, noise);
    AlignedVector<double> wide(padded(z.size()));
    QuickMixture::fill_wide(streams, id, z.size(), wide.data());
    for (std::size_t i = 0; i < z.size(); ++i) {
      double left =
          streams.at({.particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::other}).uniform();
      std::size_t k = 0;
      while (k + 1 < density_.size() && left > density_.weight(k)) left -= density_.weight(k++);
      density_.draw_one(k, noise, wide[i], i, z);
    }
  }

  void log_prior(ConstBlock z, std::span<double> out) const override {
    for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
      const std::size_t n = std::min(kBlockSize, z.size() - first);
      BlockStorage parts(density_.size(), n);
      AlignedVector<double> total(n);
      density_.log_parts(z.columns(first, n), parts, {});
      dist::log_sum_rows(parts, total);
      std::copy_n(total.begin(), n, out.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }

  void log_likelihood(ConstBlock z, std::span<double> out) const override {
    EvaluationCount count;
    LogTarget target(TemperedTarget(model_, 1.0, count));
    AlignedVector<double> log_q(z.size()), log_prior_of_z(z.size());
    log_prior(z, log_q);
    target.evaluate(z, log_prior_of_z, out);
    for (std::size_t i = 0; i < z.size(); ++i) out[i] -= log_q[i];
  }

 private:
  const Model& model_;
  const QuickMixture& density_;
  ParameterSpace space_;
};

}  // namespace

Run from_density(const Model& model, const QuickMixture& density, const SmcOptions& options, const Context& context) {
  const FromDensity start(model, density);
  Context own = context;
  own.streams = context.streams.part(kTag);
  return direct_evidence(start, options, own);
}

}  // namespace evident
