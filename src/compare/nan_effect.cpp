#include "compare/nan_effect.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "evident/base/error.hpp"
#include "judge/thresholds.hpp"
#include "model/explains_nan.hpp"
#include "path/place.hpp"
#include "proposal/continuation.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kNanTag = 0x6e616e;  // streams that nothing else in the run uses
constexpr std::size_t kShaping = 2000, kAround = 2000, kFromPrior = 1000;
constexpr double kWideShare = 0.5, kWideDf = 5;  // of the draws around the posterior, to reach beyond it
constexpr double kNoneOf = 3;  // of n draws none is NaN: their share is below kNoneOf / n in 95 of 100 cases

/// Points with what is known of them; log_likelihood is NaN where the model says so.
struct Points {
  BlockStorage z;
  std::vector<double> log_prior, log_likelihood, weights;
  std::size_t size() const { return log_likelihood.size(); }
};

bool is_finite(const BlockStorage& z, std::size_t i) {
  for (std::size_t j = 0; j < z.rows(); ++j)
    if (!std::isfinite(z(j, i))) return false;
  return true;
}

/// Draws of all runs, each with the same part: a few thousand of them.
Points particles_of(const Model& model, std::span<const runs::Finished> runs) {
  std::size_t all = 0;
  for (const runs::Finished& f : runs) all += f.draws.weights.size();
  const std::size_t every = std::max<std::size_t>(1, (all + kShaping - 1) / kShaping);
  const ParameterSpace& space = model.parameters();
  Points out{BlockStorage(space.free_size(), all / every + runs.size()), {}, {}, {}};
  for (const runs::Finished& f : runs) {
    if (f.draws.weights.empty()) continue;
    BlockStorage z(space.free_size(), f.draws.weights.size());
    space.unconstrain(f.draws.values.block().some_rows(0, space.size()), z);
    for (std::size_t i = 0; i < f.draws.weights.size(); i += every) {
      if (!(f.draws.weights[i] > 0) || !std::isfinite(f.draws.log_likelihood[i]) || !is_finite(z, i)) continue;
      for (std::size_t j = 0; j < z.rows(); ++j) out.z(j, out.size()) = z(j, i);
      out.log_likelihood.push_back(f.draws.log_likelihood[i]);
      out.weights.push_back(f.draws.weights[i] * static_cast<double>(f.draws.weights.size()));
    }
  }
  return out;
}

ConstBlock used(const Points& p) { return p.z.block().columns(0, p.size()); }

/// Prior density, and log likelihood where that is positive, of all columns of z.
void evaluate_points(const Model& model, Points& p, std::size_t count, const Context& context) {
  p.log_prior.assign(count, -kInf);
  p.log_likelihood.assign(count, -kInf);
  context.executor.for_each(block_count(count), [&](std::size_t b) {
    const std::size_t first = b * kBlockSize, n = std::min(kBlockSize, count - first);
    EvaluationCount ignored;
    const TemperedTarget target(model, 1.0, ignored);
    BlockStorage theta(model.parameters().size(), n), inside(theta);
    AlignedVector<double> log_jacobian(n), log_prior(n), log_likelihood(n);
    target.prior(p.z.block().columns(first, n), theta, log_prior, log_jacobian);
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(log_prior[i] > -kInf)) continue;
      for (std::size_t j = 0; j < theta.rows(); ++j) inside(j, which.size()) = theta(j, i);
      which.push_back(i);
    }
    if (!which.empty())
      model.log_likelihood(inside.block().columns(0, which.size()), {log_likelihood.data(), which.size()});
    for (std::size_t k = 0; k < which.size(); ++k) {
      p.log_prior[first + which[k]] = log_prior[which[k]];
      p.log_likelihood[first + which[k]] = log_likelihood[k];
    }
  });
}

double nan_share(std::span<const double> x) {
  return static_cast<double>(std::ranges::count_if(x, [](double l) { return std::isnan(l); })) /
         static_cast<double>(x.size());
}

/// It must not follow the edges of what is NaN: no bent marginals, and half of the draws from a component that reaches
/// beyond. In many coordinates a wide one would hardly meet the posterior.
FittedMixture density_around(const Points& particles, const Context& context) {
  const double inflation = 1 + 3 / std::sqrt(static_cast<double>(particles.z.rows()));
  return fit_mixture(used(particles), particles.weights, {.bend = false}, context.streams.part(0), context.executor)
      .widened(kWideShare, used(particles), inflation, kWideDf);
}

/// Fresh draws: the first kAround around the posterior, kFromPrior from the prior.
Points fresh_draws(const Model& model, const FittedMixture& around, const Context& context) {
  const ParameterSpace& space = model.parameters();
  Points out{BlockStorage(space.free_size(), kAround + kFromPrior), {}, {}, {}};
  around.draw(context.streams.part(1), {.purpose = Purpose::proposal}, out.z.block().columns(0, kAround));
  BlockStorage theta(space.size(), kFromPrior), z(space.free_size(), kFromPrior);
  model.draw_prior(context.streams.part(2), 0, theta);
  space.unconstrain(theta, z);
  for (std::size_t j = 0; j < z.rows(); ++j) std::ranges::copy(z.row(j), out.z.row(j).begin() + kAround);
  evaluate_points(model, out, kAround + kFromPrior, context);
  return out;
}

/// Logarithm of the density that the fresh draws have together.
std::vector<double> log_density_of_draws(const FittedMixture& around, const Points& fresh) {
  AlignedVector<double> log_q(fresh.size());
  around.log_density(used(fresh), log_q);
  const double n = kAround + kFromPrior;
  std::vector<double> out;
  for (std::size_t i = 0; i < fresh.size(); ++i)
    out.push_back(log_add_exp(log_q[i] + std::log(kAround / n), fresh.log_prior[i] + std::log(kFromPrior / n)));
  return out;
}

/// Where the likelihood is known, possible or not: of the particles, with their weights, and of the fresh draws.
Points known_points(const Points& particles, const Points& fresh) {
  Points out{BlockStorage(fresh.z.rows(), particles.size() + fresh.size()), {}, {}, {}};
  const auto add = [&](const Points& from, std::size_t i, double weight) {
    for (std::size_t j = 0; j < out.z.rows(); ++j) out.z(j, out.size()) = from.z(j, i);
    out.log_likelihood.push_back(from.log_likelihood[i]);
    out.weights.push_back(weight);
  };
  for (std::size_t i = 0; i < particles.size(); ++i) add(particles, i, particles.weights[i]);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const bool is_known = !std::isnan(fresh.log_likelihood[i]) && fresh.log_prior[i] > -kInf;
    if (is_known && is_finite(fresh.z, i)) add(fresh, i, 0);
  }
  return out;
}

/// Z_hidden / Z_known, with three standard errors.
double hidden_mass(const Points& particles, const FittedMixture& around, const Points& fresh, double log_evidence) {
  const Points known = known_points(particles, fresh);
  const Continuation continued(used(known), known.weights, known.log_likelihood);
  const std::vector<double> log_q = log_density_of_draws(around, fresh);
  const auto n = static_cast<double>(fresh.size());
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (!std::isnan(fresh.log_likelihood[i]) || !std::isfinite(log_q[i])) continue;
    const double log_l = continued.most_at(fresh.z, i);
    const double w = std::exp(fresh.log_prior[i] + log_l - log_evidence - log_q[i]) / n;
    sum += w;
    squares += w * w;
  }
  return std::max(sum + threshold("errors") * std::sqrt(squares), kNoneOf / kAround);
}

/// Of all the runs, a few that depend on nothing else.
std::vector<NanPlace> places_of(const Model& model, std::span<const Trace* const> traces) {
  NanPoints all;
  for (const Trace* t : traces) all.note(t->nan_points);
  const auto* explains = dynamic_cast<const ExplainsNan*>(&model);
  std::vector<NanPlace> out;
  for (std::vector<double>& at : all.kept()) {
    std::string why = explains == nullptr ? "" : explains->why_nan(at);
    out.push_back({std::move(at), std::move(why)});
  }
  return out;
}

}  // namespace

std::optional<FoundNan> find_nan(const Model& model, std::span<const Trace* const> traces,
                                 std::span<const runs::Finished> finished, double log_evidence, const Context& given) {
  FoundNan out;
  for (const Trace* t : traces) out.met += t->nan_evaluations, out.evaluations += t->evaluations;
  if (out.met == 0) return std::nullopt;
  out.places = places_of(model, traces);
  const Points particles = particles_of(model, finished);
  if (particles.size() == 0 || particles.z.rows() == 0 || !std::isfinite(log_evidence)) return out;
  const Context context{given.streams.part(kNanTag), given.executor, given.stop};
  try {
    const FittedMixture around = density_around(particles, context);
    const Points fresh = fresh_draws(model, around, context);
    out.fresh_evaluations = fresh.size();
    out.of_posterior = nan_share(std::span(fresh.log_likelihood).first(kAround));
    out.of_prior = nan_share(std::span(fresh.log_likelihood).subspan(kAround));
    out.too_low = std::log1p(hidden_mass(particles, around, fresh, log_evidence));
  } catch (const FatalError&) {
    throw;
  } catch (const Error&) {  // particles that cannot carry a fit: it stays unknown
  }
  return out;
}

NanNumbers nan_numbers(const Model& model, const FoundNan& found) {
  NanNumbers out{.met = found.met,
                 .evaluations = found.evaluations,
                 .of_prior = found.of_prior,
                 .of_posterior = found.of_posterior,
                 .too_low = found.too_low};
  if (found.places.empty()) return out;
  // One that the model can explain says more.
  const auto told = std::ranges::find_if(found.places, [](const NanPlace& p) { return !p.why.empty(); });
  const NanPlace& shown = told == found.places.end() ? found.places.front() : *told;
  out.place = nan_text(model, shown.at);
  return out;
}

}  // namespace evident
