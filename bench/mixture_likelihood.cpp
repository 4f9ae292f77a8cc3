// Cost of the Gaussian mixture's likelihood and own moves, beside the floor that its exponentials set.
//
//   bench/mixture_likelihood [components] [observations]        (4 and 100 by default)
//
// Times are thread CPU time; the 10 % quantile over many short windows, because a loaded machine only ever adds.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mixture_likelihood.cpp"  // NOLINT
#include <hwy/foreach_target.h>                      // must come before highway.h
#include <hwy/highway.h>

#include <cstddef>

#include "base/simd_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void Exp(const double* x, double* out, std::size_t n) {
  const hn::ScalableTag<double> d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::Store(FastExp(d, hn::Load(d, x + i)), d, out + i);
}
void Exp2(const double* x, double* out, std::size_t n) {
  const hn::ScalableTag<double> d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::Store(FastExp2Clamped(d, hn::Load(d, x + i)), d, out + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace evident
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "models/mixture/gaussian_mixture.hpp"
#include "models/mixture/kernel.hpp"
#include "models/mixture/simulate.hpp"

namespace evident {
namespace {
HWY_EXPORT(Exp);
HWY_EXPORT(Exp2);

double cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// Nanoseconds per item of a call that handles `items`.
template <class F>
double time_per_item(double items, F&& call) {
  call();
  const double one = cpu_ns();
  call();
  const int repeats = std::clamp(static_cast<int>(1e5 / (cpu_ns() - one + 1)), 1, 1000);
  std::vector<double> windows(400);
  for (double& w : windows) {
    const double start = cpu_ns();
    for (int r = 0; r < repeats; ++r) call();
    w = (cpu_ns() - start) / repeats / items;
  }
  std::nth_element(windows.begin(), windows.begin() + 40, windows.end());
  return windows[40];
}

void run(std::size_t k, std::size_t n) {
  const std::size_t size = 64;
  const Streams streams({.seed = 1});
  const auto y = simulate_mixture({}, n, streams);
  const GaussianMixture model({.components = k}, y);
  const GaussianMixture ordered({.components = k, .labels = MixtureLabels::ordered, .weight_moves = 0}, y);
  const auto with_moves = [&](std::size_t moves) {
    return GaussianMixture({.components = k, .weight_moves = moves}, y);
  };
  BlockStorage theta(model.parameters().size(), size), prior_gradient(theta.rows(), size), gradient(theta.rows(), size);
  model.draw_prior(streams, 0, theta);
  AlignedVector<double> ll(size), lp(size), x(1024), out(1024);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = -20.0 * static_cast<double>(i) / 1024;

  const double particles = static_cast<double>(size);
  const double exp = time_per_item(1024, [&] { HWY_DYNAMIC_DISPATCH(Exp)(x.data(), out.data(), 1024); });
  const double exp2 = time_per_item(1024, [&] { HWY_DYNAMIC_DISPATCH(Exp2)(x.data(), out.data(), 1024); });
  const double likelihood = time_per_item(particles, [&] { model.log_likelihood(theta, ll); });
  const double scalar = time_per_item(particles, [&] {
    std::vector<double> one(theta.rows());
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t row = 0; row < one.size(); ++row) one[row] = theta(row, i);
      ll[i] = mixture::log_likelihood_scalar({y, k, model.options().floor}, one);
    }
  });
  const double with_gradient = time_per_item(particles, [&] { model.gradient(theta, prior_gradient, gradient); });
  const double count = static_cast<double>(k * n);
  std::printf("mixture, %zu components, %zu observations, %s; ns per particle\n", k, n,
              hwy::TargetName(hwy::SupportedTargets() & -hwy::SupportedTargets()));
  std::printf("  exp                       %8.3f   (exp2, clamped: %.3f)\n", exp, exp2);
  std::printf("  floor: %4.0f x exp         %8.1f   (with exp2: %.1f)\n", count, count * exp, count * exp2);
  std::printf("  likelihood                %8.1f   %.2f x floor (with exp2: %.2f)\n", likelihood,
              likelihood / (count * exp), likelihood / (count * exp2));
  std::printf("  scalar twin               %8.1f   %.1f x the likelihood\n", scalar, scalar / likelihood);
  std::printf("  gradients                 %8.1f   %.2f x the likelihood\n", with_gradient, with_gradient / likelihood);
  if (k == 1) return;

  model.log_prior(theta, lp);
  model.log_likelihood(theta, ll);
  std::uint32_t step = 0;
  const auto move_time = [&](const GaussianMixture& m) {
    return time_per_item(particles, [&] { m.own_move(0.5, {theta, lp, ll}, {streams, ++step, 0, 0}); });
  };
  const double one = move_time(with_moves(1)), many = move_time(with_moves(17));
  std::printf("  own move, first weight move  %5.1f   (computes the densities)\n", one);
  std::printf("  each further weight move  %8.1f   %.2f x the likelihood\n", (many - one) / 16,
              (many - one) / 16 / likelihood);
  std::printf("  exchange of neighbours    %8.1f\n", move_time(ordered));
}

}  // namespace
}  // namespace evident

int main(int argc, char** argv) {
  const auto argument = [&](int i, std::size_t fallback) {
    return argc > i ? static_cast<std::size_t>(std::strtoul(argv[i], nullptr, 10)) : fallback;
  };
  evident::run(argument(1, 4), argument(2, 100));
}
#endif  // HWY_ONCE
