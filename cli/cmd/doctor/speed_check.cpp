#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "cmd/doctor/pet_problem.hpp"
#include "cmd/doctor/self_test.hpp"

namespace evident::cli::doctor {
namespace {

double thread_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds of one call, the least of several windows: others may load the machine.
template <class F>
double least_seconds(const F& f) {
  constexpr int kWindows = 10;
  constexpr double kWindow = 0.01;
  double best = 1e300;
  for (int w = 0; w < kWindows; ++w) {
    const double start = thread_seconds();
    double spent = 0;
    int calls = 0;
    for (; spent < kWindow; ++calls) {
      f();
      spent = thread_seconds() - start;
    }
    best = std::min(best, spent / calls);
  }
  return best;
}

}  // namespace

Check speed_check() {
  // docs/performance.md: 43 ns, which is 23 million a second, with AVX2 on the cores of a server.
  constexpr double kUsualFrom = 1e7, kUsualTo = 4e7, kMuchSlower = 2e6;
  constexpr std::size_t kEvaluations = 1024;
  const PetProblem problem(kEvaluations);
  AlignedVector<double> out(kEvaluations);
  const double seconds = least_seconds([&] {
    problem.model.log_likelihood(problem.draws.block(), {out.data(), kEvaluations});
  });
  const double rate = static_cast<double>(kEvaluations) / seconds;

  Check check{.key = "speed", .label = "Speed", .passed = true, .text = {}};
  check.numbers = {{"pet_likelihoods_per_second", rate}};
  const std::string usual = fmt::format("usual are {:.0f} to {:.0f} million", 1e-6 * kUsualFrom, 1e-6 * kUsualTo);
  std::string words = "faster than usual";
  if (rate < kMuchSlower) {
    words = "much slower than usual";
    check.advice = "was it built without optimisation, or with a sanitizer? Use a Release build";
  } else if (rate < kUsualFrom) {
    words = "slower than usual";
    check.advice = "the processor may lack AVX2, or be old or shared with others; results are the same";
  } else if (rate < kUsualTo) {
    words = "as usual";
  }
  check.text = fmt::format("{:.3g} million PET likelihoods a second on one thread, {} ({})", 1e-6 * rate, words, usual);
  return check;
}

}  // namespace evident::cli::doctor
