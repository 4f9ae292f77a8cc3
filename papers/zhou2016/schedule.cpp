// Steps of alpha chosen by ESS and by CESS, with resampling always and below one half.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data.hpp"
#include "evident/evidence/estimate.hpp"
#include "figure.hpp"
#include "samplers.hpp"
#include "tables.hpp"

namespace zhou2016 {
namespace {

using namespace evident;

struct Variant {
  const char* name;
  bool cess;
  double threshold;
};
constexpr Variant kVariants[] = {{"ESS, resampling always", false, 1},
                                 {"ESS, resampling below 0.5", false, 0.5},
                                 {"CESS, resampling always", true, 1},
                                 {"CESS, resampling below 0.5", true, 0.5}};

SmcOptions options_of(const Settings& settings, const Variant& variant, double drop) {
  SmcOptions options{.particles = settings.particles(1000), .resample_threshold = variant.threshold};
  options.kernel = {.scale_rule = ScaleRule::adaptive, .passes = 1};
  options.schedule = variant.cess ? Schedule(CessSchedule{1 - drop}) : Schedule(EssSchedule{1 - drop});
  return options;
}

// The drop that gives about as many steps as are wanted, by halving on a logarithmic scale.
double drop_for_steps(const Settings& settings, const Model& model, const Variant& variant, std::size_t steps) {
  double low = 1e-6, high = 0.3;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const double middle = std::sqrt(low * high);
    const auto runs =
        direct_runs(settings, 1, {.data_set = 700 + i, .model = 2}, model, options_of(settings, variant, middle));
    (runs[0].steps > steps ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

/// How a step compares with the one before it, as a mean log ratio: right after resampling, and otherwise. The library
/// chooses the next alpha from the reweighted particles, before it resamples and moves them; so the first step that is
/// chosen with equal weights is the second one after a resampling.
struct Jump {
  double resampled = 0, otherwise = 0;
};

Jump jump_of(const Trace& trace) {
  double sum[2] = {0, 0}, count[2] = {0, 0};
  // The last step ends at 1 whatever it ought to be, and the first few have nothing before them to compare with.
  for (std::size_t t = 2; t + 2 < trace.steps.size(); ++t) {
    const double now = trace.steps[t + 1].alpha - trace.steps[t].alpha;
    const double before = trace.steps[t].alpha - trace.steps[t - 1].alpha;
    const std::size_t which = trace.steps[t - 1].resampled ? 0 : 1;
    sum[which] += std::log(now / before);
    ++count[which];
  }
  return {count[0] > 0 ? sum[0] / count[0] : 0, count[1] > 0 ? sum[1] / count[1] : 0};
}

Panel panel_of(const Variant& variant, const Trace& trace) {
  Panel panel{.title = variant.name, .points = {}, .marked = {}};
  for (std::size_t t = 1; t < trace.steps.size(); ++t) {
    panel.points.emplace_back(trace.steps[t].alpha, trace.steps[t].alpha - trace.steps[t - 1].alpha);
    // Marked: the first step chosen after a resampling. With resampling always that would be all of them.
    panel.marked.push_back(variant.threshold < 1 && t > 1 && trace.steps[t - 2].resampled);
  }
  return panel;
}

std::string factor_text(const Summary& s) {
  return fmt::format("{:.3f} ± {:.3f}", std::exp(s.mean), std::exp(s.mean) * s.se);
}

std::vector<std::string> row_of(const Variant& variant, double drop, const std::vector<Trace>& traces) {
  std::vector<double> steps, resamplings, after, otherwise, gap, evidence;
  for (const Trace& trace : traces) {
    const Jump jump = jump_of(trace);
    steps.push_back(static_cast<double>(trace.steps.size() - 1));
    resamplings.push_back(static_cast<double>(trace.resamplings()));
    after.push_back(jump.resampled);
    otherwise.push_back(jump.otherwise);
    gap.push_back(jump.resampled - jump.otherwise);
    evidence.push_back(standard_estimate(trace));
  }
  const Summary z = summarise(evidence), g = summarise(gap);
  std::string verdict = "-";
  if (variant.threshold < 1) {
    const double jump = std::exp(g.mean);
    const bool expected = variant.cess ? std::abs(jump - 1) < 0.1 : jump > 1.5 && g.mean > 3 * g.se;
    verdict = fmt::format("{}: {}", expected ? "ok" : "differs", std::abs(jump - 1) < 0.1 ? "no jump" : "jumps");
  }
  const bool always = variant.threshold == 1;
  return {variant.name,
          fmt::format("{:.3g}", drop),
          fmt::format("{:.0f}", summarise(steps).mean),
          fmt::format("{:.1f}", summarise(resamplings).mean),
          always ? "-" : factor_text(summarise(after)),
          always ? "-" : factor_text(summarise(otherwise)),
          fmt::format("{:.3f}", z.mean),
          fmt::format("{:.3f}", z.sd),
          verdict};
}

}  // namespace

Results schedule_figure(const Settings& settings) {
  const PetCompartments model = pet_model(settings.data, 2);
  const double first_drop = settings.quick ? 0.02 : 0.001;
  Results out;
  out.name = "schedule";
  out.title = "Steps of alpha: ESS and CESS, resampling always and below one half";
  Plain table{"Steps right after resampling against the steps before them",
              {"sampler", "drop a step", "steps", "resamplings", "factor after resampling", "factor otherwise",
               "log evidence", "SD", "verdict"},
              {}};
  std::vector<Panel> panels;
  std::size_t steps = 0;
  for (std::size_t v = 4; v-- > 0;) {  // CESS first: the others are set to take as many steps
    const Variant& variant = kVariants[v];
    const double drop = steps == 0 ? first_drop : drop_for_steps(settings, model, variant, steps);
    tell("{}: drop {:.3g}", variant.name, drop);
    const SmcOptions options = options_of(settings, variant, drop);
    const auto traces = replicate<Trace>(settings, settings.count(20), {.data_set = 600 + v, .model = 2},
                                         [&](const Context& c) { return direct_evidence(model, options, c).trace; });
    if (steps == 0) steps = traces[0].steps.size() - 1;
    table.rows.insert(table.rows.begin(), row_of(variant, drop, traces));
    panels.insert(panels.begin(), panel_of(variant, traces[0]));
  }
  out.settings = {fmt::format("Seed {}, {} replicates, {} particles, PET with two compartments", settings.seed,
                              settings.count(20), settings.particles(1000)),
                  fmt::format("CESS/N = {} with resampling below 0.5; the other three are set to take as many steps",
                              1 - first_drop),
                  "Moves: one pass a step, scales from the particles"};
  out.plains = {table};
  out.notes = {
      "A factor is the geometric mean, over a run, of a step divided by the step before it; its error is over "
      "replicates. "
      "Verdict: with resampling below 0.5, CESS must give factors that differ by less than a tenth, and ESS must step "
      "at "
      "least 1.5 times as far right after resampling. The library chooses the next alpha before it resamples and "
      "moves, so \"after resampling\" is the second step after one: "
      "the first whose choice saw equal weights. In the figure, dots mark these steps. For the same reason the ESS of "
      "a sampler "
      "that always resamples still counts the weights of one step, and its drop is larger than that of CESS."};
  out.svg = curves(out.title, "alpha_t", "alpha_t - alpha_(t-1)", panels);
  return out;
}

}  // namespace zhou2016
