#include "compare/referee.hpp"

#include <algorithm>

#include "base/run_kept.hpp"
#include "evident/base/error.hpp"
#include "judge/alarms.hpp"
#include "nested/nested.hpp"

namespace evident {
namespace {

/// What a small nested run found.
struct ProbeResult {
  Estimate log_evidence;
  std::uint64_t evaluations = 0;
};

constexpr std::size_t kFewestParticles = 250;  // a spike is as narrow for few particles

// A spike may lie far below the share of the prior where the rest of the evidence is.
NestedOptions deep(std::size_t particles, std::size_t max_prior_draws) {
  return {.particles = particles, .max_prior_draws = max_prior_draws, .remaining = 1e-12};
}

ProbeResult run_probe(const Model& model, const NestedOptions& options, const Estimate& best, const Context& context) {
  ProbeResult found;
  const auto record = [&](const NestedRun& run) {
    found = {run.log_evidence, found.evaluations + run.trace.evaluations};
  };
  const NestedPilot first = nested_pilot(model, options, context);
  record(first.run);
  // Few particles for many coordinates shape moves that raise their own evidence; a frozen run is free of that.
  constexpr std::size_t kFewForEach = 20;
  const bool few = options.particles < kFewForEach * model.parameters().free_size();
  if (few && clearly_above(found.log_evidence, best)) record(nested_evidence(model, first.plan, options, context));
  return found;
}

}  // namespace

NestedOptions probe_options(std::size_t particles, std::size_t max_prior_draws) {
  constexpr std::size_t kShare = 4;
  return deep(std::max(particles / kShare, kFewestParticles), max_prior_draws);
}

template <>
inline constexpr bool is_plain<ProbeResult> = true;

std::optional<Estimate> Referee::probe(const Estimate& best, std::uint64_t& evaluations) const {
  try {
    const ProbeResult found = make_or_find<ProbeResult>(context_.checkpoint.part("probe"), [&] {
      return run_probe(model_, probe_options(particles_, max_prior_draws_), best, context_);
    });
    evaluations += found.evaluations;
    return found.log_evidence;
  } catch (const FatalError&) {
    throw;
  } catch (const RunError&) {  // it has nothing to say, then
    return std::nullopt;
  }
}

RefereeNumbers Referee::ask(std::uint64_t& evaluations) const {
  constexpr std::size_t kIslands = 4;
  try {
    const std::size_t particles = std::max(particles_, kFewestParticles);
    const NestedCheck found = nested_cross_check(model_, deep(particles, max_prior_draws_), kIslands, context_);
    evaluations += found.evaluations;
    return {.log_evidence = found.log_evidence, .fewest_passed = found.fewest_passed};
  } catch (const FatalError&) {
    throw;
  } catch (const RunError& e) {
    return {.failure = e.what()};
  }
}

}  // namespace evident
