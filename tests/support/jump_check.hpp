// Checks that hold for every jump: the way back leads back, the Jacobian is that of the map, choices come as often as
// they are said to, and jumps among draws from the prior leave the prior of the models as it is.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "evident/base/log_math.hpp"
#include "evident/model/family.hpp"

namespace evident::testing_support {

struct Landed {
  std::vector<double> theta, u;
  JumpImage image;
};

/// One particle's draw from the prior of model k.
inline std::vector<double> prior_draw(const Model& model, const Streams& streams, std::uint32_t particle) {
  BlockStorage block(model.parameters().size(), 1);
  model.draw_prior(streams, particle, block);
  std::vector<double> theta(block.rows());
  for (std::size_t row = 0; row < theta.size(); ++row) theta[row] = block(row, 0);
  return theta;
}

inline BlockStorage as_block(std::span<const double> x) {
  BlockStorage block(x.size(), 1);
  for (std::size_t row = 0; row < x.size(); ++row) block(row, 0) = x[row];
  return block;
}

inline double log_prior(const Model& model, std::span<const double> theta) {
  double out = 0;
  model.log_prior(as_block(theta), std::span(&out, 1));
  return out;
}

inline std::optional<Landed> land(const ModelFamily& family, const Jump& jump, ModelIndex from,
                                  const JumpChoice& choice, std::span<const double> theta, std::span<const double> u) {
  Landed to;
  to.theta.resize(family.model(choice.to).parameters().size());
  to.u.resize(jump.auxiliaries(choice.to, from));
  const auto image = jump.map(from, choice, theta, u, to.theta, to.u);
  if (!image) return std::nullopt;
  to.image = *image;
  return to;
}

inline void expect_close(std::span<const double> a, std::span<const double> b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], tolerance * (1 + std::abs(b[j]))) << "entry " << j;
}

/// The map and its way back.
inline void expect_round_trip(const ModelFamily& family, const Jump& jump, ModelIndex from, const JumpChoice& choice,
                              std::span<const double> theta, std::span<const double> u, const Landed& to) {
  const auto again = land(family, jump, choice.to, to.image.back, to.theta, to.u);
  ASSERT_TRUE(again);
  EXPECT_EQ(to.image.back.to, from);
  EXPECT_EQ(again->image.back, choice);
  expect_close(again->theta, theta, 1e-12);
  expect_close(again->u, u, 1e-12);
  EXPECT_NEAR(again->image.log_jacobian, -to.image.log_jacobian, 1e-10 * (1 + std::abs(to.image.log_jacobian)));
}

/// theta and log |dtheta/dz|.
inline std::pair<std::vector<double>, double> constrained(const Model& model, std::span<const double> z) {
  BlockStorage theta(model.parameters().size(), 1);
  double log_jacobian = 0;
  model.parameters().constrain(as_block(z), theta, std::span(&log_jacobian, 1));
  std::vector<double> out(theta.rows());
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = theta(row, 0);
  return {out, log_jacobian};
}

inline std::vector<double> unconstrained(const Model& model, std::span<const double> theta) {
  BlockStorage z(model.parameters().free_size(), 1);
  model.parameters().unconstrain(as_block(theta), z);
  std::vector<double> out(z.rows());
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = z(row, 0);
  return out;
}

/// log |d(theta', u') / d(theta, u)| from differences of z, twice as fine and extrapolated. Nothing when a step leads
/// where there is no way back.
inline std::optional<double> numerical_log_jacobian(const ModelFamily& family, const Jump& jump, ModelIndex from,
                                                    const JumpChoice& choice, std::span<const double> theta,
                                                    std::span<const double> u) {
  const Model &here = family.model(from), &there = family.model(choice.to);
  std::vector<double> x = unconstrained(here, theta);
  const std::size_t free = x.size();
  x.insert(x.end(), u.begin(), u.end());
  const auto image = [&](const std::vector<double>& at) -> std::optional<std::vector<double>> {
    const auto from_theta = constrained(here, std::span(at).first(free)).first;
    const auto to = land(family, jump, from, choice, from_theta, std::span(at).subspan(free));
    if (!to) return std::nullopt;
    auto out = unconstrained(there, to->theta);
    out.insert(out.end(), to->u.begin(), to->u.end());
    return out;
  };
  const auto n = static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd slopes(n, n);
  for (std::size_t c = 0; c < x.size(); ++c) {
    const double near = c < free ? 1.0 : std::min(std::abs(x[c]), std::abs(x[c]) < 1 ? 1 - std::abs(x[c]) : 1.0);
    const double h = 1e-3 * near;
    std::vector<std::vector<double>> values;
    for (const double step : {h, -h, h / 2, -h / 2}) {
      auto moved = x;
      moved[c] += step;
      auto value = image(moved);
      if (!value || value->size() != x.size()) return std::nullopt;
      values.push_back(*value);
    }
    for (Eigen::Index r = 0; r < n; ++r) {
      const auto row = static_cast<std::size_t>(r);
      const double coarse = (values[0][row] - values[1][row]) / (2 * h), fine = (values[2][row] - values[3][row]) / h;
      slopes(r, static_cast<Eigen::Index>(c)) = (4 * fine - coarse) / 3;
    }
  }
  const auto to = land(family, jump, from, choice, theta, u);
  const double log_here = constrained(here, unconstrained(here, theta)).second;
  const double log_there = constrained(there, unconstrained(there, to->theta)).second;
  return std::log(std::abs(Eigen::FullPivLU<Eigen::MatrixXd>(slopes).determinant())) - log_here + log_there;
}

/// Round trips and Jacobians from several draws of the prior of model k; returns how many were checked.
inline std::size_t expect_bijection(const ModelFamily& family, const Jump& jump, ModelIndex k, std::uint32_t tries,
                                    std::uint64_t seed) {
  const Streams streams({.seed = seed});
  std::size_t checked = 0;
  for (std::uint32_t i = 0; i < tries && !::testing::Test::HasFatalFailure(); ++i) {
    Stream random = streams.at({.particle = i, .purpose = Purpose::jump});
    const auto theta = prior_draw(family.model(k), streams, i);
    const auto choice = jump.choose(family.prior(), k, theta, random);
    if (!choice) continue;
    std::vector<double> u(jump.auxiliaries(k, choice->to));
    jump.draw_auxiliaries(k, *choice, theta, random, u);
    EXPECT_TRUE(std::isfinite(jump.log_auxiliary(k, *choice, theta, u)));
    EXPECT_TRUE(std::isfinite(jump.log_choice(family.prior(), k, theta, *choice)));
    const auto to = land(family, jump, k, *choice, theta, u);
    if (!to) continue;
    SCOPED_TRACE("from model " + std::to_string(k) + " to " + std::to_string(choice->to) + ", variant " +
                 std::to_string(choice->variant) + ", particle " + std::to_string(i));
    EXPECT_TRUE(std::isfinite(jump.log_choice(family.prior(), choice->to, to->theta, to->image.back)));
    EXPECT_TRUE(std::isfinite(jump.log_auxiliary(choice->to, to->image.back, to->theta, to->u)));
    expect_round_trip(family, jump, k, *choice, theta, u, *to);
    const auto numerical = numerical_log_jacobian(family, jump, k, *choice, theta, u);
    if (!numerical) continue;
    EXPECT_NEAR(to->image.log_jacobian, *numerical, 1e-6);
    ++checked;
  }
  return checked;
}

/// How often each choice comes, against log_choice; all choices that came must have probability 1 together.
inline void expect_choices_as_said(const ModelFamily& family, const Jump& jump, const ModelPrior& models, ModelIndex k,
                                   std::uint64_t seed, double reached = 1) {
  const Streams streams({.seed = seed});
  Stream random = streams.at({.purpose = Purpose::jump});
  const auto theta = prior_draw(family.model(k), streams, 0);
  std::map<std::pair<ModelIndex, std::uint64_t>, std::size_t> seen;
  constexpr std::size_t kDraws = 20000;
  for (std::size_t i = 0; i < kDraws; ++i)
    if (const auto choice = jump.choose(models, k, theta, random)) ++seen[{choice->to, choice->variant}];
  double total = 0;
  for (const auto& [choice, count] : seen) {
    const double p = std::exp(jump.log_choice(models, k, theta, {choice.first, choice.second}));
    const double expected = p * kDraws;
    EXPECT_NEAR(static_cast<double>(count), expected, 5 * std::sqrt(expected * (1 - p)) + 1e-9)
        << "to " << choice.first << ", variant " << choice.second;
    total += p;
  }
  EXPECT_NEAR(total, reached, 1e-12);
}

/// log of the acceptance ratio with no likelihood and without p(k), and where it leads.
struct PriorProposal {
  JumpChoice choice;
  Landed to;
  double log_ratio;
};

inline std::optional<PriorProposal> propose_under_prior(const ModelFamily& family, const Jump& jump, ModelIndex k,
                                                        std::span<const double> theta, Stream& random) {
  const auto choice = jump.choose(family.prior(), k, theta, random);
  if (!choice) return std::nullopt;
  std::vector<double> u(jump.auxiliaries(k, choice->to));
  jump.draw_auxiliaries(k, *choice, theta, random, u);
  auto to = land(family, jump, k, *choice, theta, u);
  if (!to) return std::nullopt;
  const double log_ratio = log_prior(family.model(choice->to), to->theta) - log_prior(family.model(k), theta) +
                           jump.log_choice(family.prior(), choice->to, to->theta, to->image.back) -
                           jump.log_choice(family.prior(), k, theta, *choice) +
                           jump.log_auxiliary(choice->to, to->image.back, to->theta, to->u) -
                           jump.log_auxiliary(k, *choice, theta, u) + to->image.log_jacobian;
  return PriorProposal{*choice, std::move(*to), log_ratio};
}

/// A chain that draws theta afresh from its prior before each jump has the prior of the models as its law: visits are
/// compared with it, and errors come from the means of 50 batches.
inline void expect_prior_of_models(const ModelFamily& family, const Jump& jump, ModelIndex start, std::size_t steps,
                                   std::uint64_t seed) {
  const Streams streams({.seed = seed});
  constexpr std::size_t kBatches = 50;
  std::map<ModelIndex, std::vector<double>> visits;
  ModelIndex k = start;
  std::size_t moved = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    Stream random = streams.at({.particle = static_cast<std::uint32_t>(i), .purpose = Purpose::jump});
    const auto theta = prior_draw(family.model(k), streams, static_cast<std::uint32_t>(i));
    if (const auto p = propose_under_prior(family, jump, k, theta, random)) {
      const double odds = family.prior().log_probability(p->choice.to) - family.prior().log_probability(k);
      if (std::log(random.uniform()) < p->log_ratio + odds) {
        k = p->choice.to;
        ++moved;
      }
    }
    auto& batches = visits[k];
    batches.resize(kBatches, 0.0);
    batches[i * kBatches / steps] += static_cast<double>(kBatches) / static_cast<double>(steps);
  }
  EXPECT_GT(moved, steps / 50) << "the chain hardly moves";
  for (const auto& [model, batches] : visits) {
    double mean = 0, square = 0;
    for (const double b : batches) mean += b / kBatches;
    for (const double b : batches) square += (b - mean) * (b - mean);
    const double error = std::sqrt(square / (kBatches * (kBatches - 1.0)));
    EXPECT_NEAR(mean, std::exp(family.prior().log_probability(model)), 4.5 * error + 1e-4) << "model " << model;
  }
}

}  // namespace evident::testing_support
