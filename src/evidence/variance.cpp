#include "evidence/variance.hpp"

#include <algorithm>
#include <cmath>

namespace evident {
namespace {

// 1 - N/(N-1) (share of pairs kept)^-1 (1 - sum of squares): Lee and Whiteley's estimate, for families of any kind.
double by_pairs(const Families& f, double n) { return 1 - n / (n - 1) * std::exp(f.log_pairs) * (1 - f.squares); }

// With V(p, q) the estimate by ancestors of generation p at the end of generation q, the noise that comes in at p is
// V(p, R) - V(p+1, R); here p + lag stands for the last generation R.
double by_lag(const std::vector<Generation>& g, std::size_t lag, double n) {
  const std::size_t last = g.size() - 1;
  lag = std::min(lag, last);
  double sum = by_pairs(g[last].back[lag], n);
  for (std::size_t q = lag; q < last; ++q)
    sum += by_pairs(g[q].back[lag], n) - (lag > 0 ? by_pairs(g[q].back[lag - 1], n) : 0);
  return sum;
}

}  // namespace

double EvidenceVariance::relative_variance() const {
  return (std::isnan(chains) ? std::max(lee_whiteley, fixed_lag[kLag]) : chains) + of_share;
}

double EvidenceVariance::standard_error() const {
  const double v = relative_variance();
  constexpr double kRounding = 1e-12;
  return v > -kRounding ? std::sqrt(std::log1p(std::max(v, 0.0))) : kNaN;
}

EvidenceVariance evidence_variance(const Trace& trace) {
  EvidenceVariance out;
  out.fixed_lag.fill(kNaN);
  out.of_share = trace.first.hidden_variance(trace.particles);
  if (trace.waste_free > 0) {
    out.chains = 0;
    for (const Step& s : trace.steps) out.chains += s.chains;
    out.resamplings = trace.resamplings();
  }
  if (trace.generations.empty() || trace.particles < 2) return out;
  const auto n = static_cast<double>(trace.particles);
  const Generation& last = trace.generations.back();
  out.chan_lai = last.eve.squares - 1 / n - last.eve.spread;
  out.lee_whiteley = by_pairs(last.eve, n);
  for (std::size_t lag = 0; lag <= kLags; ++lag) out.fixed_lag[lag] = by_lag(trace.generations, lag, n);
  out.resamplings = trace.generations.size() - 1;
  out.eves = last.eves;
  out.effective_eves = 1 / last.eve.squares;
  out.coalesced = out.effective_eves < kFewestEves;
  return out;
}

}  // namespace evident
