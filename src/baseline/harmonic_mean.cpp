#include "evident/baseline/harmonic_mean.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <utility>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr std::size_t kManyChains = 8, kPieces = 10;

Vector point(const Population& x, std::size_t i) {
  Vector z(static_cast<Eigen::Index>(x.z.rows()));
  for (std::size_t j = 0; j < x.z.rows(); ++j) z[static_cast<Eigen::Index>(j)] = x.z(j, i);
  return z;
}

/// A normal density cut to the ellipsoid that holds `coverage` of it.
class CutNormal {
 public:
  /// Fitted to the columns listed.
  CutNormal(const Population& x, const std::vector<std::size_t>& columns, double coverage) {
    const auto d = static_cast<Eigen::Index>(x.z.rows());
    mean_ = Vector::Zero(d);
    Matrix covariance = Matrix::Zero(d, d);
    for (const std::size_t i : columns) mean_ += point(x, i) / static_cast<double>(columns.size());
    for (const std::size_t i : columns) {
      const Vector u = point(x, i) - mean_;
      covariance += u * u.transpose() / static_cast<double>(columns.size());
    }
    for (double ridge = 1e-12; ridge < 1; ridge *= 100) {  // a coordinate that hardly moved must not stop the run
      root_.compute(covariance);
      if (root_.info() == Eigen::Success && root_.matrixLLT().diagonal().minCoeff() > 0) break;
      covariance.diagonal() *= 1 + ridge;
      covariance.diagonal().array() += 1e-300;
    }
    const double half = 0.5 * static_cast<double>(d);
    longest_ = 2 * boost::math::gamma_p_inv(half, coverage);
    log_constant_ = -half * kLog2Pi - std::log(coverage);
    for (Eigen::Index j = 0; j < d; ++j) log_constant_ -= std::log(root_.matrixLLT()(j, j));
  }

  /// -inf outside the ellipsoid.
  double log_density(const Vector& z) const {
    const double length = root_.matrixL().solve(z - mean_).squaredNorm();
    return length <= longest_ ? log_constant_ - 0.5 * length : -kInf;
  }

 private:
  Vector mean_;
  Eigen::LLT<Matrix> root_;
  double longest_ = 0, log_constant_ = 0;
};

struct InverseMean {
  double log_evidence = 0, error = 0, effective = 0;
};

/// Minus the log of the mean of exp(terms), with an error from batch means. Draws of one chain are correlated, those of
/// two are not: a batch is a chain, or with few chains a piece of one.
InverseMean inverse_mean(const std::vector<double>& terms, const PosteriorChainRun& run) {
  const double log_mean = log_mean_exp(terms);
  if (log_mean == -kInf) return {kNaN, kNaN, 0};
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
  return {-log_mean, n > 1 ? std::sqrt(spread / (n - 1) / n) : kNaN, total * total / squares};
}

/// log f - log prior - log likelihood of every draw, where f was fitted to the half of the chains that the draw is not
/// in.
std::vector<double> gelfand_dey_terms(const PosteriorChainRun& run, double coverage) {
  const Population& x = run.draws;
  std::vector<std::size_t> halves[2];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = i % run.chains, t = i / run.chains;
    const bool second = run.chains > 1 ? c >= run.chains / 2 : t >= run.iterations / 2;
    halves[second ? 1 : 0].push_back(i);
  }
  std::vector<double> terms(x.size());
  for (const std::size_t h : {0, 1}) {
    const CutNormal f(x, halves[1 - h], coverage);
    for (const std::size_t i : halves[h]) terms[i] = f.log_density(point(x, i)) - x.log_prior[i] - x.log_likelihood[i];
  }
  return terms;
}

std::string percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + "%"; }

void warn(HarmonicMeanRun& run, double coverage, std::size_t draws) {
  run.warnings.emplace_back("the harmonic mean: its variance may be infinite");
  if (run.inside < 0.5 * coverage)
    run.warnings.push_back("Gelfand and Dey: only " + percent(run.inside) +
                           " of the draws lie in the ellipsoid that "
                           "should hold " +
                           percent(coverage) + ": the posterior is not like one normal");
  else if (run.effective < 0.05 * static_cast<double>(draws))
    run.warnings.push_back("Gelfand and Dey: the mean rests on " + std::to_string(std::lround(run.effective)) + " of " +
                           std::to_string(draws) + " draws: the posterior is not like one normal");
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
  terms = gelfand_dey_terms(chains, coverage);
  const InverseMean cut = inverse_mean(terms, chains);
  const auto inside = std::count_if(terms.begin(), terms.end(), [](double v) { return v > -kInf; });

  HarmonicMeanRun run{.log_evidence_harmonic = harmonic.log_evidence,
                      .log_evidence_harmonic_se = harmonic.error,
                      .log_evidence_gelfand_dey = cut.log_evidence,
                      .log_evidence_gelfand_dey_se = cut.error,
                      .inside = static_cast<double>(inside) / static_cast<double>(terms.size()),
                      .effective = cut.effective,
                      .effective_harmonic = harmonic.effective,
                      .draws = std::move(chains.draws),
                      .evaluations = chains.evaluations,
                      .nan_evaluations = chains.nan_evaluations};
  warn(run, coverage, terms.size());
  return run;
}

}  // namespace evident
