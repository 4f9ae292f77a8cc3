// The shortest way: a function of one parameter vector becomes a model, and two models are compared.
#include <evident/compare/compare.hpp>
#include <evident/model/model.hpp>
#include <evident/smc/sampler.hpp>

#include "line.hpp"

int main() {
  evident::ParameterSpace one, two;
  one.add("a", evident::normal(0, line::kPriorSd));
  two.add("a", evident::normal(0, line::kPriorSd)).add("b", evident::normal(0, line::kPriorSd));

  const auto level = evident::lift(one, [](std::span<const double> x) { return line::log_likelihood(x[0], 0); });
  const auto sloped = evident::lift(two, [](std::span<const double> x) { return line::log_likelihood(x[0], x[1]); });

  evident::CompareOptions options;
  options.seed = 7;
  const evident::Comparison result = evident::compare({{"level", 1, level, {}}, {"line", 1, sloped, {}}}, options);

  bool right = true;
  for (std::size_t k = 0; k < 2; ++k) {
    const evident::ModelResult& m = result.models[k];
    right = line::report(m.name, m.log_evidence.value, m.log_evidence.standard_error, k == 1) && right;
    std::printf("  probability %.3f, between %.3f and %.3f\n", m.probability.value, m.probability_interval.lower,
                m.probability_interval.upper);
  }
  for (const evident::ParameterSummary& p : result.models[1].parameters)
    std::printf("  %s = %.2f +- %.2f\n", p.name.c_str(), p.mean, p.sd);
  return right ? 0 : 1;
}
