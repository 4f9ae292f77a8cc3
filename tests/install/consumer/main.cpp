// Two models of one observation y = 1 with noise of sd 1: a mean that is free (prior normal(0, 1)) and a mean near 0.
// The evidences are known: normal densities at 1 with variance 2 and 1.0001.
#include <cmath>
#include <cstdio>
#include <evident/compare/compare.hpp>
#include <memory>

namespace {

class Mean final : public evident::Model {
 public:
  explicit Mean(double prior_sd) { space_.add("mu", evident::normal(0, prior_sd)); }
  const evident::ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(evident::ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const double r = 1 - theta(0, i);
      out[i] = -0.5 * (evident::kLog2Pi + r * r);
    }
  }

 private:
  evident::ParameterSpace space_;
};

double exact(double prior_sd) {
  const double variance = 1 + prior_sd * prior_sd;
  return -0.5 * (evident::kLog2Pi + std::log(variance) + 1 / variance);
}

}  // namespace

int main() {
  const double sds[] = {1, 0.01};
  const evident::Comparison result =
      evident::compare({{.name = "free", .weight = 1, .model = std::make_shared<Mean>(sds[0]), .smc = {}},
                        {.name = "near zero", .weight = 1, .model = std::make_shared<Mean>(sds[1]), .smc = {}}},
                       {.seed = 7});
  int wrong = 0;
  for (int k = 0; k < 2; ++k) {
    const double found = result.models[k].log_evidence.value;
    std::printf("%-10s log evidence %.4f, exact %.4f\n", result.models[k].name.c_str(), found, exact(sds[k]));
    // Eight islands of 1000 particles and a likelihood that moves by less than 1 nat: an error far below 0.01.
    if (!(std::abs(found - exact(sds[k])) < 0.06)) ++wrong;
  }
  return wrong;
}
