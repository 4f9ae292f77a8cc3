#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/dist/distribution.hpp"

namespace evident {
namespace {

using testing::HasSubstr;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string parse_error(const std::string& text) {
  return message_of([&text] { parse_distribution(text); });
}

TEST(Parse, ReadsPositionsAndNames) {
  EXPECT_EQ(parse_distribution("normal(0, 1)").text(), "normal(mean=0, sd=1)");
  EXPECT_EQ(parse_distribution(" normal ( sd = 2 ,mean=-1 ) ").text(), "normal(mean=-1, sd=2)");
  EXPECT_EQ(parse_distribution("student-t(4, scale=2, location=1)").text(), "student-t(df=4, location=1, scale=2)");
  EXPECT_EQ(parse_distribution("half_normal(1e-3)").text(), "half-normal(scale=0.001)");
  EXPECT_EQ(parse_distribution("negative_binomial(3, .5)").text(), "negative-binomial(mean=3, size=0.5)");
  EXPECT_EQ(parse_distribution("uniform(+1.5, 2E3)").text(), "uniform(lower=1.5, upper=2000)");
  EXPECT_EQ(parse_distribution("truncated-normal(0, 1, -inf, inf)").text(),
            "truncated-normal(mean=0, sd=1, lower=-inf, upper=inf)");
}

TEST(Parse, GammaSaysWhatItsSecondArgumentIs) {
  const Distribution rate = parse_distribution("gamma(shape=2, rate=4)");
  const Distribution scale = parse_distribution("gamma(2, scale=0.25)");
  EXPECT_EQ(rate.text(), "gamma(shape=2, rate=4)");
  EXPECT_EQ(scale.text(), "gamma(shape=2, scale=0.25)");
  EXPECT_NE(&rate.family(), &scale.family());
  EXPECT_NEAR(rate.log_density(0.7), scale.log_density(0.7), 1e-14);
  EXPECT_NEAR(rate.log_density(0.7), gamma_rate(2, 4).log_density(0.7), 0);
  EXPECT_EQ(parse_error("gamma(2, 1)"),
            "in 'gamma(2, 1)' at character 10: say whether this is a rate or a scale: write rate=... or scale=...");
  EXPECT_THAT(parse_error("gamma(2)"), HasSubstr("gamma takes a shape and either rate=... or scale=..."));
  EXPECT_THAT(parse_error("gamma(2, raet=1)"), HasSubstr("gamma has no argument 'raet'; did you mean 'rate'?"));
  EXPECT_THAT(parse_error("gamma(2, rate=1, scale=1)"), HasSubstr("takes a rate or a scale, not both"));
  EXPECT_EQ(&family("gamma-rate"), &rate.family());
  EXPECT_EQ(&family("gamma_scale"), &scale.family());
  EXPECT_THAT(message_of([] { family("gamma"); }), HasSubstr("two gamma distributions"));
}

TEST(Parse, OtherWordsAreParameters) {
  const Distribution d = parse_distribution("uniform(theta1, 0.1)");
  EXPECT_FALSE(d.is_constant());
  EXPECT_EQ(d.arguments()[0].parameter, "theta1");
  EXPECT_EQ(d.text(), "uniform(lower=theta1, upper=0.1)");
  EXPECT_EQ(parse_distribution("normal(mean=weight[2], sd=a.b_c)").text(), "normal(mean=weight[2], sd=a.b_c)");
  EXPECT_EQ(parse_distribution("normal(sd, mean)").text(), "normal(mean=sd, sd=mean)");
  EXPECT_TRUE(parse_distribution("uniform(0, 0.1)").is_constant());
}

TEST(Parse, TextReadsBackTheSameNumbers) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 5e-324, 1.7976931348623157e308, 123456789.123, 1e22, 2.5e-7}) {
    const Distribution d = normal(value, 1);
    EXPECT_EQ(parse_distribution(d.text()).arguments()[0].value, value) << d.text();
  }
  for (const Family* family : families()) {
    // 0.5 suits most arguments; the others get values of their own.
    std::vector<Argument> arguments(family->arguments().size(), Argument(0.5));
    if (family->arguments().back() == "upper") arguments.back() = 0.75;
    if (family->name() == "binomial") arguments[0] = 7;
    const Distribution d(*family, arguments);
    const Distribution again = parse_distribution(d.text());
    EXPECT_EQ(&again.family(), family);
    EXPECT_EQ(again.arguments(), d.arguments());
    EXPECT_EQ(again.text(), d.text());
  }
}

TEST(Parse, NamesTheNearestFamily) {
  EXPECT_EQ(parse_error("nromal(0, 1)"),
            "in 'nromal(0, 1)' at character 1: unknown distribution 'nromal'; did you mean 'normal'?");
  EXPECT_THAT(parse_error("log-normal(0, 1)"), HasSubstr("did you mean 'lognormal'?"));
  EXPECT_THAT(parse_error("invgamma(1, 1)"), HasSubstr("unknown distribution 'invgamma'"));
  EXPECT_THAT(parse_error("wishart(1, 1)"), testing::EndsWith("unknown distribution 'wishart'"));
  EXPECT_THAT(message_of([] { family("posson"); }), HasSubstr("did you mean 'poisson'?"));
}

TEST(Parse, SaysWhichArgumentIsWrong) {
  EXPECT_THAT(parse_error("normal(0, 1, 2)"),
              HasSubstr("at character 14: one argument too many: normal takes mean and sd"));
  EXPECT_THAT(parse_error("normal(0)"), HasSubstr("argument 'sd' is missing: normal takes mean and sd"));
  EXPECT_THAT(parse_error("normal()"), HasSubstr("argument 'mean' is missing"));
  EXPECT_THAT(parse_error("normal(0, std=1)"), HasSubstr("normal has no argument 'std'; did you mean 'sd'?"));
  EXPECT_THAT(parse_error("normal(0, variance=1)"), HasSubstr("normal has no argument 'variance'; normal takes mean"));
  EXPECT_THAT(parse_error("normal(0, mean=1)"), HasSubstr("argument 'mean' is given twice"));
  EXPECT_THAT(parse_error("normal(sd=1, 0)"), HasSubstr("an unnamed argument may not follow a named one"));
}

TEST(Parse, SaysWhatIsExpectedWhere) {
  EXPECT_THAT(parse_error(""), HasSubstr("expected the name of a distribution"));
  EXPECT_THAT(parse_error("normal"), HasSubstr("expected '(' after 'normal'"));
  EXPECT_THAT(parse_error("normal(0, 1"), HasSubstr("at character 12: expected ',' or ')'"));
  EXPECT_THAT(parse_error("normal(0 1)"), HasSubstr("at character 10: expected ',' or ')'"));
  EXPECT_THAT(parse_error("normal(0, 1) x"), HasSubstr("nothing may follow"));
  EXPECT_THAT(parse_error("normal(0, )"), HasSubstr("expected a number or the name of a parameter"));
  EXPECT_THAT(parse_error("normal(0, 1abc)"), HasSubstr("expected a number"));
  EXPECT_THAT(parse_error("normal(0, 1e999)"), HasSubstr("too large or too small"));
  EXPECT_THAT(parse_error("normal(0, nan)"), HasSubstr("cannot be NaN"));
  EXPECT_THAT(parse_error("normal(w[a], 1)"), HasSubstr("expected ']'"));
  EXPECT_THAT(parse_error("normal(0, --1)"), HasSubstr("expected a number"));
  EXPECT_THAT(parse_error("normal(0, -)"), HasSubstr("expected a number"));
  EXPECT_THAT(parse_error("normal(-inf(0, 1)"), HasSubstr("expected ',' or ')'"));
}

TEST(Parse, ChecksTheRangeOfConstants) {
  EXPECT_EQ(parse_error("normal(0, 1e305)"),
            "in 'normal(0, 1e305)': normal(mean=0, sd=1e+305): needs sd > 0, and less extreme numbers");
  EXPECT_EQ(parse_error("normal(0, -1)"), "in 'normal(0, -1)': normal(mean=0, sd=-1): needs sd > 0");
  for (const char* text :
       {"normal(inf, 1)", "normal(0, inf)", "normal(0, 0)", "uniform(1, 0)", "uniform(-inf, 0)",
        "uniform(-1e308, 1e308)", "log-uniform(0, 1)", "beta(0, 1)", "gamma(2, rate=-inf)", "bernoulli(1.5)",
        "binomial(2.5, 0.5)", "binomial(-1, 0.5)", "poisson(-1)", "truncated-normal(0, 1, 2, 1)",
        "truncated-normal(0, inf, -1, 1)",
        // Wrong whatever the parameter is:
        "normal(mu, -1)", "binomial(n, 2)", "uniform(a, inf)", "log-uniform(a, -1)", "student-t(df, m, 0)"}) {
    EXPECT_THAT(parse_error(text), HasSubstr("needs ")) << text;
  }
  for (const char* text : {"normal(mu, 1)", "binomial(n, 1)", "uniform(a, -5)", "uniform(7, b)", "log-uniform(a, 1e-9)",
                           "beta(a, b)", "truncated-normal(m, s, 0, u)", "truncated-normal(m, s, l, u)"}) {
    EXPECT_EQ(parse_error(text), "(no error)") << text;
  }
}

TEST(Distribution, ChecksTheNumberOfArguments) {
  EXPECT_EQ(message_of([] { Distribution(family("normal"), {1.0}); }), "normal takes 2 arguments, was given 1");
  EXPECT_EQ(message_of([] { Distribution(family("poisson"), {}); }), "poisson takes 1 argument, was given 0");
}

TEST(Distribution, TakesWholeNumbersAndNames) {
  EXPECT_EQ(normal(0, 10).text(), "normal(mean=0, sd=10)");
  EXPECT_EQ(binomial(std::size_t{5}, "p").text(), "binomial(n=5, p=p)");
  EXPECT_EQ(uniform("theta1", 0.1).arguments(), parse_distribution("uniform(theta1, 0.1)").arguments());
}

}  // namespace
}  // namespace evident
