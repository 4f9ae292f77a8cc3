#include "baseline/harmonic_mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "baseline/cut_normal.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr std::size_t kManyChains = 8, kPieces = 10;

struct InverseMean {
  Estimate log_evidence = {};
  double effective = 0;
};

/// Minus the log of the mean of exp(terms), with an error from batch means. Draws of one chain are correlated, those of
/// two are not: a batch is a chain, or with few chains a piece of one.
InverseMean inverse_mean(const std::vector<double>& terms, const PosteriorChainRun& run) {
  const double log_mean = log_mean_exp(terms);
  if (log_mean == -kInf) return {};
  const std::size_t pieces = run.chains >= kManyChains ? 1 : std::min(kPieces, run.iterations);
  std::vector<double> sum(run.chains * pieces, 0.0), count(run.chains * pieces, 0.0);
  double total = 0, squares = 0;
  for (std::size_t t = 0; t < run.iterations; ++t)
    for (std::size_t c = 0; c < run.chains; ++c) {
      const double ratio = std::exp(terms[t * run.chains + c] - log_mean);
      const std::size_t batch = c * pieces + t * pieces / run.iterations;
      sum[batch] += ratio;
      count[batch] += 1;
      total += ratio;
      squares += ratio * ratio;
    }
  double spread = 0;
  for (std::size_t b = 0; b < sum.size(); ++b) spread += std::pow(sum[b] / count[b] - 1, 2);
  const auto n = static_cast<double>(sum.size());
  return {{-log_mean, n > 1 ? std::sqrt(spread / (n - 1) / n) : kNaN}, total * total / squares};
}

struct CutTerms {
  std::vector<double> terms;  ///< log f - log prior - log likelihood of every draw
  double overlap = 1;         ///< the smaller one of the two fits
  double standard_error = 0;  ///< what the overlaps add to that of the mean
};

/// f is fitted to the half of the chains that the draw is not in.
CutTerms gelfand_dey_terms(const PosteriorChainRun& run, double coverage, const TemperedTarget& target,
                           const Context& context) {
  const Population& x = run.draws;
  std::vector<std::size_t> halves[2];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = i % run.chains, t = i / run.chains;
    const bool second = run.chains > 1 ? c >= run.chains / 2 : t >= run.iterations / 2;
    halves[second ? 1 : 0].push_back(i);
  }
  CutTerms out{.terms = std::vector<double>(x.size())};
  for (const std::size_t h : {0, 1}) {
    const Context own{context.streams.part(2 + h), context.executor, context.stop};
    const CutNormal f(x, halves[1 - h], coverage, target, own);
    for (const std::size_t i : halves[h]) out.terms[i] = f.log_density(x, i) - x.log_prior[i] - x.log_likelihood[i];
    out.overlap = std::min(out.overlap, f.overlap());
    out.standard_error = std::hypot(out.standard_error, 0.5 * f.overlap_error());
  }
  return out;
}

std::string percent(double share) { return fmt::format("{:.2g}%", 100 * share); }

void warn(HarmonicMeanRun& run, double coverage, std::size_t draws) {
  run.warnings.emplace_back("the harmonic mean: its variance may be infinite");
  const std::string unlike = ": the posterior is not like one normal";
  if (run.overlap == 0)
    run.warnings.push_back("Gelfand and Dey: nothing of the fitted normal lies where the posterior is high" + unlike +
                           ", and there is no estimate");
  else if (run.inside < 0.5 * coverage)
    run.warnings.push_back("Gelfand and Dey: only " + percent(run.inside) +
                           " of the draws lie in the region that is used" + unlike);
  else if (run.overlap < 0.2)  // of a normal posterior it is nearly all
    run.warnings.push_back("Gelfand and Dey: only " + percent(run.overlap) +
                           " of the fitted normal lies where the posterior is high" + unlike);
  else if (run.effective < 0.05 * static_cast<double>(draws))
    run.warnings.push_back("Gelfand and Dey: the mean rests on " + std::to_string(std::lround(run.effective)) + " of " +
                           std::to_string(draws) + " draws" + unlike);
}

}  // namespace

HarmonicMeanRun harmonic_mean(const Model& model, const PosteriorChainOptions& options, const Context& context,
                              double coverage) {
  if (!(coverage > 0 && coverage < 1)) throw InputError("coverage must lie between 0 and 1");
  if (options.chains * options.iterations < 2 * (model.parameters().free_size() + 1))
    throw InputError("Gelfand and Dey's method needs more draws than that: iterations or chains are too few");
  PosteriorChainRun chains = posterior_chain(model, options, context);

  std::vector<double> terms(chains.draws.size());
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = -chains.draws.log_likelihood[i];
  const InverseMean harmonic = inverse_mean(terms, chains);
  EvaluationCount count;
  CutTerms region = gelfand_dey_terms(chains, coverage, TemperedTarget(model, 1.0, count), context);
  terms = std::move(region.terms);
  const InverseMean cut = inverse_mean(terms, chains);
  const auto inside = std::count_if(terms.begin(), terms.end(), [](double v) { return v > -kInf; });

  HarmonicMeanRun run{.harmonic_mean = harmonic.log_evidence,
                      .gelfand_dey = {region.overlap > 0 ? cut.log_evidence.value : kNaN,
                                      std::hypot(cut.log_evidence.standard_error, region.standard_error)},
                      .inside = static_cast<double>(inside) / static_cast<double>(terms.size()),
                      .overlap = region.overlap,
                      .effective = cut.effective,
                      .effective_harmonic = harmonic.effective,
                      .draws = std::move(chains.draws),
                      .evaluations = chains.evaluations + count.total,
                      .nan_evaluations = chains.nan_evaluations + count.nan};
  warn(run, coverage, terms.size());
  return run;
}

}  // namespace evident
