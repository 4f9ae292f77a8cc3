#include "proposal/importance.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "dist/log_sum_rows.hpp"
#include "dist/scale_root.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "proposal/log_target.hpp"
#include "proposal/pareto.hpp"
#include "proposal/quick_mixture.hpp"

namespace evident {
namespace {

constexpr std::uint64_t kImportanceTag = 0x696d706f7274;  // streams that nothing else in the run uses
constexpr double kBroad = 9;  // variance of the component around all particles, in units of theirs

/// Weighted points, side by side; weights sum to one.
struct Points {
  BlockStorage z;
  AlignedVector<double> weights;
};

/// The density that is drawn from: the fit, a wide component, and the prior.
struct Proposal {
  QuickMixture mixture;  ///< the wide component is the last; weights sum to 1 - prior
  double prior;          ///< share of the prior
};

/// Draws with the log of the prior, of prior x likelihood, and of the density that they came from.
struct Drawn {
  BlockStorage z;
  AlignedVector<double> log_prior, log_p, log_q;
  std::size_t size() const { return log_p.size(); }
  std::vector<double> log_ratios() const {
    std::vector<double> out(size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = log_p[i] - log_q[i];
      if (std::isnan(out[i])) out[i] = -kInf;
    }
    return out;
  }
};

Proposal proposal(QuickMixture fit, const Points& around, const ImportanceOptions& options) {
  const PointMoments all = point_moments(around.z, around.weights);
  std::vector<double> root = dist::scale_root(all.second, fit.dimension(), all.effective);
  for (double& v : root) v *= std::sqrt(kBroad);
  // All components get the same number of draws. Their own weights would serve a little better, but then the least
  // change of the data could move draws from one to another, and the result would jump.
  for (std::size_t k = 0; k < fit.size(); ++k)
    fit.set_weight(k, (1 - options.prior - options.wide) / static_cast<double>(fit.size()));
  fit.add(options.wide, all.mean, std::move(root));
  return {std::move(fit), options.prior};
}

// log of the whole density; log_prior is that of z.
void log_density(const Proposal& q, ConstBlock z, std::span<const double> log_prior, double* out) {
  const std::size_t k = q.mixture.size();
  for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, z.size() - first);
    BlockStorage parts(k + 1, n);
    AlignedVector<double> total(n);
    q.mixture.log_parts(z.columns(first, n), parts.block().some_rows(0, k), {});
    const double log_share = std::log(q.prior);
    for (std::size_t i = 0; i < n; ++i) parts(k, i) = log_prior[first + i] + log_share;
    dist::log_sum_rows(parts, total);
    std::copy_n(total.begin(), n, out + first);
  }
}

/// How many of `slots` each component gets; the prior is the last. Shares become what they really are.
std::vector<std::size_t> deal_slots(Proposal& q, std::size_t slots) {
  const auto all = static_cast<double>(slots);
  std::vector<std::size_t> out;
  double share = 0;
  std::size_t given = 0;
  for (std::size_t k = 0; k < q.mixture.size(); ++k) {
    share += q.mixture.weight(k);
    const auto until = std::min(slots - 1, static_cast<std::size_t>(std::lround(share * all)));
    out.push_back(until - given);
    given = until;
  }
  out.push_back(slots - given);
  for (std::size_t k = 0; k < q.mixture.size(); ++k) q.mixture.set_weight(k, static_cast<double>(out[k]) / all);
  q.prior = static_cast<double>(out.back()) / all;
  return out;
}

class Sampler {
 public:
  Sampler(const Model& model, const Context& context)
      : model_(model),
        target_(TemperedTarget(model, 1.0, count_)),
        streams_(context.streams.part(kImportanceTag)),
        context_(context) {}

  std::size_t evaluations() const { return count_.total; }
  Stream random() const { return streams_.at({.purpose = Purpose::other}); }

  /// About n draws. Each component gives its share of them and not a random number: that can only narrow the estimate.
  /// Draws come in slots of kLane, so that rows stay aligned.
  Drawn draw(Proposal& q, std::size_t n) {
    if (context_.stop.stop_requested()) throw RunError("stopped before the end");
    const std::size_t slots = (n + kLane - 1) / kLane, d = model_.parameters().free_size();
    n = slots * kLane;
    ++step_;
    const DrawIdentity id{.step = step_, .purpose = Purpose::proposal};
    Drawn out{BlockStorage(d, n), AlignedVector<double>(n), AlignedVector<double>(n), AlignedVector<double>(n)};
    BlockStorage noise(d, n), wide(1, n);
    streams_.fill_normal(id, noise);
    QuickMixture::fill_wide(streams_, id, n, wide.row(0).data());
    const std::vector<std::size_t> dealt = deal_slots(q, slots);
    for (std::size_t k = 0, first = 0; k < dealt.size(); first += kLane * dealt[k++])
      fill(q, k, first, kLane * dealt[k], noise, wide, out.z);
    target_.evaluate(out.z, out.log_prior, out.log_p);
    log_density(q, out.z, out.log_prior, out.log_q.data());
    return out;
  }

 private:
  void fill(const Proposal& q, std::size_t k, std::size_t first, std::size_t n, const BlockStorage& noise,
            const BlockStorage& wide, BlockStorage& z) const {
    for (std::size_t at = first; at < first + n; at += kBlockSize) {
      const std::size_t some = std::min(kBlockSize, first + n - at);
      const Block out = z.block().columns(at, some);
      if (k < q.mixture.size()) {
        q.mixture.draw(k, noise.block().columns(at, some), wide.row(0).data() + at, out);
      } else {
        BlockStorage theta(model_.parameters().size(), some);
        model_.draw_prior(streams_.part(step_), static_cast<std::uint32_t>(at), theta);
        model_.parameters().unconstrain(theta, out);
      }
    }
  }

  const Model& model_;
  EvaluationCount count_;
  LogTarget target_;
  Streams streams_;
  const Context& context_;
  std::uint32_t step_ = 0;
};

Points points_of(const Population& x) {
  Points out{x.z, AlignedVector<double>(x.weights.values().begin(), x.weights.values().end())};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(out.weights[i] > 0)) continue;
    if (!std::isfinite(x.log_prior[i] + x.log_likelihood[i]))
      throw RunError("importance sampling: particle " + std::to_string(i) + " has a weight but no finite density");
  }
  return out;
}

struct Weighed {
  double log_mean = -kInf, efficiency = 0, variance = kInf, largest = 1;
};

Weighed weigh(std::span<const double> log_ratio) {
  Weighed out{.log_mean = log_mean_exp(log_ratio)};
  if (!std::isfinite(out.log_mean)) return out;
  const auto n = static_cast<double>(log_ratio.size());
  double squares = 0, largest = 0;
  for (const double l : log_ratio) {
    const double w = std::exp(l - out.log_mean);
    squares += w * w;
    largest = std::max(largest, w);
  }
  out.efficiency = n / squares;
  out.variance = (squares / n - 1) / (n - 1);
  out.largest = largest / n;
  return out;
}

// Weight of the particles where a draw would count for more than a tenth of all there are.
double unseen(const Proposal& q, const Population& x, double log_evidence, std::size_t draws) {
  AlignedVector<double> log_q(x.size());
  log_density(q, x.z, x.log_prior, log_q.data());
  const double limit = log_evidence + std::log(0.1 * static_cast<double>(draws));
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x.log_prior[i] + x.log_likelihood[i] - log_q[i] > limit) sum += x.weights.values()[i];
  return sum;
}

void judge(ImportanceEvidence& r) {
  if (!r.log_evidence.known())
    r.reason = "the estimate is not finite";
  else if (r.log_evidence.standard_error > 0.5)
    r.reason = "the standard error is above 0.5";
  else if (r.largest_share > 0.25)
    r.reason = "one draw carries more than a quarter of the weight";
  else if (r.unseen > 0.5)
    r.reason = "particles lie where the draws hardly go";
  r.usable = r.reason.empty();
}

/// Draws of several stages, weighed as draws from the mixture of their densities (Owen and Zhou 2000): what one stage
/// hardly covered has little weight once another covers it.
class Stages {
 public:
  void add(Drawn drawn, const Proposal& q) {
    const double log_size = std::log(static_cast<double>(drawn.size()));
    AlignedVector<double> own(drawn.size());
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = drawn.log_q[i] + log_size;
    for (std::size_t s = 0; s < size(); ++s) {
      add_density(q, log_size, drawn_[s], log_mixed_[s]);
      add_density(q_[s], std::log(static_cast<double>(drawn_[s].size())), drawn, own);
    }
    all_ += drawn.size();
    drawn_.push_back(std::move(drawn));
    log_mixed_.push_back(std::move(own));
    q_.push_back(q);
  }
  std::size_t size() const { return drawn_.size(); }
  const Drawn& last() const { return drawn_.back(); }
  const Proposal& density() const { return q_.back(); }

  /// In the order of the stages and of their draws.
  std::vector<double> log_ratios() const {
    const double log_all = std::log(static_cast<double>(all_));
    std::vector<double> out;
    out.reserve(all_);
    for (std::size_t s = 0; s < size(); ++s)
      for (std::size_t i = 0; i < drawn_[s].size(); ++i) {
        const double ratio = drawn_[s].log_p[i] - (log_mixed_[s][i] - log_all);
        out.push_back(std::isnan(ratio) ? -kInf : ratio);
      }
    return out;
  }

  /// The draws as weighted points to learn from. A few large weights would make a fit of a few points: a power of them
  /// is taken that leaves enough. Points whose weights hardly matter are left out.
  Points to_learn_from() const {
    const std::vector<double> log_ratio = log_ratios();
    const double wanted = 10.0 * static_cast<double>(last().z.rows());
    std::vector<double> weights(log_ratio.size());
    if (powers(log_ratio, 1, weights) < wanted) {
      double low = 0, high = 1;
      constexpr int kHalvings = 6;
      for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (low + high);
        (powers(log_ratio, middle, weights) >= wanted ? low : high) = middle;
      }
      powers(log_ratio, low, weights);
    }
    return heavy(weights);
  }

 private:
  /// log_sum <- log(exp(log_sum) + exp(log_size) q(z)).
  static void add_density(const Proposal& q, double log_size, const Drawn& at, AlignedVector<double>& log_sum) {
    const std::size_t n = at.size();
    BlockStorage parts(2, n);
    log_density(q, at.z, at.log_prior, parts.row(0).data());
    for (std::size_t i = 0; i < n; ++i) {
      parts(0, i) += log_size;
      parts(1, i) = log_sum[i];
    }
    dist::log_sum_rows(parts, log_sum);
  }

  /// Weights that are powers of the ratios and sum to one; returns how many points they are worth.
  static double powers(std::span<const double> log_ratio, double power, std::vector<double>& weights) {
    const double top = *std::ranges::max_element(log_ratio);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double w = log_ratio[i] > -kInf ? std::exp(power * (log_ratio[i] - top)) : 0.0;
      weights[i] = w;
      sum += w;
      squares += w * w;
    }
    for (double& w : weights) w /= sum;
    return sum * sum / squares;
  }

  Points heavy(std::span<const double> weights) const {
    const double least = 1e-5 / static_cast<double>(weights.size());
    const auto count = static_cast<std::size_t>(std::ranges::count_if(weights, [&](double w) { return w >= least; }));
    Points out{BlockStorage(last().z.rows(), count), AlignedVector<double>(count)};
    double sum = 0;
    std::size_t k = 0, at = 0;
    for (const Drawn& d : drawn_)
      for (std::size_t i = 0; i < d.size(); ++i, ++at) {
        if (!(weights[at] >= least)) continue;
        for (std::size_t j = 0; j < d.z.rows(); ++j) out.z(j, k) = d.z(j, i);
        out.weights[k++] = weights[at];
        sum += weights[at];
      }
    for (double& w : out.weights) w /= sum;
    return out;
  }

  std::vector<Drawn> drawn_;
  std::vector<AlignedVector<double>> log_mixed_;  ///< at its draws: log of the sum of size x density over all stages
  std::vector<Proposal> q_;
  std::size_t all_ = 0;
};

/// The density, and how it learns: from all draws so far.
class Learner {
 public:
  Learner(const Points& points, const ImportanceOptions& options, Stream random)
      : options_(options),
        fit_(QuickMixture::around(points.z, points.weights, options.components, random)),
        now_(proposal(fit_, points, options)) {}

  Proposal& now() { return now_; }
  std::shared_ptr<const QuickMixture> learned() const {
    auto out = std::make_shared<QuickMixture>(now_.mixture);
    out->scale_weights(1 / (1 - now_.prior));
    return out;
  }
  void learn(const Drawn& drawn) {
    seen_.add(drawn, now_);
    const Points points = seen_.to_learn_from();
    constexpr int kRounds = 2;
    for (int k = 0; k < kRounds; ++k) fit_.improve(points.z, points.weights);
    now_ = proposal(fit_, points, options_);
  }

 private:
  const ImportanceOptions& options_;
  QuickMixture fit_;
  Proposal now_;
  Stages seen_;
};

void conclude(std::span<const double> log_ratio, ImportanceEvidence& out) {
  const Weighed found = weigh(log_ratio);
  out.log_evidence = {found.log_mean, std::sqrt(std::log1p(found.variance))};
  out.efficiency = found.efficiency;
  out.largest_share = found.largest;
  out.pareto_k = kInf;
}

/// Good enough to need no more draws. The tail of the weights is looked at last, because that takes longest.
bool good(std::span<const double> log_ratio, const ImportanceOptions& options, ImportanceEvidence& e) {
  if (!(e.log_evidence.standard_error <= 1.5 * options.standard_error && e.largest_share <= 0.05)) return false;
  e.pareto_k = pareto_shape(log_ratio);
  return e.pareto_k <= 0.7;
}

}  // namespace

ImportanceEvidence importance_evidence(const Model& model, const Population& particles,
                                       const ImportanceOptions& options, const Context& context) {
  if (model.parameters().free_size() == 0) throw RunError("importance sampling: there is no coordinate");
  if (model.parameters().free_size() > QuickMixture::kMostRows)
    throw RunError("importance sampling: there are more than " + std::to_string(QuickMixture::kMostRows) +
                   " coordinates");
  Sampler sampler(model, context);
  Learner learner(points_of(particles), options, sampler.random());
  ImportanceEvidence out;
  double efficiency = 0;
  while (out.rounds < options.rounds && efficiency < options.efficiency) {
    const Drawn drawn = sampler.draw(learner.now(), options.round);
    const Weighed found = weigh(drawn.log_ratios());
    if (!std::isfinite(found.log_mean)) break;
    learner.learn(drawn);
    efficiency = found.efficiency;
    ++out.rounds;
  }
  const double wanted = (1 / std::max(efficiency, 1e-6) - 1) / (options.standard_error * options.standard_error);
  std::size_t draws = std::min(options.round, options.most / 2);
  while (draws < options.most / 2 && static_cast<double>(draws) < wanted) draws = std::min(2 * draws, options.most / 2);
  constexpr std::size_t kStages = 3;
  Stages stages;
  std::vector<double> log_ratio;
  while (true) {
    Drawn drawn = sampler.draw(learner.now(), draws);
    stages.add(std::move(drawn), learner.now());
    log_ratio = stages.log_ratios();
    conclude(log_ratio, out);
    if (!std::isfinite(out.log_evidence.value) || good(log_ratio, options, out) || stages.size() == kStages) break;
    learner.learn(stages.last());
    draws = options.most / 2;
  }
  if (out.pareto_k == kInf) out.pareto_k = pareto_shape(log_ratio);
  // A heavy tail makes the spread of the weights fall short of the estimate's own, by about this factor.
  out.log_evidence.standard_error *= 1 + std::clamp(out.pareto_k, 0.0, 1.0);
  out.unseen = unseen(stages.density(), particles, out.log_evidence.value, stages.last().size());
  out.evaluations = sampler.evaluations();
  judge(out);
  if (!out.usable && std::isfinite(out.log_evidence.value)) learner.learn(stages.last());
  out.density = learner.learned();
  return out;
}

}  // namespace evident
