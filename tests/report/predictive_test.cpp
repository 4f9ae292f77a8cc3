#include "report/predictive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "evident/base/error.hpp"
#include "report/density.hpp"
#include "report/document_parts.hpp"
#include "report/new_data.hpp"

namespace evident::report {
namespace {

/// y_i ~ N(mu + slope i, 1), so that everything predicted is known.
class Line final : public Model {
 public:
  explicit Line(std::vector<double> y, bool with_axis = true) : y_(std::move(y)), with_axis_(with_axis) {
    space_.add("mu", normal(0, 10));
  }
  const ParameterSpace& parameters() const override { return space_; }
  void log_likelihood(ConstBlock, std::span<double> out) const override { std::ranges::fill(out, 0.0); }
  std::vector<Observed> observed() const override {
    Observed o{.name = "y", .values = y_};
    if (with_axis_) {
      o.axis_name = "i";
      o.axis.resize(y_.size());
      std::iota(o.axis.begin(), o.axis.end(), 0.0);
    }
    return {o};
  }
  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      Stream s = streams.at({.particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::simulate});
      for (std::size_t row = 0; row < y_.size(); ++row) out(row, i) = theta(0, i) + s.normal();
    }
  }
  void predict(ConstBlock theta, Block out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i)
      for (std::size_t row = 0; row < y_.size(); ++row) out(row, i) = theta(0, i);
  }

 private:
  std::vector<double> y_;
  bool with_axis_;
  ParameterSpace space_;
};

Draws draws_at(std::vector<double> mu, std::vector<double> weights) {
  Draws d;
  d.names = {"mu"};
  d.values = BlockStorage(1, mu.size());
  std::ranges::copy(mu, d.values.row(0).begin());
  d.weights = std::move(weights);
  return d;
}

TEST(Pick, EachAsOftenAsItsWeight) {
  EXPECT_EQ(pick(std::vector{0.5, 0.0, 0.25, 0.25}, 4), (std::vector<std::size_t>{0, 0, 2, 3}));
  EXPECT_EQ(pick(std::vector{2.0, 6.0}, 4), (std::vector<std::size_t>{0, 1, 1, 1}));
  EXPECT_EQ(pick(std::vector{kNaN, 1.0, -1.0, kInf}, 2), (std::vector<std::size_t>{1, 1}));
  EXPECT_TRUE(pick(std::vector{0.0}, 0).empty());
  EXPECT_THROW(pick(std::vector{0.0, kNaN}, 1), RunError);
  EXPECT_THROW(pick({}, 1), RunError);
}

TEST(Predictive, BandsAreThoseOfTheModel) {
  const Line model({0, 0, 0, 5});
  const Draws draws = draws_at({3}, {1});
  const PredictiveSource source{.model = &model, .draws = &draws, .share = 1, .streams = Streams({.seed = 4})};
  const Predictive p = predictive({&source, 1}, Executor(1), {.draws = 4000});
  ASSERT_EQ(p.series.size(), 1u);
  EXPECT_EQ(p.draws, 4000u);
  const PredictedSeries& s = p.series[0];
  // Standard errors of the quantiles of N(3, 1) from 4000 draws: sqrt(p (1-p) / n) / density.
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(s.band.q05[i], 3 - 1.6449, 4 * 0.0334);
    EXPECT_NEAR(s.band.q25[i], 3 - 0.6745, 4 * 0.0215);
    EXPECT_NEAR(s.band.q50[i], 3, 4 * 0.0198);
    EXPECT_NEAR(s.band.q95[i], 3 + 1.6449, 4 * 0.0334);
    EXPECT_DOUBLE_EQ(s.mean[i], 3);
    EXPECT_DOUBLE_EQ(s.mean_q05[i], 3);
  }
  EXPECT_EQ(s.observed.axis, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(s.replicates.size(), 10u);
}

TEST(Predictive, ChecksFindWhatTheModelDoesNotSay) {
  std::vector<double> wave(40);
  for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = std::sin(0.3 * static_cast<double>(i)) * std::sqrt(2.0);
  const Line model(wave);
  const Draws draws = draws_at({0}, {1});
  const PredictiveSource source{.model = &model, .draws = &draws, .share = 1, .streams = Streams({.seed = 4})};
  const Predictive p = predictive({&source, 1}, Executor(1));
  const auto find = [&](const std::string& name) {
    return *std::ranges::find(p.checks, name, &PredictiveCheck::statistic);
  };
  // The wave has the mean and the spread of white noise, but its neighbours are alike.
  EXPECT_GT(find("mean").p_value, 0.025);
  EXPECT_LT(find("mean").p_value, 0.975);
  EXPECT_GT(find("standard deviation").p_value, 0.025);
  EXPECT_LT(find("correlation of neighbouring residuals").p_value, 0.001);
  EXPECT_NEAR(find("largest").value, *std::ranges::max_element(wave), 1e-12);
}

TEST(Predictive, HistogramsCountEveryObservation) {
  const std::vector<double> y{-1, 0, 0.5, 2, 2};
  const Line model(y, false);
  const Draws draws = draws_at({0}, {1});
  const PredictiveSource source{.model = &model, .draws = &draws, .share = 1, .streams = Streams({.seed = 4})};
  const Predictive p = predictive({&source, 1}, Executor(1));
  const PredictedHistogram& h = p.series[0].histogram;
  EXPECT_EQ(std::accumulate(h.observed.begin(), h.observed.end(), 0.0), 5);
  EXPECT_EQ(h.edges.size(), h.observed.size() + 1);
  EXPECT_EQ(h.band.q95.size(), h.observed.size());
  EXPECT_LE(h.edges.front(), -1);
  EXPECT_GE(h.edges.back(), 2);
  EXPECT_EQ(std::ranges::find(p.checks, "correlation of neighbouring residuals", &PredictiveCheck::statistic),
            p.checks.end())
      << "without an axis there are no neighbours";
}

TEST(Predictive, SharesWeighTheModels) {
  const Line model({0, 0});
  const Draws low = draws_at({-100}, {1}), high = draws_at({100}, {1});
  const PredictiveSource sources[] = {{&model, &low, 3, Streams({.seed = 1})},
                                      {&model, &high, 1, Streams({.seed = 2})}};
  const Predictive p = predictive(sources, Executor(1), {.draws = 1000});
  EXPECT_EQ(p.draws, 1000u);
  EXPECT_NEAR(p.series[0].mean[0], -50, 1e-9);
  EXPECT_LT(p.series[0].band.q50[0], -90);
  EXPECT_GT(p.series[0].band.q95[0], 90);
}

TEST(Predictive, TheSameForAnyNumberOfThreads) {
  const Line model({0, 1, 2});
  const Draws draws = draws_at({0, 1, 2}, {0.2, 0.5, 0.3});
  const PredictiveSource source{.model = &model, .draws = &draws, .share = 1, .streams = Streams({.seed = 4})};
  const Json once = predictive_json(predictive({&source, 1}, Executor(1)));
  EXPECT_EQ(once, predictive_json(predictive({&source, 1}, Executor(3))));
  EXPECT_EQ(once["series"][0]["values"], (Json{0, 1, 2}));
  EXPECT_EQ(once["series"][0]["band"]["q50"].size(), 3u);
}

TEST(Predictive, ManyObservationsAreThinnedAndBounded) {
  const Line model(std::vector<double>(5000, 1.0));
  const Draws draws = draws_at({1}, {1});
  const PredictiveSource source{.model = &model, .draws = &draws, .share = 1, .streams = Streams({.seed = 4})};
  const Predictive p = predictive({&source, 1}, Executor(1), {.most_rows = 100, .most_cells = 500000});
  EXPECT_EQ(p.draws, 100u);
  EXPECT_EQ(p.series[0].count, 5000u);
  EXPECT_EQ(p.series[0].observed.values.size(), 100u);
  EXPECT_EQ(p.series[0].observed.axis.back(), 4950);
  const Line huge(std::vector<double>(1000001, 1.0));
  const PredictiveSource too_many{.model = &huge, .draws = &draws};
  EXPECT_THROW(predictive({&too_many, 1}, Executor(1)), RunError);
}

TEST(Predictive, RefusesDrawsOfAnotherModel) {
  const Line model({0});
  Draws draws = draws_at({1}, {1});
  draws.names = {"sigma"};
  const PredictiveSource source{.model = &model, .draws = &draws};
  EXPECT_THROW(predictive({&source, 1}, Executor(1)), RunError);
  const Line silent(std::vector<double>{});
  const Draws good = draws_at({1}, {1});
  const PredictiveSource nothing{.model = &silent, .draws = &good};
  EXPECT_TRUE(predictive({&nothing, 1}, Executor(1)).series.empty());
}

TEST(SameObservations, ComparesNamesAndValues) {
  EXPECT_TRUE(same_observations(Line({1, 2}), Line({1, 2}, false)));
  EXPECT_FALSE(same_observations(Line({1, 2}), Line({1, 3})));
}

double integral(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 1; i < x.size(); ++i) sum += (x[i] - x[i - 1]) * (y[i] + y[i - 1]) / 2;
  return sum;
}

TEST(DensityCurves, IntegrateToOneAndKeepBounds) {
  std::vector<double> posterior, prior;
  Stream s = Streams({.seed = 2}).at({});
  for (int i = 0; i < 2000; ++i) {
    posterior.push_back(-std::log(s.uniform()));
    prior.push_back(-5 * std::log(s.uniform()));
  }
  const DensityCurves d = density_curves(posterior, prior);
  EXPECT_EQ(d.wide_low, 0) << "the bound of an exponential prior";
  EXPECT_TRUE(std::ranges::is_sorted(d.x));
  EXPECT_GE(d.x.front(), 0);
  EXPECT_NEAR(integral(d.x, d.posterior), 1, 0.02);
  EXPECT_NEAR(integral(d.x, d.prior), 0.98, 0.03);
  EXPECT_NEAR(d.posterior.front(), 1, 0.15) << "the density at the bound does not fall to a half";
}

TEST(DensityCurves, NothingToDraw) {
  EXPECT_TRUE(density_curves({}, {}).x.empty());
  EXPECT_TRUE(density_curves(std::vector{1.0, 1.0, 1.0}, {}).x.empty());
  EXPECT_TRUE(density_curves(std::vector{kNaN, kInf}, {}).x.empty());
  const DensityCurves d = density_curves(std::vector{1.0, 2.0, kNaN, 3.0}, {});
  EXPECT_FALSE(d.x.empty());
  EXPECT_TRUE(d.prior.empty());
}

}  // namespace
}  // namespace evident::report
