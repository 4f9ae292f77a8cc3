// A model that evaluates many parameter vectors in one call, and knows its gradient: row j of a block holds parameter j
// of all of them side by side, so that the inner loops become SIMD instructions. Hamiltonian moves use the gradient.
#include <evident/compare/compare.hpp>
#include <evident/smc/sampler.hpp>
#include <memory>

#include "line.hpp"

namespace {

class Line final : public evident::Model {
 public:
  Line() {
    space_.add("a", evident::normal(0, line::kPriorSd));
    space_.add("b", evident::normal(0, line::kPriorSd));
  }

  const evident::ParameterSpace& parameters() const override { return space_; }

  void log_likelihood(evident::ConstBlock theta, std::span<double> out) const override {
    const auto a = theta.row(0), b = theta.row(1);
    for (double& v : out) v = -0.5 * static_cast<double>(line::kSize) * line::kLog2Pi;
    for (std::size_t k = 0; k < line::kSize; ++k) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        const double r = line::kY[k] - a[i] - b[i] * line::kT[k];
        out[i] -= 0.5 * r * r;
      }
    }
  }

  bool has_gradient() const override { return true; }
  void gradient(evident::ConstBlock theta, evident::Block d_log_prior, evident::Block d_log_likelihood) const override {
    space_.gradient(theta, d_log_prior);  // priors know theirs
    for (std::size_t i = 0; i < theta.size(); ++i) {
      double da = 0, db = 0;
      for (std::size_t k = 0; k < line::kSize; ++k) {
        const double r = line::kY[k] - theta(0, i) - theta(1, i) * line::kT[k];
        da += r;
        db += r * line::kT[k];
      }
      d_log_likelihood(0, i) = da;
      d_log_likelihood(1, i) = db;
    }
  }

 private:
  evident::ParameterSpace space_;
};

}  // namespace

int main() {
  evident::CompareOptions options = evident::default_options();
  options.smc->kernel.kind = evident::KernelKind::hmc;
  options.seed = 8;
  const evident::Comparison result = evident::compare({{"line", 1, std::make_shared<const Line>(), {}}}, options);
  const evident::ModelResult& m = result.models[0];
  return line::report(m.name, m.log_evidence.value, m.log_evidence.standard_error, true) ? 0 : 1;
}
