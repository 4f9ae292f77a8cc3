// Are samplers and moves right? Simulation-based calibration of every sampler on every kind of model, and Geweke's
// joint test of every kernel and every jump; both at length.
//
//   bench_sbc [--sets N] [--chains N] [--seed S] [--only sbc|joint] [--world PART] [--sampler PART] [--every]
//   [--details]
//
// Three worlds are tried with every sampler, the others with the direct method only unless --every is said. One row a
// sampler and world: data sets, tests (ranks of each parameter and of the log likelihood; posterior probabilities of
// the models), the smallest p-value, the same adjusted by Holm for all tests of the row, the largest z of the model
// probabilities, and CPU seconds. All rows together are judged by Holm, too. Exit status 1 when something is below 1 %.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "correctness/joint.hpp"
#include "correctness/sbc.hpp"
#include "correctness/verdicts.hpp"

using namespace evident;
using namespace evident::correctness;
using problems::World;

namespace {

constexpr double kLevel = 0.01;

struct Options {
  std::size_t sets = 96, chains = 1000;
  std::uint64_t seed = 1;
  std::string only = {}, world = {}, sampler = {};
  bool details = false, every = false;
};

Options read(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--details" || word == "--every") {
      (word == "--every" ? o.every : o.details) = true;
      continue;
    }
    if (i + 1 == argc) std::printf("%s needs a value\n", word.c_str()), std::exit(2);
    const std::string value = argv[++i];
    if (word == "--sets")
      o.sets = std::strtoul(value.c_str(), nullptr, 10);
    else if (word == "--chains")
      o.chains = std::strtoul(value.c_str(), nullptr, 10);
    else if (word == "--seed")
      o.seed = std::strtoul(value.c_str(), nullptr, 10);
    else if (word == "--only")
      o.only = value;
    else if (word == "--world")
      o.world = value;
    else if (word == "--sampler")
      o.sampler = value;
    else
      std::printf("unknown option %s\n", word.c_str()), std::exit(2);
  }
  return o;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Adds to all p-values, and says whether a row stands out by itself.
double judge(const std::vector<double>& p_values, std::vector<double>& all) {
  all.insert(all.end(), p_values.begin(), p_values.end());
  return smallest_adjusted(p_values);
}

void details_of(const Calibrated& c) {
  for (const RankTest& r : c.ranks)
    std::printf("    %s: %zu sets in %zu bins, p = %.4f\n", r.parameter.c_str(), r.sets, r.bins, r.p_value);
  for (const IndexTest& m : c.index)
    std::printf("    %s: prior %.4f, posterior %.4f +- %.4f, z = %+.2f, frequency z = %+.2f\n", m.model.c_str(),
                m.prior, m.mean, m.error, m.z, m.z_frequency);
}

void calibration_row(const World& world, const Sampler& sampler, const Options& options, std::size_t sets,
                     const Executor& executor, std::vector<double>& all) {
  const Calibrated c = calibrate(world, sampler, {.sets = sets, .seed = options.seed}, executor);
  const auto p_values = c.p_values();
  double z = 0;
  std::size_t least = 1000, most = 0;
  for (const IndexTest& m : c.index) z = std::max({z, std::abs(m.z), std::abs(m.z_frequency)});
  for (const RankTest& r : c.ranks) least = std::min(least, r.bins), most = std::max(most, r.bins);
  char bins[32] = "-", largest[32] = "-";
  if (most > 0) std::snprintf(bins, sizeof bins, least == most ? "%zu" : "%zu to %zu", least, most);
  if (!c.index.empty()) std::snprintf(largest, sizeof largest, "%.2f", z);
  std::printf("| %s | %s | %zu | %s | %zu | %.4f | %.3f | %s | %.0f |\n", world.name.c_str(), sampler.name.c_str(),
              c.sets, bins, p_values.size(), std::ranges::min(p_values), judge(p_values, all), largest, c.cpu_seconds);
  if (options.details) details_of(c);
  std::fflush(stdout);
}

/// Worlds that every sampler is tried on, and others that the direct method is tried on.
void all_calibrations(const Options& options, const Executor& executor, std::vector<double>& all) {
  std::printf(
      "| world | sampler | data sets | bins | tests | smallest p | by Holm | model probabilities, largest z | CPU s |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  const auto rows = [&](const World& world, bool every, std::size_t sets) {
    for (const Sampler& sampler : samplers())
      if (has(world.name, options.world) && has(sampler.name, options.sampler) && sampler.fits(world) &&
          (every || options.every || sampler.name == "direct" || sampler.name == "direct, adaptive"))
        calibration_row(world, sampler, options, sets, executor, all);
  };
  rows(problems::regression_world(), true, options.sets);
  rows(problems::mixture_world(), true, options.sets);
  rows(problems::pet_world(), true, options.sets);
  for (const World& world : {problems::pet_world(true), problems::pet_marginal_world(), problems::goodwin_world(0),
                             problems::formula_world(), problems::ode_world()})
    rows(world, false, options.sets);
  // Own moves of Goodwin make a map of each data set first.
  const World own = problems::goodwin_world(3);
  if (has(own.name, options.world) && has("direct, adaptive", options.sampler))
    calibration_row(own, find_sampler("direct, adaptive"), options, options.sets / 2, executor, all);
}

void joint_row(const JointMove& move, const JointOptions& options, const Executor& executor, std::vector<double>& all) {
  const JointTest test = joint_test(move, options, executor);
  const auto p_values = test.p_values();
  std::printf("| %s | %s | %zu | %zu | %.2f | %s | %.3f |\n", move.name.c_str(), move.world.name.c_str(),
              options.chains, test.z.size(), test.moved, test.worst().c_str(), judge(p_values, all));
  std::fflush(stdout);
}

void all_joint(const Options& options, const Executor& executor, std::vector<double>& all) {
  std::printf(
      "\n| move | world | chains | functions | moved | furthest off | by Holm |\n|---|---|---|---|---|---|---|\n");
  const JointOptions at_length{
      .chains = options.chains, .steps = 60, .direct = 40 * options.chains, .seed = options.seed};
  for (const JointMove& move : kernel_moves()) joint_row(move, at_length, executor, all);
  for (const JointMove& move : jump_moves()) joint_row(move, at_length, executor, all);
  const JointMove goodwin = own_move("Goodwin's own move", problems::goodwin_world(3), 0);
  joint_row(goodwin, {.chains = options.chains / 12, .steps = 4, .direct = 10 * options.chains, .seed = options.seed},
            executor, all);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read(argc, argv);
  const Executor executor(0);
  std::vector<double> all;
  if (options.only != "joint") all_calibrations(options, executor, all);
  if (options.only != "sbc") all_joint(options, executor, all);
  const double smallest = smallest_adjusted(all);
  std::printf("\n%zu tests, smallest p-value by Holm over all of them: %.3f: %s\n", all.size(), smallest,
              smallest > kLevel ? "nothing found" : "SOMETHING IS WRONG");
  return smallest > kLevel ? 0 : 1;
}
