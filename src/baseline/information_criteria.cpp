#include "baseline/information_criteria.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "baseline/optimise.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/smc/sampler.hpp"

namespace evident {
namespace {

constexpr std::size_t kPriorDraws = 1000;

struct Spread {
  double mean = 0, sd = 0;
};

Spread spread(std::span<const double> x) {
  Spread s;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) s.mean += v / n;
  for (const double v : x) s.sd += (v - s.mean) * (v - s.mean) / n;
  s.sd = std::sqrt(s.sd);
  return s;
}

/// Wide around the prior; the first steps are as long as the posterior is wide.
SearchBox search_box(const Model& model, const Population& posterior, double sds, const Streams& streams) {
  Population prior(model, kPriorDraws);
  model.has_initial() ? model.draw_initial(streams, 0, prior.theta) : model.draw_prior(streams, 0, prior.theta);
  model.parameters().unconstrain(prior.theta, prior.z);
  SearchBox box;
  for (std::size_t j = 0; j < prior.z.rows(); ++j) {
    const Spread wide = spread(prior.z.row(j)), narrow = spread(posterior.z.row(j));
    const double reach = std::max(sds * wide.sd, 1e-3 * std::max(1.0, std::abs(wide.mean)));
    box.lower.push_back(wide.mean - reach);
    box.upper.push_back(wide.mean + reach);
    box.step.push_back(std::clamp(narrow.sd, 1e-4 * reach, 0.1 * reach));
  }
  return box;
}

std::vector<double> column(const BlockStorage& rows, std::size_t i) {
  std::vector<double> out;
  for (std::size_t j = 0; j < rows.rows(); ++j) out.push_back(rows(j, i));
  return out;
}

/// The particles with the largest likelihoods, each value once: copies of one particle are one start.
std::vector<std::size_t> best_particles(const Population& x, std::size_t count) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return x.log_likelihood[a] > x.log_likelihood[b]; });
  order.erase(std::unique(order.begin(), order.end(),
                          [&](std::size_t a, std::size_t b) { return x.log_likelihood[a] == x.log_likelihood[b]; }),
              order.end());
  order.resize(std::min(order.size(), count));
  return order;
}

/// A maximum inside the box is preferred to a larger value at its edge, which is no maximum.
bool better(const Climb& a, const Climb& b) { return a.at_box != b.at_box ? b.at_box : a.value > b.value; }

Climb polish(const Model& model, const InformationCriteriaOptions& options, const Context& context,
             const Population& found, EvaluationCount& count) {
  const TemperedTarget target(model, 1.0, count);
  const SearchBox box = search_box(model, found, options.box_sds, context.streams.part(2));
  const std::vector<std::size_t> starts = best_particles(found, std::max<std::size_t>(options.starts, 1));
  std::vector<Climb> ends(starts.size());
  context.executor.for_each(starts.size(), [&](std::size_t s) {
    ends[s] = largest_likelihood(target, column(found.z, starts[s]), box, options.max_evaluations, context);
  });
  return *std::min_element(ends.begin(), ends.end(), better);
}

}  // namespace

InformationCriteriaRun information_criteria(const Model& model, const InformationCriteriaOptions& options,
                                            const Context& context) {
  if (!(options.box_sds > 0)) throw InputError("box_sds must be above 0");
  const std::size_t observations = model.observation_count();
  if (observations == 0)
    throw InputError("BIC needs the number of observations, and this model does not tell it (observation_count)");
  Run search = direct_evidence(model, options.search, {context.streams.part(1), context.executor, context.stop});
  EvaluationCount count;
  const Climb best = polish(model, options, context, search.particles, count);

  const ParameterSpace& space = model.parameters();
  BlockStorage z(space.free_size(), 1), theta(space.size(), 1);
  AlignedVector<double> log_jacobian(1);
  for (std::size_t j = 0; j < best.x.size(); ++j) z(j, 0) = best.x[j];
  space.constrain(z, theta, log_jacobian);
  const auto d = static_cast<double>(space.free_size());
  InformationCriteriaRun run{.log_likelihood = best.value,
                             .theta = column(theta, 0),
                             .bic_log_evidence = best.value - 0.5 * d * std::log(observations),
                             .aic = best.value - d,
                             .converged = best.converged && !best.at_box,
                             .at_box = best.at_box,
                             .evaluations = count.total + search.trace.evaluations,
                             .nan_evaluations = count.nan + search.trace.nan_evaluations,
                             .draws = std::move(search.particles)};
  if (best.at_box)
    run.warnings.emplace_back(
        "the likelihood still grew at the bounds of the search: it has no maximum there, or is flat, and BIC means "
        "little");
  else if (!best.converged)
    run.warnings.emplace_back(
        "the search for the largest likelihood ended before it converged: allow more evaluations");
  return run;
}

}  // namespace evident
