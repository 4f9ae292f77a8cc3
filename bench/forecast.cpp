// How near is the forecast of `evident check` to what a comparison costs? On the suite (tests/problems/suite.hpp).
//
//   bench_forecast [--half design|confirmation] [--seeds N] [--first S] [--setting default|small|few]
//                  [--limit SECONDS] [--each] [--log FILE] [PART-OF-NAME ...]
//
// --half is that of bench_trust; leave it at design, because a comparison on the other half shows what it is kept for.
// One row a problem: likelihood evaluations and CPU seconds of a comparison (medians over seeds), forecast over what it
// was (smallest, median and largest of the seeds), how many forecasts were within a factor of 2, how many runs were
// within the range that is told, and the seconds that a forecast took. The last rows are over all runs.
// --log FILE is that of bench_trust: comparisons that it holds are not made again; forecasts always are. One run at a
// time on one thread, because a forecast works against the clock. --limit: what it may take; with less than a
// comparison takes, more of it is extrapolated.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "compare/model_check.hpp"
#include "suite_options.hpp"

using namespace evident;
using bench::LoggedRun;
using bench::SuiteOptions;
using problems::SuiteEntry;

namespace {

/// Forecasts over what it was.
struct Ratios {
  std::vector<double> values;
  std::size_t held = 0;  ///< what it was is within the range, give or take a factor of 2

  void add(double forecast, double least, double most, double was) {
    values.push_back(forecast / was);
    held += was > least / 2 && was < 2 * most ? 1 : 0;
  }
  void add(const Ratios& o) {
    values.insert(values.end(), o.values.begin(), o.values.end());
    held += o.held;
  }
  std::size_t near() const {
    return static_cast<std::size_t>(std::ranges::count_if(values, [](double r) { return r >= 0.5 && r <= 2; }));
  }
  std::string text() const {
    if (values.empty()) return "-";
    char out[80];
    std::snprintf(out, sizeof out, "%.2f %.2f %.2f", std::ranges::min(values), median(values),
                  std::ranges::max(values));
    return out;
  }
};

struct Row {
  std::size_t runs = 0, none = 0, failed = 0;
  Ratios evaluations, seconds;
  std::vector<double> were_evaluations, were_seconds, took;

  void add(const Row& o) {
    runs += o.runs, none += o.none, failed += o.failed;
    evaluations.add(o.evaluations), seconds.add(o.seconds);
    for (const auto& [to, from] :
         {std::pair{&were_evaluations, &o.were_evaluations}, {&were_seconds, &o.were_seconds}, {&took, &o.took}})
      to->insert(to->end(), from->begin(), from->end());
  }
};

void print(const std::string& title, const Row& r) {
  const auto middle = [](const std::vector<double>& x) { return x.empty() ? kNaN : median(x); };
  std::printf("| %s | %zu | %.1e | %.2f | %s | %s | %zu | %zu | %zu | %zu | %.2f | %zu | %zu |\n", title.c_str(),
              r.runs, middle(r.were_evaluations), middle(r.were_seconds), r.evaluations.text().c_str(),
              r.seconds.text().c_str(), r.evaluations.near(), r.seconds.near(), r.evaluations.held, r.seconds.held,
              r.took.empty() ? kNaN : std::ranges::max(r.took), r.none, r.failed);
  std::fflush(stdout);
}

Forecast forecast_of(const SuiteEntry& entry, std::uint64_t seed, const SuiteOptions& options, double limit,
                     double& took) {
  const CompareOptions compared = bench::compare_options(options.setting, seed);
  ModelCheckOptions wanted{.smc = *compared.smc, .islands = compared.islands};
  if (limit > 0) wanted.forecast_limit = limit;
  const Executor executor(1);
  const problems::Problem problem = entry.make(seed);
  const double start = bench::thread_seconds();
  Forecast out = *check_model(*problem.model, wanted, {Streams({.seed = seed}), executor}).forecast;
  took = bench::thread_seconds() - start;
  return out;
}

void show(std::uint64_t seed, const Forecast& f, const LoggedRun& was) {
  std::printf("# seed %llu: %.3g evaluations of %.3g (%.2f), %.3g s of %.3g (%.2f)",
              static_cast<unsigned long long>(seed), f.whole.evaluations, was.evaluations,
              f.whole.evaluations / was.evaluations, f.whole.cpu_seconds, was.seconds,
              f.whole.cpu_seconds / was.seconds);
  for (const StageForecast& s : f.stages) std::printf("; %s %.3g, %.3g s", s.name.c_str(), s.evaluations, s.seconds);
  std::printf("%s%s\n", f.why_not.empty() ? "" : "; none: ", f.why_not.c_str());
}

Row row_of(const SuiteEntry& entry, const SuiteOptions& options, double limit, bench::TrustLog& log) {
  Row row;
  for (std::uint64_t seed = options.first; seed < options.first + options.seeds; ++seed) {
    const LoggedRun* known = log.find(options.setting, entry.name, seed);
    const LoggedRun was = known != nullptr ? *known : bench::run_entry(entry, seed, options);
    if (known == nullptr) log.add(was);
    ++row.runs;
    if (!was.failure.empty()) {
      ++row.failed;
      continue;
    }
    double took = 0;
    const Forecast f = forecast_of(entry, seed, options, limit, took);
    row.took.push_back(took);
    if (options.each) show(seed, f, was);
    row.were_evaluations.push_back(was.evaluations);
    row.were_seconds.push_back(was.seconds);
    if (!f.why_not.empty()) {
      ++row.none;
      continue;
    }
    row.evaluations.add(f.whole.evaluations, f.least.evaluations, f.most.evaluations, was.evaluations);
    row.seconds.add(f.whole.cpu_seconds, f.least.cpu_seconds, f.most.cpu_seconds, was.seconds);
  }
  return row;
}

void measure(const SuiteOptions& options, double limit) {
  bench::TrustLog log(options.log);
  Row all;
  std::printf(
      "| problem | runs | evaluations | CPU s | forecast / evaluations | forecast / CPU s | evaluations near | CPU s "
      "near | evaluations in range | CPU s in range | CPU s of a check, at most | none | failed "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const SuiteEntry& entry : problems::suite()) {
    if (entry.half() != options.half || !bench::has_part(entry.name, options.names)) continue;
    const Row row = row_of(entry, options, limit, log);
    print(entry.name, row);
    all.add(row);
  }
  print("**all**", all);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    double limit = 0;
    const auto own = [&](const std::string& word, const std::function<std::string()>& value) {
      if (word != "--limit") return false;
      limit = std::strtod(value().c_str(), nullptr);
      if (!(limit > 0)) throw std::runtime_error("--limit is seconds, above 0");
      return true;
    };
    const SuiteOptions options = bench::read_suite_options(argc, argv, own);
    measure(options, limit);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_forecast: %s\n", e.what());
    return 2;
  }
}
