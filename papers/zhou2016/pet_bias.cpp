// Path sampling with few steps: four rules on four grids.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "data.hpp"
#include "evident/evidence/estimate.hpp"
#include "figure.hpp"
#include "problems/registry.hpp"
#include "samplers.hpp"
#include "tables.hpp"

namespace zhou2016 {
namespace {

using namespace evident;

const double kLogEvidence = problems::known("PET, 2 compartments").log_evidence;

using Grid = std::array<std::array<double, 4>, 4>;  // [rule][refinement]

constexpr Published kPublished[4][4] = {{{-52.2, 5.01}, {-45.5, 1.93}, {-42.1, 1.21}, {-40.5, 1.06}},
                                        {{-43.2, 1.39}, {-41.0, 1.10}, {-40.0, 1.04}, {-39.4, 1.04}},
                                        {{-42.1, 1.21}, {-40.5, 1.06}, {-39.7, 1.04}, {-39.3, 1.04}},
                                        {{-40.9, 1.09}, {-39.9, 1.04}, {-39.4, 1.04}, {-39.2, 1.05}}};

/// Closed Newton-Cotes rules on one panel, the width left out.
constexpr double kWeights[4][5] = {{1. / 2, 1. / 2, 0, 0, 0},
                                   {1. / 6, 4. / 6, 1. / 6, 0, 0},
                                   {1. / 8, 3. / 8, 3. / 8, 1. / 8, 0},
                                   {7. / 90, 32. / 90, 12. / 90, 32. / 90, 7. / 90}};

/// Integrates over each step while the run goes on. A step is cut into 1, 2, 4 or 8 panels and the rule is used inside
/// each panel: no panel reaches over a sampled alpha, where the curve has a kink. The mean log likelihood inside a step
/// comes from reweighting the particles of its left end; at its right end the particles sampled there are used.
class Integrator final : public Observer {
 public:
  void on_step(const Trace& trace, const Population& particles) override {
    if (trace.steps.size() > 1) add(trace.steps[trace.steps.size() - 2], trace.steps.back());
    weights_.assign(particles.weights.values().begin(), particles.weights.values().end());
    log_likelihood_.assign(particles.log_likelihood.begin(), particles.log_likelihood.end());
  }
  const Grid& sum() const { return sum_; }

 private:
  static constexpr std::size_t kParts = 96;  // thirds and quarters of an eighth are whole numbers of these

  double reweighted(double delta) const {
    const double top = *std::ranges::max_element(log_likelihood_);
    double total = 0, mean = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double w = weights_[i] * std::exp(delta * (log_likelihood_[i] - top));
      total += w;
      if (w > 0) mean += w * log_likelihood_[i];
    }
    return mean / total;
  }

  void add(const Step& from, const Step& to) {
    const double width = to.alpha - from.alpha;
    std::array<double, kParts + 1> u{};
    u[0] = from.mean;
    u[kParts] = to.mean;
    for (std::size_t j = 1; j < kParts; ++j)
      if (j % 3 == 0 || j % 4 == 0) u[j] = reweighted(width * static_cast<double>(j) / kParts);
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t g = 0; g < 4; ++g) {
        const std::size_t panel = kParts / kRefinements[g], stride = panel / (r + 1);
        for (std::size_t p = 0; p < kRefinements[g]; ++p)
          for (std::size_t i = 0; i <= r + 1; ++i)
            sum_[r][g] += width / static_cast<double>(kRefinements[g]) * kWeights[r][i] * u[p * panel + i * stride];
      }
  }

  Grid sum_{};
  std::vector<double> weights_, log_likelihood_;
};

struct Outcome {
  Grid grid;
  double standard, steps;
};

struct Variant {
  std::string title;
  Schedule schedule;
  std::size_t passes;  // moves a step
  bool published;      // whether the published numbers are set beside it
};

Section section_of(const Settings& settings, const Model& model, const Variant& variant, std::size_t number,
                   std::vector<std::string>& standard_row) {
  tell("{}", variant.title);
  const SmcOptions options{.particles = settings.particles(1000),
                           .schedule = variant.schedule,
                           .kernel = {.scale_rule = ScaleRule::adaptive, .passes = variant.passes}};
  const auto runs = replicate<Outcome>(
      settings, settings.count(100), {.data_set = 500 + number, .model = 2}, [&](const Context& context) -> Outcome {
        Integrator path;
        const Trace trace = direct_evidence(model, options, context, &path).trace;
        return {path.sum(), standard_estimate(trace), static_cast<double>(trace.steps.size() - 1)};
      });
  Section out{.title = variant.title, .label_names = {"rule", "grid"}, .extra_names = {"off"}, .rows = {}};
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t g = 0; g < 4; ++g) {
      std::vector<double> x;
      for (const Outcome& run : runs) x.push_back(run.grid[r][g]);
      Row row{{std::string(name(kRules[r])), fmt::format("x{}", kRefinements[g])}, {}, {}, summarise(x)};
      if (variant.published) row.published = kPublished[r][g];
      row.biased = variant.published && !(r == 3 && g == 3);
      if (r == 3 && g == 3) row.reference = kLogEvidence;
      row.extra = {fmt::format("{:+.3f}", row.ours.mean - kLogEvidence)};
      out.rows.push_back(row);
    }
  std::vector<double> standard, steps;
  for (const Outcome& run : runs) {
    standard.push_back(run.standard);
    steps.push_back(run.steps);
  }
  const Summary s = summarise(standard);
  standard_row = {variant.title, fmt::format("{:.1f}", summarise(steps).mean), fmt::format("{:.3f}", s.mean),
                  fmt::format("{:.3f}", s.sd)};
  return out;
}

// Is every finer grid nearer, and every higher rule? Two cells within one standard error of the truth count as equally
// near.
std::vector<std::string> order_of(const Section& section) {
  std::array<double, 16> off{};
  for (std::size_t i = 0; i < 16; ++i) {
    const Summary& s = section.rows[i].ours;
    const double distance = std::abs(s.mean - kLogEvidence);
    off[i] = distance < s.se ? 0 : distance;
  }
  bool finer = true, higher = true;
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t g = 0; g + 1 < 4; ++g) {
      finer = finer && off[4 * r + g + 1] <= off[4 * r + g];
      higher = higher && off[4 * (g + 1) + r] <= off[4 * g + r];
    }
  const Summary& best = section.rows[15].ours;
  const double errors = (best.mean - kLogEvidence) / best.se;
  return {section.title, finer ? "yes" : "no", higher ? "yes" : "no", fmt::format("{:+.1f} SE", errors),
          finer && higher && std::abs(errors) <= 3 ? "ok" : "differs"};
}

}  // namespace

Results pet_bias_table(const Settings& settings) {
  const PetCompartments model = pet_model(settings.data, 2);
  const std::vector<Variant> variants = {
      {"Fixed schedule, prior (2), 20 steps", PowerSchedule{20, 2}, 3, true},
      {"Adaptive schedule, CESS/N = 0.865, about 20 steps, ten passes a step", CessSchedule{0.865}, 10, false},
      {"Adaptive schedule, CESS/N = 0.865, about 20 steps, one pass a step", CessSchedule{0.865}, 1, false},
      {"Fixed schedule, prior (5), 20 steps", PowerSchedule{20, 5}, 3, false},
      {"Fixed schedule, linear, 20 steps", LinearSchedule{20}, 3, false},
      {"Fixed schedule, prior (2), 20 steps, one pass a step", PowerSchedule{20, 2}, 1, true}};
  Results out;
  out.name = "pet-bias";
  out.title = "PET: bias of path sampling with 20 steps";
  out.settings = {
      fmt::format("Seed {}, {} replicates, {} particles, two compartments", settings.seed, settings.count(100),
                  settings.particles(1000)),
      "Moves: random walk on {phi}, {theta}, {lambda} in turn, scales from the particles, one pass a step unless said "
      "otherwise",
      "Trapezoid, Simpson, Simpson 3/8 and Boole inside each panel; a step between sampled alphas is one panel (x1) or "
      "2, 4 "
      "or 8 of them. Points inside a step come from reweighting and cost no likelihood evaluation; the integral starts "
      "at "
      "alpha = 0",
      fmt::format("off: from the true value, {}", kLogEvidence)};
  Plain standard{"The standard estimate of the same runs", {"schedule", "steps", "mean", "SD"}, {}};
  Plain order{"Order of the cells",
              {"schedule", "every finer grid nearer", "every higher rule nearer", "best cell (Boole, x8)", "verdict"},
              {}};
  for (std::size_t i = 0; i < variants.size(); ++i) {
    std::vector<std::string> row;
    out.sections.push_back(section_of(settings, model, variants[i], i, row));
    standard.rows.push_back(row);
    order.rows.push_back(order_of(out.sections.back()));
  }
  if (published_data(settings.data))
    out.plains = {order, standard};
  else
    out.plains = {standard};
  out.notes = {
      kRule,
      "Published cells are biased by design; only the last, Boole on the finest grid, is held to the true value."};
  out.svg = dot_plot(out.title, {out.sections[0], out.sections[1]}, -54, -36);
  return out;
}

}  // namespace zhou2016
