// Random-walk moves of the weights. With mu and lambda fixed, the component densities of all observations are computed
// once; each move then costs multiplications alone.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/mixture/move_weights.cpp"  // NOLINT
#include <hwy/foreach_target.h>                               // must come before highway.h
#include <hwy/highway.h>

#include "evident/base/log_math.hpp"
#include "models/mixture/density-inl.hpp"
#include "models/mixture/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::mixture {
namespace HWY_NAMESPACE {

/// The component densities of one vector of particles, for all observations.
struct DensityCache {
  double* values;     ///< observation, component, lane
  V log2_scale_sum;   ///< what was taken out of all observations together
  bool safe_product;  ///< may factors be multiplied kPeriod at a time?

  HWY_INLINE void Fill(const Likelihood& data, const Components& c) {
    const D d;
    const std::size_t k = data.components, row = k * hn::Lanes(d);
    PerComponent log2_root;
    SetLog2(c.root, k, log2_root);
    log2_scale_sum = hn::Zero(d);
    V top = hn::Zero(d);
    for (std::size_t j = 0; j < k; ++j) top = hn::Add(top, c.root[j]);
    safe_product = SafeProduct(data.floor, top);
    double* out = values;
    for (const double y : data.y) {
      log2_scale_sum = hn::Add(log2_scale_sum, ComponentDensities(c, log2_root, k, y, data.floor > 0, out));
      out += row;
    }
  }

  /// The log likelihood for other weights.
  HWY_INLINE V LogLikelihood(const Likelihood& data, const PerComponent& weight) const {
    const D d;
    const V sum = safe_product ? SumOfLogs<true>(data, weight) : SumOfLogs<false>(data, weight);
    const V constant = hn::Set(d, -0.5 * kLog2Pi * static_cast<double>(data.y.size()));
    return hn::Add(hn::MulAdd(log2_scale_sum, hn::Set(d, kLn2), sum), constant);
  }

 private:
  /// kChains products side by side; both forms multiply in the same order, so that their results are the same bits.
  template <bool kSafeFactors>
  HWY_INLINE V SumOfLogs(const Likelihood& data, const PerComponent& weight) const {
    constexpr std::size_t kChains = 4;
    const D d;
    const std::size_t k = data.components, lanes = hn::Lanes(d), row = k * lanes, n = data.y.size();
    LogProduct<D> products[kChains] = {LogProduct<D>(d), LogProduct<D>(d), LogProduct<D>(d), LogProduct<D>(d)};
    const double* density = values;
    std::size_t i = 0, since = 0;
    for (; i + kChains <= n; i += kChains, density += kChains * row) {
      V f[kChains];
      for (V& v : f) v = hn::Set(d, data.floor);
      for (std::size_t j = 0; j < k; ++j) {
        const V w = weight[j];
        for (std::size_t m = 0; m < kChains; ++m)
          f[m] = hn::MulAdd(w, hn::Load(d, density + m * row + j * lanes), f[m]);
      }
      for (std::size_t m = 0; m < kChains; ++m)
        kSafeFactors ? products[m].MultiplyUnchecked(f[m]) : products[m].Multiply(f[m]);
      if (kSafeFactors && ++since == kPeriod) {
        for (LogProduct<D>& p : products) p.Renormalise();
        since = 0;
      }
    }
    for (std::size_t m = 1; m < kChains; ++m) products[0].Merge(products[m]);
    for (; i < n; ++i, density += row) {
      V f = hn::Set(d, data.floor);
      for (std::size_t j = 0; j < k; ++j) f = hn::MulAdd(weight[j], hn::Load(d, density + j * lanes), f);
      products[0].Multiply(f);
    }
    return products[0].Log();
  }
};

/// A proposal: each weight times exp(scale x normal), the last one kept, then divided by their sum. Returns the log of
/// the change of the product of the weights: the Jacobian, and to the power concentration - 1 the prior.
HWY_INLINE V Propose(const WeightMoves& moves, std::size_t move, std::size_t column, std::size_t k,
                     const PerComponent& weight, PerComponent& proposal) {
  const D d;
  const double log2_9 = 3.16992500144231236297;
  const V u = hn::Load(d, moves.uniforms.row_data(2 * move) + column);
  const V exponent = hn::Mul(hn::Sub(u, hn::Set(d, 0.5)), hn::Set(d, log2_9));
  const V scale = hn::Mul(hn::Set(d, moves.scale), FastExp2Bounded(d, exponent));
  V total = weight[k - 1], log_change = hn::Zero(d);
  for (std::size_t j = 0; j + 1 < k; ++j) {
    const V step = hn::Mul(scale, hn::Load(d, moves.normals.row_data(move * (k - 1) + j) + column));
    const V w = hn::Mul(weight[j], FastExpBounded(d, step));
    proposal.set(j, w);
    total = hn::Add(total, w);
    log_change = hn::Add(log_change, step);
  }
  proposal.set(k - 1, weight[k - 1]);
  for (std::size_t j = 0; j < k; ++j) proposal.set(j, hn::Div(proposal[j], total));
  return hn::NegMulAdd(hn::Set(d, static_cast<double>(k)), FastLog(d, total), log_change);
}

void MoveWeights(const Likelihood& data, const WeightMoves& moves, Block theta, double* log_prior,
                 double* log_likelihood) {
  const D d;
  const std::size_t k = data.components, lanes = hn::Lanes(d);
  AlignedVector<double> memory(data.y.size() * k * lanes);
  DensityCache cache{memory.data(), hn::Zero(d), false};
  for (std::size_t i = 0; i < theta.size(); i += lanes) {
    Components c;
    PerComponent proposal;
    c.Load(k, theta, i);
    cache.Fill(data, c);
    const std::size_t count = theta.size() - i;
    V lp = LoadSome(log_prior + i, count), ll = LoadSome(log_likelihood + i, count);
    for (std::size_t m = 0; m < moves.moves; ++m) {
      const V log_change = Propose(moves, m, i, k, c.weight, proposal);
      const V proposed = cache.LogLikelihood(data, proposal);
      const V log_ratio = hn::MulAdd(hn::Set(d, moves.alpha), hn::Sub(proposed, ll),
                                     hn::Mul(hn::Set(d, moves.concentration), log_change));
      const V log_u = FastLog(d, hn::Load(d, moves.uniforms.row_data(2 * m + 1) + i));
      auto accept = hn::Lt(log_u, log_ratio);  // false for NaN
      for (std::size_t j = 0; j < k; ++j) accept = hn::And(accept, hn::Ge(proposal[j], hn::Set(d, kSmallestWeight)));
      for (std::size_t j = 0; j < k; ++j) c.weight.set(j, hn::IfThenElse(accept, proposal[j], c.weight[j]));
      ll = hn::IfThenElse(accept, proposed, ll);
      lp = hn::IfThenElse(accept, hn::MulAdd(hn::Set(d, moves.concentration - 1), log_change, lp), lp);
    }
    for (std::size_t j = 0; j < k; ++j) hn::Store(c.weight[j], d, theta.row_data(2 * k + j) + i);
    StoreSome(lp, log_prior + i, count);
    StoreSome(ll, log_likelihood + i, count);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace evident::mixture
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident::mixture {

HWY_EXPORT(MoveWeights);

void move_weights(const Likelihood& data, const WeightMoves& moves, Block theta, std::span<double> log_prior,
                  std::span<double> log_likelihood) {
  if (data.components > kMaxComponents) return move_weights_each(data, moves, theta, log_prior, log_likelihood);
  HWY_DYNAMIC_DISPATCH(MoveWeights)(data, moves, theta, log_prior.data(), log_likelihood.data());
}

}  // namespace evident::mixture
#endif  // HWY_ONCE
