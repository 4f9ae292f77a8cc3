// Evidence of two PET compartments, and the Bayes factor of two over one.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "baseline/population_mcmc.hpp"
#include "data.hpp"
#include "evident/base/log_math.hpp"
#include "figure.hpp"
#include "models/pet/compartments.hpp"
#include "problems/registry.hpp"
#include "samplers.hpp"
#include "tables.hpp"

namespace zhou2016 {
namespace {

using namespace evident;

const double kLogEvidence = problems::known("PET, 2 compartments").log_evidence;
constexpr double kLogBayesFactor = 1.687;

enum Column { prior5, posterior5, adaptive_manual, adaptive_adaptive };
constexpr std::array<const char*, 4> kColumns = {"manual, prior (5)", "manual, posterior (5)", "manual, adaptive",
                                                 "adaptive, adaptive"};

struct Cell {
  Published evidence, factor;
};
/// Rows of the paper that are one sampler: DS and PS for each of the four columns.
struct Sampler {
  std::size_t particles, steps;
  double drop;  ///< 1 - CESS/N, for about as many steps with two compartments
  std::array<Cell, 4> standard, path;
};

constexpr std::array<Sampler, 4> kSamplers = {{{192,
                                                500,
                                                3e-4,
                                                {{{{-39.2, .25}, {1.6, .27}},
                                                  {{-39.7, 1.06}, {1.3, 1.13}},
                                                  {{-39.2, .18}, {1.6, .20}},
                                                  {{-39.1, .12}, {1.6, .15}}}},
                                                {{{{-39.2, .25}, {1.6, .27}},
                                                  {{-91.3, 21.69}, {-3.9, 30.02}},
                                                  {{-39.2, .18}, {1.6, .20}},
                                                  {{-39.1, .13}, {1.6, .15}}}}},
                                               {960,
                                                100,
                                                7.5e-3,
                                                {{{{-39.3, .36}, {1.6, .37}},
                                                  {{-40.6, 1.41}, {.5, 1.55}},
                                                  {{-39.2, .31}, {1.6, .34}},
                                                  {{-39.2, .19}, {1.6, .21}}}},
                                                {{{{-39.3, .35}, {1.6, .37}},
                                                  {{-302.1, 46.29}, {-13.1, 66.30}},  // printed without its sign
                                                  {{-39.3, .31}, {1.6, .33}},
                                                  {{-39.2, .18}, {1.6, .21}}}}},
                                               {192,
                                                5000,
                                                3.6e-6,
                                                {{{{-39.2, .09}, {1.6, .10}},
                                                  {{-39.2, .20}, {1.6, .23}},
                                                  {{-39.2, .08}, {1.6, .09}},
                                                  {{-39.1, .04}, {1.6, .05}}}},
                                                {{{{-39.2, .09}, {1.6, .10}},
                                                  {{-43.8, 2.13}, {1.3, 2.98}},
                                                  {{-39.2, .08}, {1.6, .09}},
                                                  {{-39.1, .04}, {1.6, .05}}}}},
                                               {960,
                                                1000,
                                                7.5e-5,
                                                {{{{-39.2, .08}, {1.6, .09}},
                                                  {{-39.2, .31}, {1.6, .33}},
                                                  {{-39.2, .07}, {1.6, .08}},
                                                  {{-39.2, .03}, {1.6, .04}}}},
                                                {{{{-39.2, .08}, {1.6, .09}},
                                                  {{-65.7, 5.54}, {-.2, 6.63}},
                                                  {{-39.2, .07}, {1.6, .08}},
                                                  {{-39.2, .03}, {1.6, .04}}}}}}};

struct Chains {
  std::size_t kept;
  Cell prior, posterior;
};
constexpr std::array<Chains, 2> kChains = {{{500, {{-39.1, .56}, {1.7, .62}}, {{-926.8, 376.99}, {-70.9, 525.79}}},
                                            {5000, {{-39.3, .21}, {1.6, .24}}, {{-917.6, 129.54}, {-60.3, 198.10}}}}};

KernelOptions manual(std::size_t m, std::size_t passes) {
  KernelOptions kernel =
      manual_kernel([m](std::size_t j, double alpha) { return pet_manual_scale(m, j, alpha); }, Grouping::blocks);
  kernel.passes = passes;
  return kernel;
}

SmcOptions options_of(const Settings& settings, const Sampler& s, Column column, std::size_t m) {
  SmcOptions options{.particles = settings.particles(s.particles)};
  const std::size_t steps = settings.quick ? s.steps / 10 : s.steps;
  const double drop = settings.quick ? std::min(100 * s.drop, 0.1) : s.drop;
  if (column == prior5)
    options.schedule = PowerSchedule{steps, 5};
  else if (column == posterior5)
    options.schedule = PosteriorSchedule{steps, 5};
  else
    options.schedule = CessSchedule{.target = 1 - drop, .memory = std::max(1.0, static_cast<double>(steps) / 100)};
  if (column == adaptive_adaptive)
    options.kernel = {.scale_rule = ScaleRule::band, .passes = 4};
  else
    options.kernel = manual(m, column == adaptive_manual ? 3 : 1);
  return options;
}

/// What one sampler gives for both models.
struct Pair {
  std::vector<Estimates> one, two;
};

class Tables {
 public:
  Tables(const Settings& settings, bool factors)
      : settings_(settings),
        models_{pet_model(settings.data, 1), pet_model(settings.data, 2)},
        count_(settings.count(100)),
        factors_(factors) {
    for (Section* section : {&evidence_, &factor_}) section->label_names = {"algorithm", "N", "T", "scales, schedule"};
    evidence_.extra_names = {"steps", "log of mean evidence"};
    factor_.extra_names = {"steps"};
    evidence_.title = "Log evidence of two compartments";
    factor_.title = "Log Bayes factor, two compartments over one";
  }

  void run() {
    for (std::size_t half = 0; half < 2; ++half) {
      for (const bool posterior : {false, true}) chains(kChains[half], posterior);
      for (std::size_t s = 2 * half; s < 2 * half + 2; ++s)
        for (const Column column : {prior5, posterior5, adaptive_manual, adaptive_adaptive}) sampler(s, column);
    }
  }

  Section evidence_, factor_;

 private:
  void add(const std::vector<std::string>& labels, const Cell& published, const std::vector<double>& one,
           const std::vector<double>& two, Column column, bool path, const std::string& steps) {
    const bool biased = column == posterior5;
    const double limit = column >= adaptive_manual ? 1.1 : 1.3;
    evidence_.rows.push_back({labels,
                              published.evidence,
                              kLogEvidence,
                              summarise(two),
                              biased,
                              limit,
                              {steps, path ? "-" : fmt::format("{:.3f}", log_mean_exp(two))}});
    if (!factors_) return;
    std::vector<double> ratio;
    for (std::size_t i = 0; i < one.size(); ++i) ratio.push_back(two[i] - one[i]);
    factor_.rows.push_back({labels, published.factor, kLogBayesFactor, summarise(ratio), biased, limit, {steps}});
  }

  void sampler(std::size_t s, Column column) {
    const Sampler& row = kSamplers[s];
    tell("{}: N = {}, T = {}", kColumns[column], row.particles, row.steps);
    Pair runs;
    for (const std::size_t m : {1, 2})
      if (m == 2 || factors_)
        (m == 1 ? runs.one : runs.two) =
            direct_runs(settings_, count_, {.data_set = 10 * s + column, .model = static_cast<std::uint32_t>(m)},
                        models_[m - 1], options_of(settings_, row, column, m));
    const std::string steps = fmt::format("{:.0f}", mean_steps(runs.two));
    for (const bool path : {false, true}) {
      const Member member = path ? &Estimates::path : &Estimates::standard;
      add({path ? "SMC2-PS" : "SMC2-DS", fmt::format("{}", settings_.particles(row.particles)),
           fmt::format("{}", row.steps), kColumns[column]},
          (path ? row.path : row.standard)[column], values(runs.one, member), values(runs.two, member), column, path,
          steps);
    }
  }

  void chains(const Chains& row, bool posterior) {
    tell("population MCMC, {} kept, {}", row.kept, posterior ? "posterior (5)" : "prior (5)");
    std::array<std::vector<double>, 2> results;
    const Executor executor(settings_.threads);
    for (const std::size_t m : {1, 2}) {
      if (m == 1 && !factors_) continue;
      const PopulationMcmcOptions options{
          .chains = 30,
          .ladder = posterior ? Schedule(PosteriorSchedule{.power = 5}) : Schedule(PowerSchedule{.power = 5}),
          .exchange = ExchangeScheme::one,
          .burn_in = settings_.quick ? 200U : 5000U,
          .iterations = settings_.quick ? 100 : row.kept,
          .ladders = std::max<std::size_t>(count_, 1),
          .kernel = manual(m, 1)};
      const Streams streams({.seed = settings_.seed,
                             .data_set = 100 + row.kept + (posterior ? 1U : 0U),
                             .model = static_cast<std::uint32_t>(m)});
      results[m - 1] = trapezoid(population_mcmc(models_[m - 1], options, {streams, executor}));
    }
    add({"PMCMC", "30", fmt::format("{}", row.kept), posterior ? kColumns[posterior5] : kColumns[prior5]},
        posterior ? row.posterior : row.prior, results[0], results[1], posterior ? posterior5 : prior5, true, "-");
    // The rungs of the ladder are so far apart that the trapezoid rule is off at either shape.
    evidence_.rows.back().biased = true;
    if (factors_) factor_.rows.back().biased = true;
  }

  // Over all rungs, as published, for each ladder.
  static std::vector<double> trapezoid(const PopulationMcmcRun& run) {
    std::vector<double> out;
    for (const std::vector<double>& mean : run.ladder_mean) {
      double sum = 0;
      for (std::size_t c = 1; c < run.alphas.size(); ++c)
        sum += (run.alphas[c] - run.alphas[c - 1]) * (mean[c] + mean[c - 1]) / 2;
      out.push_back(sum);
    }
    return out;
  }

  const Settings& settings_;
  std::array<PetCompartments, 2> models_;
  std::size_t count_;
  bool factors_;
};

Results results_of(const Settings& settings, const std::string& name, const Section& section) {
  const bool evidence = name == "pet-evidence";
  Results out;
  out.name = name;
  out.title = evidence ? "PET: log evidence of two compartments" : "PET: log Bayes factor, two compartments over one";
  out.settings = {
      fmt::format("Seed {}, {} replicates", settings.seed, settings.count(100)),
      "N particles (or chains), T steps (or kept iterations). Fixed schedules take T steps; adaptive ones are set by a "
      "drop of CESS/N of 0.0003, 0.0075, 0.0000036 and 0.000075 a step, which gives about T steps for two "
      "compartments, with a "
      "memory of T/100 steps",
      "Posterior (5) is compared with the published value, because its first steps are too long for any estimator; the "
      "log of the mean evidence over the replicates shows that SMC2-DS is still right on average on that scale",
      "SMC2-DS is the standard estimate, SMC2-PS the trapezoid rule over the sampled alphas from 0 on; resampling is "
      "stratified, when ESS/N < 0.5",
      "Moves: random walk on {phi}, {theta}, {lambda} in turn. Manual scales: one pass a step with a fixed schedule, "
      "three with "
      "an adaptive one. Adaptive scales: four passes a step, scales from the particles' covariance, kept in a band of "
      "acceptance",
      "PMCMC: 30 chains, all moved in every iteration, 5000 iterations of burn-in, manual scales, trapezoid rule"};
  out.sections = {section};
  out.notes = {kRule};
  out.svg = evidence ? dot_plot(out.title, out.sections, -42, -37.5) : dot_plot(out.title, out.sections, -1, 4);
  return out;
}

}  // namespace

std::vector<Results> pet_tables(const Settings& settings, const std::vector<std::string>& names) {
  const bool factors = std::ranges::find(names, "pet-bayes-factor") != names.end();
  Tables tables(settings, factors);
  tables.run();
  std::vector<Results> out;
  for (const std::string& name : names)
    out.push_back(results_of(settings, name, name == "pet-evidence" ? tables.evidence_ : tables.factor_));
  return out;
}

}  // namespace zhou2016
