// The number of components of a mixture, by every method: do they agree, and at what cost?
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>

#include "baseline/population_mcmc.hpp"
#include "baseline/rjmcmc.hpp"
#include "data.hpp"
#include "evident/evidence/estimate.hpp"
#include "figure.hpp"
#include "model/model_priors.hpp"
#include "models/mixture/mixture_family.hpp"
#include "samplers.hpp"
#include "smc/relative_evidence.hpp"
#include "tables.hpp"

namespace zhou2016 {
namespace {

using namespace evident;

constexpr std::size_t kLeast = 3, kMost = 6;  // components of the methods that take one model at a time
constexpr std::size_t kAnchor = 4;            // Bayes factors are against this one

/// Three components have a posterior probability of 3e-4 when all numbers are alike: samplers that move between models
/// would hardly see it. Prior weights cancel in a Bayes factor, so it gets a large one.
constexpr double kWeightOfLeast = 100;

std::map<ModelIndex, double> model_weights(ModelIndex most) {
  std::map<ModelIndex, double> weights;
  for (ModelIndex k = 1; k <= most; ++k) weights[k] = k == kLeast ? kWeightOfLeast : 1.0;
  return weights;
}

/// Log evidences of kLeast .. kMost components from one replicate; -inf for a model that was not seen.
struct Outcome {
  std::vector<double> log_evidence = std::vector<double>(kMost + 1, -INFINITY);
  double evaluations = 0;
};

struct Method {
  std::string name, what;
  bool absolute;  ///< false: evidences are known up to a common factor
  std::function<std::vector<Outcome>(std::size_t count)> run;
  std::vector<Outcome> outcomes = {};
  double seconds = 0;  ///< CPU, of one replicate
};

class Runs {
 public:
  explicit Runs(const Settings& settings)
      : settings_(settings),
        family_({}, mixture_data(settings.data),
                std::make_shared<ListedModels>(model_weights(settings.quick ? 6 : 10))),
        smc_{.particles = settings.particles(1000), .schedule = CessSchedule{settings.quick ? 0.98 : 0.995}} {}

  std::vector<Outcome> direct(std::size_t count, bool anneal) const {
    SmcOptions options = smc_;
    if (anneal) {
      options.resample_threshold = 0;
      if (!settings_.quick) options.schedule = CessSchedule{0.998};
    }
    std::vector<Outcome> out(count);
    for (std::size_t k = kLeast; k <= kMost; ++k) {
      const auto runs = direct_runs(settings_, count, identity(anneal ? 2 : 1, k), family_.model(k), options);
      for (std::size_t i = 0; i < count; ++i) {
        out[i].log_evidence[k] = runs[i].standard;
        out[i].evaluations += static_cast<double>(runs[i].evaluations);
      }
    }
    return out;
  }

  std::vector<Outcome> all_in_one_runs(std::size_t count) const {
    return replicate<Outcome>(settings_, count, identity(3, 0), [&](const Context& context) {
      const AllInOneRun run = all_in_one(family_, smc_, {}, context);
      Outcome out;
      for (std::size_t k = kLeast; k <= kMost; ++k) out.log_evidence[k] = run.log_evidence(family_, k);
      out.evaluations = static_cast<double>(run.trace.evaluations);
      return out;
    });
  }

  std::vector<Outcome> relative(std::size_t count) const {
    std::vector<ModelIndex> chain;
    for (std::size_t k = kLeast; k <= kMost; ++k) chain.push_back(k);
    SmcOptions options = smc_;
    options.schedule = CessSchedule{0.98};  // most of its cost is the start of each link, whatever the steps
    return replicate<Outcome>(settings_, count, identity(4, 0), [&](const Context& context) {
      const RelativeRun run = relative_evidence(family_, chain, options, {}, context);
      Outcome out;
      out.log_evidence[kLeast] = standard_estimate(run.first.trace);
      out.evaluations = static_cast<double>(run.first.trace.evaluations);
      for (const RelativeLink& link : run.links) {
        out.log_evidence[link.to] = out.log_evidence[link.from] + link.log_ratio;
        out.evaluations += static_cast<double>(link.trace.evaluations);
      }
      return out;
    });
  }

  std::vector<Outcome> jumping(std::size_t count) const {
    const RjmcmcOptions options{.chains = 8,
                                .burn_in = settings_.quick ? 200U : 2000U,
                                .iterations = settings_.quick ? 500U : 8000U,
                                .thin = 10};
    return replicate<Outcome>(settings_, count, identity(5, 0), [&](const Context& context) {
      const RjmcmcRun run = rjmcmc(family_, options, {}, context);
      Outcome out;
      for (const auto& [k, visits] : run.visits)
        if (k <= kMost) out.log_evidence[k] = std::log(visits.share.value) - family_.prior().log_probability(k);
      out.evaluations = static_cast<double>(run.evaluations);
      return out;
    });
  }

  std::vector<Outcome> tempered_chains(std::size_t count) const {
    const PopulationMcmcOptions options{.chains = 30,
                                        .ladder = PowerSchedule{.power = 4},
                                        .burn_in = settings_.quick ? 100U : 3000U,
                                        .iterations = settings_.quick ? 200U : 12000U,
                                        .ladders = count,
                                        .kernel = {.passes = 1}};
    const Executor executor(settings_.threads);
    std::vector<Outcome> out(count);
    for (std::size_t k = kLeast; k <= kMost; ++k) {
      RunIdentity id = identity(6, k);
      id.seed = settings_.seed;
      const PopulationMcmcRun run = population_mcmc(family_.model(k), options, {Streams(id), executor});
      // The error of the trapezoid rule is the same for all ladders: what corrects the mean corrects each of them.
      const double correction = run.log_evidence_corrected - run.log_evidence.value;
      for (std::size_t i = 0; i < count; ++i) {
        out[i].log_evidence[k] = run.ladder_log_evidence[i] + correction;
        out[i].evaluations += static_cast<double>(run.evaluations) / static_cast<double>(count);
      }
    }
    return out;
  }

 private:
  static RunIdentity identity(std::size_t method, std::size_t k) {
    return {.data_set = 800 + method, .model = static_cast<std::uint32_t>(k)};
  }

  const Settings& settings_;
  MixtureFamily family_;
  SmcOptions smc_;
};

/// One quantity by one method.
struct Quantity {
  std::string name;
  std::optional<Summary> of(const Method& method) const {
    if (!factor && !method.absolute) return {};
    std::vector<double> x;
    for (const Outcome& o : method.outcomes) {
      x.push_back(o.log_evidence[k] - (factor ? o.log_evidence[kAnchor] : 0));
      if (!std::isfinite(x.back())) return {};
    }
    return summarise(x);
  }
  std::size_t k;
  bool factor;
  std::optional<double> reference = {};
  double reference_se = 0;
};

std::vector<Quantity> quantities() {
  std::vector<Quantity> out;
  for (std::size_t k = kLeast; k <= kMost; ++k) out.push_back({fmt::format("log p(y | {})", k), k, false});
  for (std::size_t k = kLeast; k <= kMost; ++k)
    if (k != kAnchor) out.push_back({fmt::format("log B({} over {})", k, kAnchor), k, true});
  // Importance sampling in the space of ordered means, and long reversible-jump chains.
  const auto set = [&](std::size_t i, double value, double se) {
    out[i].reference = value;
    out[i].reference_se = se;
  };
  set(1, -247.887, 0.003);
  set(5, -0.72, 0.03);
  set(6, -1.756, 0.05);
  return out;
}

Section section_of(const Quantity& quantity, const std::vector<Method>& methods) {
  Section out{.title = quantity.name, .label_names = {"method"}, .extra_names = {}, .rows = {}};
  for (const Method& method : methods)
    if (const auto summary = quantity.of(method)) {
      Row row{{method.name}, {}, quantity.reference, *summary};
      row.reference_se = quantity.reference_se;
      out.rows.push_back(row);
    }
  return out;
}

void add_pairs(Plain& table, const Quantity& quantity, const std::vector<Method>& methods, std::size_t& bad) {
  for (std::size_t i = 0; i < methods.size(); ++i)
    for (std::size_t j = i + 1; j < methods.size(); ++j) {
      const auto a = quantity.of(methods[i]), b = quantity.of(methods[j]);
      if (!a || !b) continue;
      const double se = std::hypot(a->se, b->se), off = a->mean - b->mean;
      const bool ok = std::abs(off) <= 3 * se;
      bad += ok ? 0 : 1;
      table.rows.push_back({quantity.name, methods[i].name, methods[j].name, fmt::format("{:+.3f}", off),
                            fmt::format("{:.3f}", se), fmt::format("{:+.1f}", off / se), ok ? "ok" : "differs"});
    }
}

Plain cost_table(const std::vector<Method>& methods) {
  Plain out{"Cost of one replicate", {"method", "settings", "likelihood evaluations", "CPU seconds"}, {}};
  for (const Method& m : methods) {
    double evaluations = 0;
    for (const Outcome& o : m.outcomes) evaluations += o.evaluations / static_cast<double>(m.outcomes.size());
    out.rows.push_back({m.name, m.what, fmt::format("{:.3g}", evaluations), fmt::format("{:.2f}", m.seconds)});
  }
  return out;
}

std::vector<Method> methods_of(const Runs& runs) {
  return {{"SMC2", "direct evidence, 3 to 6 components, CESS 0.995", true,
           [&](std::size_t n) { return runs.direct(n, false); }},
          {"SMC1", "all in one, 1 to 10 components (3 with prior weight 100), CESS 0.995", true,
           [&](std::size_t n) { return runs.all_in_one_runs(n); }},
          {"SMC3", "relative evidence, from 3 to 6 components, CESS 0.98", true,
           [&](std::size_t n) { return runs.relative(n); }},
          {"AIS", "as SMC2 without resampling, CESS 0.998", true, [&](std::size_t n) { return runs.direct(n, true); }},
          {"RJMCMC", "8 chains, 1 to 10 components (3 with prior weight 100), 2000 + 8000 iterations", false,
           [&](std::size_t n) { return runs.jumping(n); }},
          {"PMCMC",
           "30 chains, prior (4), one pass in each of 3000 + 12000 iterations, 3 to 6 components; corrected trapezoid",
           true, [&](std::size_t n) { return runs.tempered_chains(n); }}};
}

}  // namespace

Results mixture_table(const Settings& settings) {
  const std::size_t count = settings.count(20);
  const Runs runs(settings);
  std::vector<Method> methods = methods_of(runs);
  for (Method& method : methods) {
    const double start = cpu_seconds();
    method.outcomes = method.run(count);
    method.seconds = (cpu_seconds() - start) / static_cast<double>(count);
    tell("{}: {:.2f} CPU seconds a replicate", method.name, method.seconds);
  }
  Results out;
  out.name = "mixture";
  out.title = "Mixture of normal distributions: every method on the same question";
  out.settings = {
      fmt::format("Seed {}, {} replicates, {} particles; the library's default moves", settings.seed, count,
                  settings.particles(1000)),
      "The paper has no table of these numbers; references are long runs of importance sampling and reversible jumps"};
  Plain pairs{
      "Every pair of methods", {"quantity", "method", "other", "difference", "combined SE", "in SE", "verdict"}, {}};
  std::size_t bad = 0;
  for (const Quantity& quantity : quantities()) {
    if (const Section section = section_of(quantity, methods); !section.rows.empty()) out.sections.push_back(section);
    // The evidences and their ratios are the same runs; both are compared.
    add_pairs(pairs, quantity, methods, bad);
  }
  out.plains = {cost_table(methods), pairs};
  out.notes = {fmt::format("{} of {} pairs differ by more than 3 combined standard errors.", bad, pairs.rows.size()),
               "A method is left out where one of its replicates never saw the model."};
  std::vector<Section> drawn;
  for (const Section& section : out.sections)
    if (section.title.starts_with("log B(5") || section.title.starts_with("log B(6")) drawn.push_back(section);
  out.svg = dot_plot(out.title, drawn, -3, 0);
  return out;
}

}  // namespace zhou2016
