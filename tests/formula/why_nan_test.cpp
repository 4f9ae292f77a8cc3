// Which operation of a formula makes NaN.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evident/base/log_math.hpp"
#include "formula/small_model.hpp"
#include "model/explains_nan.hpp"

namespace evident::formula {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const auto kResponses = numbers({{"D", {0, 0.5, 1, 3, 10, 1000}}, {"y", {0.1, 0.6, 1.4, 2.2, 3, 3.2}}});

std::string why(std::shared_ptr<const DataSet> data, const Parts& parts, const std::vector<double>& theta) {
  const auto model = make(std::move(data), parts);
  EXPECT_TRUE(std::isnan(log_likelihood(*model, theta)));
  return dynamic_cast<const ExplainsNan&>(*model).why_nan(theta);
}

Parts of_mean(const std::string& mean, const Lines& let = {}) {
  return {.parameters = {{"a", "normal(0, 10)"}, {"b", "normal(0, 10)"}},
          .let = let,
          .likelihood = {{"y", "normal(" + mean + ", 1)"}}};
}

TEST(WhyNan, NamesOperationRowAndPlace) {
  EXPECT_EQ(why(kResponses, of_mean("a * D / (D * b)"), {1, 2}),
            "0 / 0 is NaN in row 1 of the data (D = 0), in 'normal(a * D / (D * b), 1)' (s.toml:1:14)");
  EXPECT_THAT(why(kResponses, of_mean("log(a)"), {-1, 2}), HasSubstr("log(-1) is NaN in 'normal(log(a), 1)'"));
  EXPECT_THAT(why(kResponses, of_mean("(a - D)^b"), {2, 0.5}),
              AllOf(HasSubstr("(-1)^0.5 is NaN in row 4"), HasSubstr("(D = 3)")));
  EXPECT_THAT(why(kResponses, of_mean("exp(a * D) - exp(b * D)"), {300, 400}),
              HasSubstr("inf - inf is NaN in row 4 of the data (D = 3)"));
  EXPECT_THAT(why(kResponses, of_mean("D * exp(1000 * a)"), {1, 0}), HasSubstr("0 * inf is NaN in row 1"));
}

// The first one counts, and what is not used does not.
TEST(WhyNan, FollowsNamesToWhereItWasMade) {
  const Lines let = {{"unused", "log(-1 - a^2)"}, {"root", "sqrt(b)"}, {"curve", "root * D + 1"}};
  const std::string text = why(kResponses, of_mean("curve - root", let), {1, -4});
  EXPECT_THAT(text, AllOf(HasSubstr("sqrt(-4) is NaN"), HasSubstr("'sqrt(b)'")));
  // The branch that is not taken may be what it likes.
  EXPECT_TRUE(std::isfinite(log_likelihood(*make(kResponses, of_mean("where(a > 0, a, log(a))")), {1, 0})));
  EXPECT_THAT(why(kResponses, of_mean("where(a < 0, a, log(a)) + sqrt(b)"), {-1, -9}), HasSubstr("sqrt(-9)"));
}

TEST(WhyNan, KnowsVectorsPriorsAndFreeTerms) {
  const auto data = numbers({{"g", {1, 2, 2}}, {"y", {1, 2, 3}}});
  const Parts groups{.parameters = {{"tau", "half-normal(1)"}, {"e[g]", "normal(0, tau)"}},
                     .likelihood = {{"y", "normal(sqrt(e[g]), 1)"}}};
  EXPECT_THAT(why(data, groups, {1, 4, -4}), HasSubstr("sqrt(-4) is NaN in row 2 of the data (g = 2)"));
  const Parts free{.parameters = {{"a", "normal(0, 10)"}}, .log_likelihood = {{"one", "-y * log(a)"}}};
  EXPECT_THAT(why(data, free, {-2}), HasSubstr("log(-2) is NaN in '-y * log(a)'"));
  const Parts both{.parameters = {{"a", "normal(0, 10)"}}, .log_likelihood = {{"one", "exp(a)"}, {"two", "-exp(a)"}}};
  EXPECT_EQ(why(data, both, {1000}), "its terms add up inf and -inf");
}

// It is not seen into differential equations.
TEST(WhyNan, SaysNothingWhereItCannotTell) {
  const auto data = numbers({{"t", {1, 2}}, {"y", {1, 2}}});
  Parts parts{.parameters = {{"k", "half-normal(1)"}}, .likelihood = {{"y", "normal(A, 1)"}}};
  parts.ode = {.states = {{"A", "1", "-k * A"}}};
  const auto model = make(data, parts);
  EXPECT_EQ(dynamic_cast<const ExplainsNan&>(*model).why_nan(std::vector{1.0}), "");
}

}  // namespace
}  // namespace evident::formula
