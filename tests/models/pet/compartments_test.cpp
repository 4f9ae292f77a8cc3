#include "models/pet/compartments.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "models/pet/reference.hpp"
#include "models/pet/simulate.hpp"
#include "models/pet/study_data.hpp"
#include "problems/registry.hpp"

namespace evident {
namespace {

PetStudy small_study() { return simulate_pet({}, Streams({.seed = 3})); }

PetCompartments make(const PetOptions& options) {
  const PetStudy study = small_study();
  return {options, study.input(), study.frames, study.activity};
}

TEST(PetCompartments, NamesGroupsAndPriors) {
  const PetCompartments model = make(zhou2013_i(2));
  EXPECT_EQ(model.parameters().names(),
            (std::vector<std::string>{"phi1", "phi2", "theta1", "theta2", "lambda", "inverse_nu"}));
  EXPECT_EQ(model.groups(), (std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}, {4}, {5}}));
  EXPECT_NE(model.parameters().prior_text(3).find("theta1"), std::string::npos);

  PetOptions marginal = zhou2013_n(3);
  marginal.marginal_precision = true;
  EXPECT_EQ(make(marginal).parameters().size(), 6u);
  EXPECT_EQ(make(marginal).groups(), (std::vector<std::vector<std::size_t>>{{0, 1, 2}, {3, 4, 5}}));
}

TEST(PetCompartments, LogPriorIsTheFormula) {
  const PetCompartments model = make(zhou2013_n(2));
  BlockStorage theta(5, 3);
  const double inside[] = {4e-3, 2e-3, 5e-4, 1e-2, 0.1};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 5; ++j) theta(j, i) = inside[j];
  theta(3, 1) = 4e-4;  // out of order
  theta(0, 2) = 2e-2;  // out of bounds
  std::vector<double> out(3);
  model.log_prior(theta.block(), out);
  const double lambda = std::log(boost::math::pdf(boost::math::gamma_distribution<>(0.1, 10), 0.1));
  const double expected =
      -std::log(1e-2 - 1e-3) - std::log(0.1 - 1e-5) - std::log(1e-3 - 1e-4) - std::log(0.1 - 5e-4) + lambda;
  EXPECT_NEAR(out[0], expected, 1e-12);
  EXPECT_EQ(out[1], -kInf);
  EXPECT_EQ(out[2], -kInf);
}

TEST(PetCompartments, FramesAddUpToTheWhole) {
  PetOptions marginal = zhou2013_n(2);
  marginal.marginal_precision = true;
  EXPECT_FALSE(make(marginal).has_sequence());
  for (const PetOptions& options : {zhou2013_n(2), zhou2013_i(3)}) {
    const PetCompartments model = make(options);
    const std::size_t frames = model.observation_count();
    EXPECT_EQ(frames, model.table()->size());
    BlockStorage theta(model.parameters().size(), 50);
    model.draw_prior(Streams({.seed = 8}), 0, theta);
    std::vector<double> whole(50), part(50), sum(50, 0.0);
    model.log_likelihood(theta, whole);
    for (std::size_t first = 0; first < frames; first += 5) {
      model.log_likelihood_of(theta, first, std::min<std::size_t>(5, frames - first), part);
      for (std::size_t i = 0; i < 50; ++i) sum[i] += part[i];
    }
    for (std::size_t i = 0; i < 50; ++i) EXPECT_NEAR(sum[i], whole[i], 1e-6 * std::max(1.0, std::abs(whole[i]))) << i;
  }
}

TEST(PetCompartments, RaisedLowerBounds) {
  // theta2 ~ U(max(theta1, 4e-4), 1e-2) while theta1 ~ U(1e-4, 1e-3); theta3 lies above both.
  PetOptions options = zhou2013_n(3);
  options.theta = {{1e-4, 1e-3}, {4e-4, 1e-2}, {2e-2, 1e-1}};
  const PetCompartments model = make(options);
  constexpr std::size_t n = 20000;
  BlockStorage theta(7, n);
  model.draw_prior(Streams({.seed = 4}), 0, theta);
  std::vector<double> lp(n);
  model.log_prior(theta.block(), lp);
  double place = 0, square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double lower = std::max(theta(3, i), 4e-4);
    ASSERT_GE(theta(4, i), lower);
    ASSERT_LE(theta(4, i), 1e-2);
    ASSERT_GE(theta(5, i), 2e-2);
    const double u = (theta(4, i) - lower) / (1e-2 - lower);
    place += u / n;
    square += u * u / n;
    double rest = 0;
    for (const std::size_t j : {0, 1, 2}) rest -= std::log(options.phi_bounds(j).upper - options.phi_bounds(j).lower);
    const double lambda = std::log(boost::math::pdf(boost::math::gamma_distribution<>(0.1, 10), theta(6, i)));
    const double expected = rest - std::log(9e-4) - std::log(1e-2 - lower) - std::log(8e-2) + lambda;
    ASSERT_NEAR(lp[i], expected, 1e-9 * std::abs(expected));
  }
  EXPECT_NEAR(place, 0.5, 4 * std::sqrt(1 / (12.0 * n)));
  EXPECT_NEAR(square, 1.0 / 3, 4 * std::sqrt(4 / (45.0 * n)));
  theta(3, 0) = 2e-4;
  theta(4, 0) = 3e-4;  // above theta1 but below its own bound
  model.log_prior(theta.block(), lp);
  EXPECT_EQ(lp[0], -kInf);
}

TEST(PetCompartments, MarginalIsTheIntegralOverLambda) {
  const PetStudy study = small_study();
  PetOptions options = zhou2013_n(1);
  options.precision_shape = 2;
  options.precision_scale = 0.2;
  const boost::math::gamma_distribution<> prior(2, 0.2);
  const std::vector<double> fixed = {5e-3, 5e-4};
  const auto log_joint = [&](double lambda) {
    return pet_log_likelihood_exact(options, study.input(), study.frames, study.activity,
                                    std::vector<double>{fixed[0], fixed[1], lambda}) +
           std::log(boost::math::pdf(prior, lambda));
  };
  options.marginal_precision = true;
  BlockStorage theta(2, 1);
  theta(0, 0) = fixed[0], theta(1, 0) = fixed[1];
  std::vector<double> out(1);
  PetCompartments(options, study.input(), study.frames, study.activity).log_likelihood(theta.block(), out);
  options.marginal_precision = false;
  double top = -kInf;
  for (double l = 1e-4; l < 10; l *= 1.1) top = std::max(top, log_joint(l));
  const double integral = boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
      [&](double z) { return std::exp(log_joint(std::exp(z)) - top + z); }, std::log(1e-8), std::log(100.0), 8, 1e-10);
  EXPECT_NEAR(out[0], top + std::log(integral), 1e-5);
}

TEST(PetCompartments, GibbsDrawsFromTheConditional) {
  const PetStudy study = small_study();
  PetOptions options = zhou2013_n(2);
  options.gibbs_precision = true;
  const PetCompartments model(options, study.input(), study.frames, study.activity);
  ASSERT_TRUE(model.has_own_move());
  EXPECT_EQ(model.groups().size(), 2u);
  constexpr std::size_t n = 5000;
  const double values[] = {4e-3, 2e-3, 5e-4, 1e-2, 0.1};
  for (const double alpha : {0.05, 1.0}) {
    BlockStorage theta(5, n);
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t i = 0; i < n; ++i) theta(j, i) = values[j];
    std::vector<double> lp(n), ll(n), before(n);
    model.log_likelihood(theta.block(), before);
    const Streams streams({.seed = 9});
    EXPECT_EQ(model.own_move(alpha, {theta, lp, ll}, {streams, 3, 0, 0}), n);
    // The residual sum from two values of the likelihood: 2 [ll(l) - ll(l')] = n log(l/l') - (l - l') S.
    const double residual = (32 * std::log(theta(4, 0) / 0.1) - 2 * (ll[0] - before[0])) / (theta(4, 0) - 0.1);
    const boost::math::gamma_distribution<> conditional(0.1 + alpha * 16, 1 / (0.1 + alpha * residual / 2));
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += boost::math::cdf(conditional, theta(4, i)) / n;
    EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(1 / (12.0 * n))) << alpha;
    std::vector<double> lp_true(n), ll_true(n);
    model.log_prior(theta.block(), lp_true);
    model.log_likelihood(theta.block(), ll_true);
    EXPECT_EQ(lp, lp_true);
    EXPECT_EQ(ll, ll_true);
  }
}

TEST(PetCompartments, GibbsDoesNotDependOnBlocks) {
  PetOptions options = zhou2013_n(1);
  options.gibbs_precision = true;
  const PetCompartments model = make(options);
  BlockStorage all(3, 100), part(3, 28);
  const Streams streams({.seed = 2});
  model.draw_prior(streams, 0, all);
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 28; ++i) part(j, i) = all(j, 72 + i);
  std::vector<double> lp(100), ll(100), lp2(28), ll2(28);
  model.own_move(0.3, {all, lp, ll}, {streams, 1, 0, 0});
  model.own_move(0.3, {part, lp2, ll2}, {streams, 1, 72, 0});
  for (std::size_t i = 0; i < 28; ++i) EXPECT_EQ(part(2, i), all(2, 72 + i));
}

TEST(PetCompartments, DerivedQuantities) {
  PetOptions options = zhou2013_i(2);
  const PetCompartments model = make(options);
  BlockStorage theta(6, 1), out(2, 1);
  const double values[] = {4e-3, 2e-3, 2e-3, 5e-3, 0.1, 0.2};
  for (std::size_t j = 0; j < 6; ++j) theta(j, 0) = values[j];
  model.derive(theta.block(), out);
  EXPECT_NEAR(out(0, 0), 4e-3 / (2e-3 - options.decay) + 2e-3 / (5e-3 - options.decay), 1e-12);
  EXPECT_NEAR(out(1, 0), 6e-3, 1e-15);
}

TEST(PetCompartments, RefusesBadOptions) {
  const PetStudy study = small_study();
  const auto refuse = [&](const PetOptions& options) {
    EXPECT_THROW(PetCompartments(options, study.input(), study.frames, study.activity), InputError);
  };
  PetOptions o = zhou2013_n(0);
  refuse(o);
  o = zhou2013_n(2), o.theta = {{1e-3, 1e-4}}, refuse(o);
  o = zhou2013_n(2), o.theta = {{1e-3, 1e-1}, {1e-3, 1e-2}}, refuse(o);
  o = zhou2013_n(2), o.phi.clear(), refuse(o);
  o = zhou2013_i(2), o.gibbs_precision = true, refuse(o);
  o = zhou2013_n(2), o.gibbs_precision = o.marginal_precision = true, refuse(o);
  o = zhou2013_n(2), o.precision_scale = 0, refuse(o);
  std::vector<double> short_curve(31, 1.0), broken(32, kNaN);
  EXPECT_THROW(PetCompartments(zhou2013_n(1), study.input(), study.frames, short_curve), InputError);
  EXPECT_THROW(PetCompartments(zhou2013_n(1), study.input(), study.frames, broken), InputError);
}

TEST(PetSimulation, FramesInputAndNoise) {
  const PetFrames frames = published_frames();
  ASSERT_EQ(frames.time.size(), 32u);
  EXPECT_EQ(frames.time.front(), 27.5);
  EXPECT_EQ(frames.time.back(), 5035);
  EXPECT_EQ(feng_activity(0), 0);
  const Streams streams({.seed = 12});
  // Standardised residuals of many curves have variance 1 (Normal), and curves repeat from their number.
  double sum = 0, square = 0;
  constexpr int curves = 300;
  for (std::uint32_t c = 0; c < curves; ++c) {
    const PetStudy s = simulate_pet({}, streams, c);
    for (std::size_t i = 0; i < 32; ++i) {
      const double r = (s.activity[i] - s.truth[i]) / std::sqrt(s.truth[i] / (0.1 * s.frames.dt[i]));
      sum += r;
      square += r * r;
    }
  }
  const double n = 32.0 * curves;
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 4 * std::sqrt(2 / n));
  EXPECT_EQ(simulate_pet({}, streams, 7).activity, simulate_pet({}, streams, 7).activity);
  EXPECT_NE(simulate_pet({}, streams, 7).activity, simulate_pet({}, streams, 8).activity);
}

TEST(PetPublished, EvidenceOfOneCompartmentByQuadrature) {
  const auto data = testing::published_pet();
  if (!data) GTEST_SKIP() << "needs the folder pet of the reference data: set EVIDENT_DATA";
  PetOptions options = zhou2013_n(1);
  options.marginal_precision = true;
  const PetCompartments model(options, PetInput(data->blood_time, data->blood_activity), data->frames, data->activity);
  // Mid-point rule over the prior's box; both priors are uniform, so the evidence is the mean of the likelihood.
  constexpr std::size_t n = 1500;
  BlockStorage theta(2, n);
  std::vector<double> row(n), rows(n);
  const PetBounds phi = options.phi_bounds(0), rate = options.theta_bounds(0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      theta(0, j) = phi.lower + (phi.upper - phi.lower) * (static_cast<double>(j) + 0.5) / n;
      theta(1, j) = rate.lower + (rate.upper - rate.lower) * (static_cast<double>(i) + 0.5) / n;
    }
    model.log_likelihood(theta.block(), row);
    rows[i] = log_mean_exp(row);
  }
  EXPECT_NEAR(log_mean_exp(rows), problems::known("PET, 1 compartment").log_evidence, 1e-3);
}

}  // namespace
}  // namespace evident
