// Ten thousand random expressions against an evaluator that shares no code with the library.
//
// The measure: the library's value may differ from the exact one by 1e-12 of it, plus 16 times what rounding every
// input and every operation once can do to it (measured.hpp). The second part matters where a value is a small
// difference of large terms; it is 1e-12 of the terms' absolute sum or less, unless the expression itself enlarges
// rounding errors.
#include <gtest/gtest.h>

#include "evident/formula/model.hpp"
#include "formula/measured.hpp"
#include "formula/twin.hpp"

namespace evident::formula {
namespace {

constexpr std::size_t kParticles = 5, kRows = 11;

std::shared_ptr<const DataSet> data_set(twin::Generator& random, twin::Inputs<long double>& in) {
  DataSet data{.table_rows = {kRows}};
  std::vector<double> group;
  for (std::size_t r = 0; r < kRows; ++r) {
    in.x.push_back(random.uniform(-2, 2));
    in.z.push_back(random.uniform(0.5, 3));
    in.group.push_back(static_cast<std::size_t>(random.below(3)));
    group.push_back(static_cast<double>(in.group.back()) + 1);
  }
  data.columns = {{.name = "x", .numbers = in.x}, {.name = "z", .numbers = in.z}, {.name = "group", .numbers = group}};
  return std::make_shared<const DataSet>(std::move(data));
}

FormulaText text_of(const std::string& formula, std::shared_ptr<const DataSet> data) {
  FormulaText out{.data = std::move(data)};
  for (const char* name : {"a", "b", "c", "v[3]"}) out.parameters.push_back({{.text = name}, {.text = "normal(0, 1)"}});
  out.log_likelihood = {{{.text = "f"}, {.text = formula}}};
  return out;
}

template <class T>
twin::Inputs<T> with_parameters(const twin::Inputs<long double>& in, const std::vector<double>& theta) {
  return {std::vector<T>(theta.begin(), theta.end()), in.x, in.z, in.group};
}

/// Central difference at two steps; nothing where they disagree (a kink, or no digits left).
bool slope(const twin::Tree& tree, twin::Inputs<long double> in, std::size_t j, long double& out) {
  const long double centre = in.parameters[j];
  long double found[2];
  for (int k = 0; k < 2; ++k) {
    const long double h = k == 0 ? 2e-6L : 1e-6L;
    in.parameters[j] = centre + h;
    const long double above = twin::total(tree, in);
    in.parameters[j] = centre - h;
    const long double below = twin::total(tree, in);
    found[k] = (above - below) / (2 * h);
  }
  out = (4 * found[1] - found[0]) / 3;
  return std::isfinite(out) && std::abs(found[0] - found[1]) <= 1e-7L * std::max(1.0L, std::abs(out));
}

TEST(RandomExpressions, ValuesAndGradients) {
  twin::Generator random(20240607);
  twin::Inputs<long double> in;
  const auto data = data_set(random, in);
  std::size_t values = 0, steady = 0, gradients = 0;
  for (int made = 0; values < 10'000; ++made) {
    ASSERT_LT(made, 12'000) << "too many expressions have no finite value";
    const twin::Tree tree = random.tree(1 + made % 5);
    const std::string formula = twin::text(tree);
    const auto model = make_formula_model(text_of(formula, data));
    BlockStorage theta(6, kParticles), prior_slope(6, kParticles), slopes(6, kParticles);
    for (std::size_t i = 0; i < theta.block().padded_size(); ++i)
      for (std::size_t j = 0; j < 6; ++j) theta.block().row_data(j)[i] = random.uniform(-2, 2);
    std::vector<double> out(kParticles);
    model->log_likelihood(theta, out);
    model->gradient(theta, prior_slope, slopes);
    bool finite = true;
    for (std::size_t i = 0; i < kParticles; ++i) {
      std::vector<double> one;
      for (std::size_t j = 0; j < 6; ++j) one.push_back(theta(j, i));
      const auto exact_in = with_parameters<long double>(in, one);
      twin::Measured::undecided = false;
      const twin::Measured exact = twin::total(tree, with_parameters<twin::Measured>(in, one));
      if (!std::isfinite(exact.value) || std::abs(exact.value) > 1e100L || twin::Measured::undecided) {
        finite = false;
        continue;
      }
      constexpr double kUnitRoundoff = 1.1102230246251565e-16;
      const auto v = static_cast<double>(exact.value);
      const double lost = 16 * kUnitRoundoff * static_cast<double>(exact.lost);
      if (lost < 1e-12 * std::abs(v)) ++steady;
      ASSERT_NEAR(out[i], v, 1e-12 * std::abs(v) + lost) << formula;
      for (std::size_t j = 0; j < 6; ++j) {
        long double expected = 0;
        if (lost > 1e-10 || !slope(tree, exact_in, j, expected)) continue;
        const auto s = static_cast<double>(expected);
        ASSERT_NEAR(slopes(j, i), s, 1e-6 * std::max(1.0, std::abs(s))) << formula << "\nparameter " << j;
        ++gradients;
      }
    }
    if (finite) ++values;
  }
  EXPECT_GT(steady, 9 * kParticles * 10'000u / 10);  // nine in ten are judged at 2e-12 at most
  EXPECT_GT(gradients, 200'000u);
}

}  // namespace
}  // namespace evident::formula
