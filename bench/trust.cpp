// How often is a verdict wrong? Whole comparisons on the suite (tests/problems/suite.hpp), whose answers are all known.
//
//   bench_trust [--half design|confirmation] [--seeds N] [--first S] [--setting default|small|few] [--threads N]
//               [--instances N] [--each] [--log FILE] [PART-OF-NAME ...]
//
// --half design is set 1 of the suite, with seeds 1 to 999; --half confirmation is set 2, with seeds from 200001. Set 2
// confirms rules that are ready, once: measure on it while you design, and it confirms nothing.
// The instance of a problem is the seed; with --instances 20 --seeds 100 each of 20 instances has 5 seeds. One row a
// problem: runs; how many were trusted; trusted and wrong (off by more than 0.1 and four standard errors); right but
// not trusted (off by at most 0.1); runs that failed. Of the trusted runs: the share of 95 % intervals that hold the
// answer, the median standard error over the robust standard deviation of the errors, the mean error in its standard
// errors. Then the median of the evaluations and of the CPU seconds, the alarms with their counts, and what failed runs
// said. The last rows are over all problems, and over all but those out of reach.
//
// --setting: `default` has frozen_defaults() and 8 islands, `small` 200 particles, `few` 100 particles and 4 islands.
// --log FILE: a line for each run as it ends, and runs that have one are not made again, so that a measurement can be
// stopped and go on, or grow. A file belongs to one build: start another one when the sources have changed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "evident/base/context.hpp"
#include "evident/smc/sampler.hpp"
#include "known_answers.hpp"
#include "suite_options.hpp"

using namespace evident;
using bench::LoggedRun;
using bench::SuiteOptions;
using problems::Half;
using problems::SuiteEntry;

namespace {

/// What a row shows, of one problem or of several.
struct Counts {
  std::size_t runs = 0, trusted = 0, wrong = 0, unjust = 0, failed = 0, held = 0;
  std::map<std::string, std::size_t> alarms, failures;
  std::vector<double> evaluations, seconds;

  void add(const LoggedRun& r) {
    ++runs;
    if (!r.failure.empty()) {
      ++failed;
      ++failures[r.failure.substr(0, r.failure.find('\n')).substr(0, 120)];
      return;
    }
    trusted += r.trusted() ? 1 : 0;
    wrong += r.trusted_and_wrong() ? 1 : 0;
    unjust += r.right_but_not_trusted() ? 1 : 0;
    held += r.trusted() && r.held ? 1 : 0;
    for (const std::string& alarm : r.alarms) ++alarms[alarm];
    evaluations.push_back(r.evaluations);
    seconds.push_back(r.seconds);
  }
};

/// How honest the standard errors of trusted runs of one problem are; NaN where there are too few of them.
struct Honesty {
  double ratio = kNaN;  ///< median reported standard error over the robust standard deviation of the errors
  double bias = kNaN;   ///< mean error in its standard errors
};

Honesty honesty(const std::vector<LoggedRun>& runs) {
  std::vector<double> errors, reported;
  double answer = 0;
  for (const LoggedRun& r : runs)
    if (r.failure.empty() && r.trusted()) {
      errors.push_back(r.error);
      reported.push_back(r.se);
      answer = std::max(answer, r.answer_error);
    }
  if (errors.size() < 2) return {};
  Honesty out{.bias = mean(errors) / std::hypot(error_of_mean(errors), answer)};
  if (errors.size() < 5) return out;
  const double middle = median(errors);
  std::vector<double> away;
  for (const double e : errors) away.push_back(std::abs(e - middle));
  out.ratio = median(reported) / (1.4826 * median(away));  // the factor makes it the standard deviation of a normal
  return out;
}

double middle(const std::vector<double>& x) { return x.empty() ? kNaN : median(x); }

std::string number(const char* format, double value) {
  if (!std::isfinite(value)) return "-";
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void print(const std::string& title, const std::string& family, const Counts& c, const Honesty& h) {
  std::string said = bench::counted(c.alarms);
  for (const auto& [failure, count] : c.failures) said += " [" + std::to_string(count) + " failed: " + failure + "]";
  const double holds = c.trusted == 0 ? kNaN : 100 * static_cast<double>(c.held) / static_cast<double>(c.trusted);
  std::printf("| %s | %s | %zu | %zu | %zu | %zu | %zu | %s | %s | %s | %s | %s | %s |\n", title.c_str(),
              family.c_str(), c.runs, c.trusted, c.wrong, c.unjust, c.failed, number("%.1f %%", holds).c_str(),
              number("%.2f", h.ratio).c_str(), number("%+.1f", h.bias).c_str(),
              number("%.1e", middle(c.evaluations)).c_str(), number("%.1f", middle(c.seconds)).c_str(), said.c_str());
  std::fflush(stdout);
}

void measure(const SuiteOptions& options) {
  bench::TrustLog log(options.log);
  const Executor executor(options.threads);
  Counts all, reachable;
  std::vector<double> ratios, reachable_ratios;
  std::printf("%s half, %s setting, %zu seeds from %llu\n\n", std::string(name(options.half)).c_str(),
              options.setting.c_str(), options.seeds, static_cast<unsigned long long>(options.first));
  std::printf(
      "| problem | family | runs | trusted | trusted and wrong | right but not trusted | failed | 95 %% holds | SE / "
      "SD | "
      "mean error in its SEs | evaluations | CPU s | alarms "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const SuiteEntry& entry : problems::suite()) {
    if (entry.half() != options.half || !bench::has_part(entry.name, options.names)) continue;
    std::vector<LoggedRun> runs(options.seeds);
    executor.for_each(runs.size(), [&](std::size_t i) {
      const std::uint64_t seed = options.first + i;
      if (const LoggedRun* made = log.find(options.setting, entry.name, seed)) {
        runs[i] = *made;
      } else {
        runs[i] = bench::run_entry(entry, seed, options);
        log.add(runs[i]);
      }
    });
    Counts own;
    for (const LoggedRun& r : runs) {
      own.add(r);
      all.add(r);
      if (!entry.out_of_reach) reachable.add(r);
    }
    const Honesty h = honesty(runs);
    if (std::isfinite(h.ratio)) {
      ratios.push_back(h.ratio);
      if (!entry.out_of_reach) reachable_ratios.push_back(h.ratio);
    }
    print(entry.name + (entry.out_of_reach ? " (out of reach)" : ""), entry.family, own, h);
  }
  // Of the ratios the median; errors of different problems have no mean.
  print("**all**", "", all, {.ratio = middle(ratios)});
  print("**all within reach**", "", reachable, {.ratio = middle(reachable_ratios)});
}

}  // namespace

int main(int argc, char** argv) {
  try {
    measure(bench::read_suite_options(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_trust: %s\n", e.what());
    return 2;
  }
}
