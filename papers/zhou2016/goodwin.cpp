// Evidence of the Goodwin oscillator with three and with five substances.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "baseline/population_mcmc.hpp"
#include "data.hpp"
#include "figure.hpp"
#include "models/goodwin/goodwin.hpp"
#include "problems/registry.hpp"
#include "samplers.hpp"
#include "tables.hpp"

namespace zhou2016 {
namespace {

using namespace evident;

struct Cells {
  Published three, five, factor;
};
struct Numbers {
  std::array<Cells, 3> chains;              ///< 10, 30 and 100 of them
  std::array<std::array<Cells, 2>, 3> smc;  ///< [row][DS, PS]
  double three, five;                       ///< evidences of the best known modes, see docs/goodwin.md
  bool simple;                              ///< the factor is of three over five; otherwise of five over three
};

const Numbers kSimple = {{{{{-109.7, 3.2}, {-120.3, 2.5}, {10.6, 3.8}},
                           {{-105.0, 1.2}, {-116.1, 2.2}, {11.2, 2.5}},
                           {{-134.7, 7.9}, {-144.1, 6.2}, {9.4, 11.2}}}},
                         {{{{{{-104.6, 2.0}, {-112.7, 1.8}, {8.1, 2.8}}, {{-104.5, 1.8}, {-112.7, 1.5}, {8.2, 2.5}}}},
                           {{{{-104.5, 1.1}, {-112.7, 1.1}, {8.1, 1.6}}, {{-104.6, 1.0}, {-112.8, 1.0}, {8.2, 1.5}}}},
                           {{{{-104.5, 0.5}, {-112.7, 0.4}, {8.1, 0.8}}, {{-104.6, 0.4}, {-112.8, 0.3}, {8.1, 0.6}}}}}},
                         problems::known("Goodwin, 3 components").log_evidence,
                         problems::known("Goodwin, 5 components").log_evidence,
                         true};
const Numbers kComplex = {{{{{-1651, 27.9}, {-85.1, 36.6}, {1566, 42.1}},
                            {{-1640, 7.4}, {-78.9, 11.2}, {1561, 12.8}},
                            {{-1625, 15.7}, {-75.7, 24.8}, {1549, 25.6}}}},
                          {{{{{{-1641, 10.8}, {-78.5, 9.8}, {1562, 10.1}}, {{-1641, 8.4}, {-79.2, 7.9}, {1562, 8.5}}}},
                            {{{{-1640, 6.9}, {-78.6, 4.8}, {1561, 7.1}}, {{-1640, 5.4}, {-78.8, 3.7}, {1561, 6.8}}}},
                            {{{{-1640, 2.2}, {-79.4, 1.7}, {1560, 3.1}}, {{-1640, 1.9}, {-78.5, 1.5}, {1562, 2.3}}}}}},
                          problems::known("Goodwin, complex data, 3 components").log_evidence,
                          problems::known("Goodwin, complex data, 5 components").log_evidence,
                          false};

constexpr std::array<std::size_t, 3> kChainCounts = {10, 30, 100};
constexpr std::array<const char*, 3> kSchemes = {"manual, prior (5)", "manual, adaptive", "adaptive, adaptive"};

KernelOptions manual() {
  return manual_kernel([](std::size_t, double alpha) { return goodwin_manual_scale(alpha); }, Grouping::single);
}

class Table {
 public:
  Table(const Settings& settings, const std::string& data)
      : settings_(settings), numbers_(data == "simple" ? kSimple : kComplex), count_(settings.count(20)) {
    for (const std::size_t m : {3, 5})
      models_.emplace_back(goodwin_data(settings.data, data), GoodwinOptions{.components = m});
    const char* titles[] = {
        "Three substances", "Five substances",
        numbers_.simple ? "Log Bayes factor, three over five" : "Log Bayes factor, five over three"};
    for (const char* title : titles)
      sections_.push_back({title, {"algorithm", "T", "scales, schedule"}, {"in the best mode", "CPU seconds"}, {}});
  }

  std::vector<Section> run() {
    for (std::size_t i = 0; i < 3; ++i) chains(i);
    for (std::size_t i = 0; i < 3; ++i) samplers(i);
    return sections_;
  }

 private:
  void chains(std::size_t i) {
    std::array<std::vector<double>, 2> results;
    std::array<double, 2> seconds{};
    const Executor executor(settings_.threads);
    for (std::size_t m = 0; m < 2; ++m) {
      tell("population MCMC, {} chains, {}", kChainCounts[i], sections_[m].title);
      const PopulationMcmcOptions options{.chains = settings_.quick ? 10 : kChainCounts[i],
                                          .ladder = PowerSchedule{.power = 5},
                                          .update = ChainUpdate::serial,
                                          .exchange = ExchangeScheme::one,
                                          .burn_in = settings_.quick ? 200U : 50000U,
                                          .iterations = settings_.quick ? 100U : 10000U,
                                          .ladders = count_,
                                          .kernel = manual()};
      const Streams streams({.seed = settings_.seed, .data_set = 300 + i, .model = static_cast<std::uint32_t>(m)});
      const double start = cpu_seconds();
      results[m] = population_mcmc(models_[m], options, {streams, executor}).ladder_log_evidence;
      seconds[m] = (cpu_seconds() - start) / static_cast<double>(count_);
    }
    add({"PMCMC", fmt::format("{} chains", kChainCounts[i]), kSchemes[0]}, numbers_.chains[i], results, seconds);
  }

  SmcOptions options_of(std::size_t scheme, const Model& model) const {
    SmcOptions options{.particles = settings_.particles(1000)};
    if (settings_.quick) options.schedule = CessSchedule{0.9};
    if (scheme == 2) return options;  // the library's defaults, its own moves included
    options.kernel = manual();
    if (scheme == 0)
      options.schedule = PowerSchedule{settings_.quick ? 50U : 500U, 5};
    else if (!settings_.quick)
      options.schedule = CessSchedule{cess_for_steps(settings_, model, options, 500)};
    return options;
  }

  void samplers(std::size_t scheme) {
    std::array<std::vector<double>, 2> standard, path;
    std::array<double, 2> seconds{};
    std::array<std::string, 2> steps;
    for (std::size_t m = 0; m < 2; ++m) {
      tell("{}, {}", kSchemes[scheme], sections_[m].title);
      const SmcOptions options = options_of(scheme, models_[m]);
      const double start = cpu_seconds();
      const auto runs = direct_runs(
          settings_, count_, {.data_set = 310 + scheme, .model = static_cast<std::uint32_t>(m)}, models_[m], options);
      seconds[m] = (cpu_seconds() - start) / static_cast<double>(count_);
      standard[m] = values(runs, &Estimates::standard);
      path[m] = values(runs, &Estimates::path_guarded);
      steps[m] = fmt::format("{:.0f}", mean_steps(runs));
    }
    const std::string t = steps[0] == steps[1] ? steps[0] : steps[0] + "/" + steps[1];
    add({"SMC2-DS", t, kSchemes[scheme]}, numbers_.smc[scheme][0], standard, seconds);
    add({"SMC2-PS", t, kSchemes[scheme]}, numbers_.smc[scheme][1], path, seconds);
  }

  void add(const std::vector<std::string>& labels, const Cells& published,
           const std::array<std::vector<double>, 2>& results, const std::array<double, 2>& seconds) {
    const std::array<double, 2> best = {numbers_.three, numbers_.five};
    for (std::size_t m = 0; m < 2; ++m)
      add_row(sections_[m], labels, m == 0 ? published.three : published.five, best[m], results[m], seconds[m]);
    std::vector<double> factor;
    for (std::size_t i = 0; i < count_; ++i)
      factor.push_back((results[0][i] - results[1][i]) * (numbers_.simple ? 1 : -1));
    const double truth = (best[0] - best[1]) * (numbers_.simple ? 1 : -1);
    add_row(sections_[2], labels, published.factor, truth, factor, seconds[0] + seconds[1]);
  }

  void add_row(Section& section, const std::vector<std::string>& labels, const Published& published, double truth,
               const std::vector<double>& x, double seconds) const {
    std::size_t in_mode = 0;
    for (const double v : x) in_mode += std::abs(v - truth) < 3 ? 1 : 0;
    section.rows.push_back({labels,
                            published,
                            truth,
                            summarise(x),
                            false,
                            1.3,
                            {fmt::format("{} of {}", in_mode, x.size()), fmt::format("{:.1f}", seconds)}});
  }

  const Settings& settings_;
  const Numbers& numbers_;
  std::size_t count_;
  std::vector<Goodwin> models_;
  std::vector<Section> sections_;
};

}  // namespace

Results goodwin_table(const Settings& settings, const std::string& data) {
  Results out;
  out.name = "goodwin-" + data;
  out.title = fmt::format("Goodwin oscillator: evidences on the {} data", data);
  out.settings = {
      fmt::format("Seed {}, {} replicates, {} particles", settings.seed, settings.count(20), settings.particles(1000)),
      "Prior of every parameter: gamma(shape 0.1, rate 0.1)",
      "References are the evidences of the best known modes (docs/goodwin.md); \"in the best mode\": replicates within "
      "3 of them",
      "SMC2-DS is the standard estimate; SMC2-PS the trapezoid rule from the first alpha at which the mean log "
      "likelihood can "
      "be integrated, with the standard estimate before it (the mean under the prior is not finite or far below -1e6)",
      "Manual scales: one parameter at a time, one pass a step, no moves of the model's own; the adaptive schedule is "
      "set to about "
      "500 steps by short runs",
      "Adaptive scales: the library's default settings (CESS 0.999, three passes, the model's own moves)",
      "PMCMC: one chain, picked at random, moves in each iteration (serial), 50000 iterations of burn-in, 10000 kept, "
      "prior (5)"};
  out.sections = Table(settings, data).run();
  out.notes = {kRule};
  out.svg =
      data == "simple" ? dot_plot(out.title, out.sections, -150, 30) : dot_plot(out.title, out.sections, -1800, 1800);
  return out;
}

}  // namespace zhou2016
