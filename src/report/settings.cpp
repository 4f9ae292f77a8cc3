#include <fmt/format.h>

#include <algorithm>

#include "compare/method.hpp"
#include "evident/kernel/kernel.hpp"
#include "particles/resample.hpp"
#include "report/document_parts.hpp"

namespace evident::report {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string kernel_name(const KernelOptions& k) {
  switch (k.kind) {
    case KernelKind::random_walk:
      return "random walk";
    case KernelKind::mala:
      return "Langevin (MALA)";
    case KernelKind::crank_nicolson:
      return "Crank-Nicolson";
    case KernelKind::independent:
      return "Crank-Nicolson and fitted mixture";
    case KernelKind::hmc:
      return "Hamiltonian (HMC)";
    case KernelKind::automatic:
      return "chosen for each model";
  }
  return "";
}

std::string grouping_name(const KernelOptions& k) {
  if (k.grouping == Grouping::joint || k.kind == KernelKind::independent) return "all coordinates at once";
  return k.grouping == Grouping::blocks ? "groups of coordinates" : "one coordinate at a time";
}

std::string passes_text(const KernelOptions& k) {
  if (!k.until_mixed) return fmt::format("{}", k.passes);
  return fmt::format("until mixed, {} to {}", k.until_mixed->least, k.until_mixed->most);
}

void add_kernel(const KernelOptions& k, Rows& rows) {
  rows.emplace_back("Moves", fmt::format("{}, {}", kernel_name(k), grouping_name(k)));
  rows.emplace_back("Passes a step", passes_text(k));
}

/// One value when all models have the same, else each with its name.
template <class Text>
std::string of_each(const CompareOptions& options, std::span<const Candidate> candidates, const Text& text) {
  std::vector<std::string> values;
  for (const Candidate& c : candidates) {
    SmcOptions smc = c.smc.value_or(options.sampler());
    if (c.model != nullptr) smc.kernel = chosen_kernel(smc.kernel, *c.model);
    values.push_back(text(smc));
  }
  if (values.empty()) return text(options.sampler());
  if (std::ranges::all_of(values, [&](const std::string& v) { return v == values.front(); })) return values.front();
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out += fmt::format("{}{}: {}", i == 0 ? "" : ", ", candidates[i].name, values[i]);
  return out;
}

void add_smc(const CompareOptions& o, std::span<const Candidate> candidates, Rows& rows) {
  const auto add = [&](const char* name, const auto& of) { rows.emplace_back(name, of_each(o, candidates, of)); };
  add("Particles", [](const SmcOptions& s) { return fmt::format("{}", s.particles); });
  add("Schedule", [](const SmcOptions& s) { return text(s.schedule); });
  if (o.sampler().waste_free > 0) {
    add("Waste-free chains", [](const SmcOptions& s) { return fmt::format("{} states", s.waste_free); });
  } else {
    add("Resampling", [](const SmcOptions& s) {
      return fmt::format("{}, when ESS falls below {} of the particles", name(s.resample), s.resample_threshold);
    });
  }
  add("Moves",
      [](const SmcOptions& s) { return fmt::format("{}, {}", kernel_name(s.kernel), grouping_name(s.kernel)); });
  add("Passes a step", [](const SmcOptions& s) { return passes_text(s.kernel); });
}

void add_goal(const Goal& goal, Rows& rows) {
  if (goal.precision > 0) rows.emplace_back("Precision asked for", fmt::format("{}", goal.precision));
  if (goal.decide > 0) rows.emplace_back("Probability to decide at", fmt::format("{}", goal.decide));
  if (goal.seconds > 0) rows.emplace_back("Time allowed", fmt::format("{} s", goal.seconds));
}

void add_chain(std::size_t chains, std::size_t burn_in, std::size_t iterations, Rows& rows) {
  rows.emplace_back("Chains", fmt::format("{}", chains));
  rows.emplace_back("Burn-in", fmt::format("{}", burn_in));
  rows.emplace_back("Iterations", fmt::format("{}", iterations));
}

}  // namespace

Rows settings_of(const CompareOptions& o, std::span<const Candidate> candidates) {
  Rows rows{{"Method", std::string(info(o.method).title)}};
  switch (o.method) {
    case Method::population_mcmc:
      add_chain(o.population_mcmc.chains, o.population_mcmc.burn_in, o.population_mcmc.iterations, rows);
      add_kernel(o.population_mcmc.kernel, rows);
      break;
    case Method::rjmcmc:
      add_chain(o.rjmcmc.chains, o.rjmcmc.burn_in, o.rjmcmc.iterations, rows);
      add_kernel(o.rjmcmc.kernel, rows);
      break;
    case Method::harmonic_mean:
      add_chain(o.posterior_chain.chains, o.posterior_chain.burn_in, o.posterior_chain.iterations, rows);
      add_kernel(o.posterior_chain.kernel, rows);
      break;
    case Method::chib:
    case Method::bic:
      break;
    default:
      add_smc(o, candidates, rows);
  }
  if (o.with_islands() && info(o.method).union_of_models)
    rows.emplace_back("Runs", fmt::format("a pilot and {} islands, each for all models", o.islands));
  else if (o.with_islands())
    rows.emplace_back("Runs of each model", fmt::format("a pilot and {} islands or more", o.islands));
  else
    rows.emplace_back("Independent runs", fmt::format("{}", o.replicates));
  add_goal(o.goal, rows);
  rows.emplace_back("Seed", fmt::format("{}", o.seed));
  return rows;
}

}  // namespace evident::report
