// Formulas against the same models written by hand in C++ with Highway, lanes = particles, one thread.
//
//   bench_formula
//
// Times are the least CPU time of several windows, per particle; blocks of 64.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "formula.cpp"  // NOLINT
#include <hwy/foreach_target.h>           // must come before highway.h
#include <hwy/highway.h>

#include <cstddef>

#include "base/simd_math-inl.hpp"
#include "evident/base/block.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// y ~ bernoulli-logit(theta[0] + sum_j theta[j] x_j); x is row after row.
void LogisticRegression(const double* x, const double* y, std::size_t n, std::size_t d, ConstBlock theta, double* out) {
  const hn::ScalableTag<double> tag;
  using V = hn::Vec<decltype(tag)>;
  for (std::size_t i = 0; i < theta.size(); i += hn::Lanes(tag)) {
    V sum = hn::Zero(tag);
    LogProduct<decltype(tag)> product(tag);
    for (std::size_t r = 0; r < n; ++r) {
      V eta = hn::Load(tag, theta.row_data(0) + i);
      for (std::size_t j = 0; j < d; ++j)
        eta = hn::MulAdd(hn::Set(tag, x[r * d + j]), hn::Load(tag, theta.row_data(j + 1) + i), eta);
      sum = hn::MulAdd(hn::Set(tag, y[r]), eta, hn::Sub(sum, hn::Max(eta, hn::Zero(tag))));
      product.MultiplyUnchecked(hn::Add(hn::Set(tag, 1.0), FastExpBounded(tag, hn::Neg(hn::Abs(eta)))));
      if (r % 32 == 31) product.Renormalise();
    }
    hn::Store(hn::Sub(sum, product.Log()), tag, out + i);
  }
}

/// y ~ normal(A (share exp(-k t) + (1 - share) exp(-k2 t)), sigma); theta: A, k, share, k2, sigma.
void Decay(const double* t, const double* y, std::size_t n, ConstBlock theta, double* out) {
  const hn::ScalableTag<double> tag;
  using V = hn::Vec<decltype(tag)>;
  for (std::size_t i = 0; i < theta.size(); i += hn::Lanes(tag)) {
    const V a = hn::Load(tag, theta.row_data(0) + i), k = hn::Neg(hn::Load(tag, theta.row_data(1) + i));
    const V share = hn::Load(tag, theta.row_data(2) + i), k2 = hn::Neg(hn::Load(tag, theta.row_data(3) + i));
    const V sigma = hn::Load(tag, theta.row_data(4) + i);
    const V first = hn::Mul(a, share), second = hn::Sub(a, first);
    V squares = hn::Zero(tag);
    for (std::size_t r = 0; r < n; ++r) {
      const V time = hn::Set(tag, t[r]);
      const V e1 = FastExp(tag, hn::Mul(k, time)), e2 = FastExp(tag, hn::Mul(k2, time));
      const V rest = hn::Sub(hn::Set(tag, y[r]), hn::MulAdd(first, e1, hn::Mul(second, e2)));
      squares = hn::MulAdd(rest, rest, squares);
    }
    const V rows = hn::Set(tag, static_cast<double>(n));
    const V scaled = hn::Div(squares, hn::Mul(hn::Set(tag, -2.0), hn::Mul(sigma, sigma)));
    const V constant = hn::Add(FastLog(tag, sigma), hn::Set(tag, 0.91893853320467274));
    hn::Store(hn::NegMulAdd(rows, constant, scaled), tag, out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace evident
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "evident/formula/model.hpp"
#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/simulate.hpp"
#include "timing.hpp"

namespace evident {
namespace {
HWY_EXPORT(LogisticRegression);
HWY_EXPORT(Decay);

constexpr std::size_t kSize = 64;
using Lines = std::vector<std::pair<std::string, std::string>>;

std::vector<formula::Definition> definitions(const Lines& lines) {
  std::vector<formula::Definition> out;
  for (const auto& [key, text] : lines) out.push_back({{"bench", 1, 1, key}, {"bench", 1, 1, text}});
  return out;
}

std::shared_ptr<const Model> make(std::vector<formula::Column> columns, const Lines& parameters, const Lines& let,
                                  const Lines& likelihood) {
  formula::DataSet data{.table_rows = {columns[0].numbers.size()}, .columns = std::move(columns)};
  return formula::make_formula_model({.data = std::make_shared<const formula::DataSet>(std::move(data)),
                                      .parameters = definitions(parameters),
                                      .let = definitions(let),
                                      .likelihood = definitions(likelihood)});
}

void report(const char* name, const Model& model, const BlockStorage& theta,
            const std::function<void(double*)>& by_hand) {
  AlignedVector<double> own(kSize), other(kSize);
  BlockStorage prior(theta.rows(), kSize), slopes(theta.rows(), kSize);
  by_hand(other.data());
  model.log_likelihood(theta, own);
  double worst = 0;
  for (std::size_t i = 0; i < kSize; ++i)
    worst = std::max(worst, std::abs(own[i] - other[i]) / std::max(1.0, std::abs(other[i])));
  const double scale = 1e9 / static_cast<double>(kSize);
  const double hand = scale * bench::least_seconds([&] { by_hand(other.data()); });
  const double value = scale * bench::least_seconds([&] { model.log_likelihood(theta, own); });
  const double slope = scale * bench::least_seconds([&] { model.gradient(theta, prior, slopes); });
  std::printf("%-34s %9.0f %9.0f %7.2f %9.0f %7.2f   %.1e\n", name, hand, value, value / hand, slope, slope / value,
              worst);
}

void four_components() {
  const auto y = simulate_mixture({}, 100, Streams({.seed = 1}));
  const auto model =
      make({{.name = "y", .numbers = y}},
           {{"mu[4]", "normal(0, 10)"}, {"lambda[4]", "gamma(shape=2, scale=1)"}, {"w[4]", "dirichlet(1)"}}, {},
           {{"y", "mixture(w, normal(mu, 1 / sqrt(lambda)))"}});
  BlockStorage theta(12, kSize);
  model->draw_prior(Streams({.seed = 2}), 0, theta);
  // Without the floor that the built-in model puts under far observations, it is the same likelihood.
  const GaussianMixture by_hand({.components = 4, .labels = MixtureLabels::free, .floor = 0}, y);
  report("mixture, 4 x 100", *model, theta, [&](double* out) { by_hand.log_likelihood(theta, {out, kSize}); });
}

void logistic_regression() {
  constexpr std::size_t n = 500, d = 10;
  Stream random = Streams({.seed = 3}).at({.purpose = Purpose::other});
  std::vector<double> x(n * d);
  std::vector<formula::Column> columns(d + 1);
  for (double& v : x) v = random.normal();
  columns[d].name = "y";
  Lines parameters = {{"b0", "normal(0, 2)"}};
  std::string eta = "b0";
  for (std::size_t j = 0; j < d; ++j) {
    const std::string k = std::to_string(j + 1);
    columns[j].name = "x" + k;
    for (std::size_t r = 0; r < n; ++r) columns[j].numbers.push_back(x[r * d + j]);
    parameters.emplace_back("b" + k, "normal(0, 2)");
    eta += " + b" + k + " * x" + k;
  }
  for (std::size_t r = 0; r < n; ++r) columns[d].numbers.push_back(random.uniform() < 0.4 ? 1 : 0);
  const std::vector<double> y = columns[d].numbers;
  const auto model = make(std::move(columns), parameters, {{"eta", eta}}, {{"y", "bernoulli-logit(eta)"}});
  BlockStorage theta(d + 1, kSize);
  model->draw_prior(Streams({.seed = 4}), 0, theta);
  report("logistic regression, 500 x 10", *model, theta, [&](double* out) {
    HWY_DYNAMIC_DISPATCH(LogisticRegression)(x.data(), y.data(), n, d, theta, out);
  });
}

void two_exponentials() {
  constexpr std::size_t n = 100;
  Stream random = Streams({.seed = 5}).at({.purpose = Purpose::other});
  std::vector<double> t, y;
  for (std::size_t r = 0; r < n; ++r) {
    t.push_back(0.1 * static_cast<double>(r));
    y.push_back(10 * std::exp(-0.5 * t.back()) + 0.3 * random.normal());
  }
  const auto model =
      make({{.name = "t", .numbers = t}, {.name = "y", .numbers = y}},
           {{"A", "normal(0, 10)"},
            {"k", "gamma(shape=2, rate=1)"},
            {"share", "beta(1, 1)"},
            {"k2", "uniform(k, 30)"},
            {"sigma", "half-normal(1)"}},
           {{"mean", "A * (share * exp(-k*t) + (1-share) * exp(-k2*t))"}}, {{"y", "normal(mean, sigma)"}});
  BlockStorage theta(5, kSize);
  model->draw_prior(Streams({.seed = 6}), 0, theta);
  report("two exponentials, 100", *model, theta, [&](double* out) {
    HWY_DYNAMIC_DISPATCH(Decay)(t.data(), y.data(), n, theta, out);
  });
}

}  // namespace
}  // namespace evident

int main() {
  std::printf("%-34s %9s %9s %7s %9s %7s   %s\n", "ns per particle", "by hand", "formula", "ratio", "gradient",
              "/ value", "difference");
  evident::four_components();
  evident::logistic_regression();
  evident::two_exponentials();
}
#endif  // HWY_ONCE
