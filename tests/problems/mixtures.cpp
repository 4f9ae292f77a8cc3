// Few data of a mixture of normals of unit variance; the means have normal priors, so that each of the finitely many
// allocations of data to components has an evidence in closed form.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dist/special.hpp"
#include "evident/base/log_math.hpp"
#include "model/ordered.hpp"
#include "problems/conjugate.hpp"
#include "problems/families.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

constexpr double kMeanSd = 5;

struct Cluster {
  double count = 0, sum = 0, squares = 0;
};

/// Every allocation once, as what each component got.
void for_each_allocation(const std::vector<double>& y, std::size_t components,
                         const std::function<void(const std::vector<Cluster>&)>& see) {
  std::vector<std::size_t> of(y.size(), 0);
  for (bool more = true; more;) {
    std::vector<Cluster> clusters(components);
    for (std::size_t i = 0; i < y.size(); ++i) {
      clusters[of[i]].count += 1;
      clusters[of[i]].sum += y[i];
      clusters[of[i]].squares += y[i] * y[i];
    }
    see(clusters);
    more = false;
    for (std::size_t i = 0; i < y.size() && !more; ++i) {
      more = of[i] + 1 < components;
      of[i] = more ? of[i] + 1 : 0;
    }
  }
}

double log_evidence_of(const std::vector<Cluster>& clusters) {
  double sum = 0;
  for (const Cluster& c : clusters) sum += log_mean_evidence(c.count, c.sum, c.squares, 1, kMeanSd);
  return sum;
}

/// Data from components 4 apart, taken in turns.
std::vector<double> mixed_data(const std::string& name, std::uint64_t instance, std::size_t count,
                               std::size_t components) {
  Stream stream = numbers_of(name, instance);
  std::vector<double> y(count);
  for (std::size_t i = 0; i < count; ++i) y[i] = 4 * static_cast<double>(i % components) - 3 + stream.normal();
  return y;
}

double log_mixture(const std::vector<double>& y, std::span<const double> weights, const double* means) {
  double sum = 0;
  for (const double v : y) {
    double density = 0, nearest = kInf;
    for (std::size_t k = 0; k < weights.size(); ++k) nearest = std::min(nearest, std::abs(v - means[k]));
    for (std::size_t k = 0; k < weights.size(); ++k)
      density += weights[k] * std::exp(-0.5 * ((v - means[k]) * (v - means[k]) - nearest * nearest));
    sum += std::log(density) - 0.5 * (kLog2Pi + nearest * nearest);
  }
  return sum;
}

/// log P(mean 1 < mean 2 | the clusters).
double log_in_order(const std::vector<Cluster>& c) {
  const double first = 1 / (kMeanSd * kMeanSd) + c[0].count, second = 1 / (kMeanSd * kMeanSd) + c[1].count;
  return std::log(normal_cdf((c[1].sum / second - c[0].sum / first) / std::sqrt(1 / first + 1 / second)));
}

/// Known weights. In order: the prior is that of the sorted means.
Problem known_weights(const std::string& name, std::uint64_t instance, std::size_t count, std::vector<double> weights,
                      bool in_order) {
  const std::size_t components = weights.size();
  const std::vector<double> y = mixed_data(name, instance, count, components);
  std::vector<double> terms;
  for_each_allocation(y, components, [&](const std::vector<Cluster>& clusters) {
    double term = log_evidence_of(clusters);
    for (std::size_t k = 0; k < components; ++k) term += clusters[k].count * std::log(weights[k]);
    // Sorted normals have 2 times the density of two; with equal weights the order changes nothing.
    if (in_order && components == 2) term += std::numbers::ln2 + log_in_order(clusters);
    terms.push_back(term);
  });
  ParameterSpace space;
  if (in_order)
    add_ordered(space, "mean", normal(0, kMeanSd), components);
  else
    space = alike(components, normal(0, kMeanSd), "mean");
  auto model = lift(space, [=](std::span<const double> t) { return log_mixture(y, weights, t.data()); });
  return {name, model, log_sum_exp(terms), 0, "closed form: a sum over all allocations of the data"};
}

/// Two components, the weight of the first uniform.
Problem unknown_weight(const std::string& name, std::uint64_t instance, std::size_t count) {
  const std::vector<double> y = mixed_data(name, instance, count, 2);
  std::vector<double> terms;
  for_each_allocation(y, 2, [&](const std::vector<Cluster>& clusters) {
    terms.push_back(log_evidence_of(clusters) + dist::log_beta(1 + clusters[0].count, 1 + clusters[1].count));
  });
  ParameterSpace space;
  space.add("weight", uniform(0, 1)).add("mean1", normal(0, kMeanSd)).add("mean2", normal(0, kMeanSd));
  auto model = lift(space, [y](std::span<const double> t) {
    const double weights[2] = {t[0], 1 - t[0]};
    return log_mixture(y, weights, t.data() + 1);
  });
  return {name, model, log_sum_exp(terms), 0, "closed form: a sum over all allocations of the data"};
}

SuiteEntry with_known_weights(const std::string& name, std::size_t count, std::vector<double> weights, bool in_order) {
  return drawn_entry("normal mixtures", name,
                     [=](std::uint64_t instance) { return known_weights(name, instance, count, weights, in_order); });
}

SuiteEntry with_any_weight(const std::string& name, std::size_t count) {
  return drawn_entry("normal mixtures", name,
                     [=](std::uint64_t instance) { return unknown_weight(name, instance, count); });
}

}  // namespace

SuiteEntries normal_mixtures() {
  constexpr double kThird = 1.0 / 3;
  return {with_known_weights("mixture of 2, free", 10, {0.3, 0.7}, false),
          with_known_weights("mixture of 2, ordered", 10, {0.3, 0.7}, true),
          with_known_weights("mixture of 3, free", 8, {kThird, kThird, kThird}, false),
          with_known_weights("mixture of 3, ordered", 8, {kThird, kThird, kThird}, true),
          with_any_weight("mixture of 2, any weight", 10)};
}

SuiteEntries more_normal_mixtures(ParameterDraws& draws) {
  constexpr double kThird = 1.0 / 3;
  const auto of_data = [](const std::string& name, std::size_t count) { return name + ", n=" + std::to_string(count); };
  SuiteEntries out;
  for (const bool in_order : {false, true}) {
    const std::size_t count = draws.whole(6, 12);
    const double weight = draws.between(0.1, 0.5);
    const std::string name = of_data(in_order ? "mixture of 2, ordered" : "mixture of 2, free", count);
    out.push_back(with_known_weights(name + " weight=" + shown(weight), count, {weight, 1 - weight}, in_order));
  }
  const std::size_t three = draws.whole(6, 12, {8}), any = draws.whole(6, 12, {10});
  out.push_back(with_known_weights(of_data("mixture of 3, free", three), three, {kThird, kThird, kThird}, false));
  out.push_back(with_any_weight(of_data("mixture of 2, any weight", any), any));
  return out;
}

}  // namespace evident::problems
