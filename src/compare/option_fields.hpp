// The fields of all options, so that a checkpoint can tell one run from another (journal/fingerprint_fields.hpp). A
// test changes every one of them.
#pragma once

#include "base/fields.hpp"
#include "evident/compare/compare.hpp"

namespace evident {

template <>
struct Fields<LinearSchedule> {
  static constexpr auto list = std::tuple(field("steps", &LinearSchedule::steps));
};
static_assert(lists_every_field<LinearSchedule>);
template <>
struct Fields<PowerSchedule> {
  static constexpr auto list = std::tuple(field("steps", &PowerSchedule::steps), field("power", &PowerSchedule::power));
};
static_assert(lists_every_field<PowerSchedule>);
template <>
struct Fields<PosteriorSchedule> {
  static constexpr auto list =
      std::tuple(field("steps", &PosteriorSchedule::steps), field("power", &PosteriorSchedule::power));
};
static_assert(lists_every_field<PosteriorSchedule>);
template <>
struct Fields<ListSchedule> {
  static constexpr auto list = std::tuple(field("alphas", &ListSchedule::alphas));
};
static_assert(lists_every_field<ListSchedule>);
template <>
struct Fields<CessSchedule> {
  static constexpr auto list =
      std::tuple(field("target", &CessSchedule::target), field("memory", &CessSchedule::memory));
};
static_assert(lists_every_field<CessSchedule>);
template <>
struct Fields<EssSchedule> {
  static constexpr auto list = std::tuple(field("target", &EssSchedule::target));
};
static_assert(lists_every_field<EssSchedule>);

template <>
struct Fields<UntilMixed> {
  using T = UntilMixed;
  static constexpr auto list =
      std::tuple(field("log_likelihood", &T::log_likelihood), field("coordinate", &T::coordinate),
                 field("least", &T::least), field("most", &T::most));
};
static_assert(lists_every_field<UntilMixed>);

template <>
struct Fields<KernelOptions> {
  using T = KernelOptions;
  static constexpr auto list =
      std::tuple(field("kind", &T::kind), field("grouping", &T::grouping), field("scale_rule", &T::scale_rule),
                 field("scale", &T::scale), field("band_low", &T::band_low), field("band_high", &T::band_high),
                 field("passes", &T::passes), field("until_mixed", &T::until_mixed),
                 field("mix_scales", &T::mix_scales), field("own_moves", &T::own_moves),
                 field("own_every", &T::own_every), field("mixture_components", &T::mixture_components),
                 field("modes", &T::modes), field("apart", &T::apart), field("manual", &T::manual));
};
static_assert(lists_every_field<KernelOptions>);

template <>
struct Fields<SmcOptions> {
  using T = SmcOptions;
  static constexpr auto list =
      std::tuple(field("particles", &T::particles), field("schedule", &T::schedule), field("resample", &T::resample),
                 field("resample_threshold", &T::resample_threshold), field("kernel", &T::kernel),
                 field("waste_free", &T::waste_free), field("max_prior_draws", &T::max_prior_draws),
                 field("nan_limit", &T::nan_limit), field("max_steps", &T::max_steps), field("watch", &T::watch));
};
static_assert(lists_every_field<SmcOptions>);

template <>
struct Fields<PopulationMcmcOptions> {
  using T = PopulationMcmcOptions;
  static constexpr auto list = std::tuple(
      field("chains", &T::chains), field("ladder", &T::ladder), field("adaptive_ladder", &T::adaptive_ladder),
      field("update", &T::update), field("exchange", &T::exchange), field("burn_in", &T::burn_in),
      field("iterations", &T::iterations), field("ladders", &T::ladders), field("kernel", &T::kernel));
};
static_assert(lists_every_field<PopulationMcmcOptions>);

template <>
struct Fields<RjmcmcOptions> {
  using T = RjmcmcOptions;
  static constexpr auto list =
      std::tuple(field("chains", &T::chains), field("burn_in", &T::burn_in), field("iterations", &T::iterations),
                 field("thin", &T::thin), field("kernel", &T::kernel));
};
static_assert(lists_every_field<RjmcmcOptions>);

template <>
struct Fields<PosteriorChainOptions> {
  using T = PosteriorChainOptions;
  static constexpr auto list = std::tuple(field("chains", &T::chains), field("burn_in", &T::burn_in),
                                          field("iterations", &T::iterations), field("kernel", &T::kernel));
};
static_assert(lists_every_field<PosteriorChainOptions>);

/// Without the stop token, which changes no result.
template <>
struct Fields<ChibOptions> {
  static constexpr auto list = std::tuple(field("burn_in", &ChibOptions::burn_in), field("draws", &ChibOptions::draws));
};

template <>
struct Fields<Goal> {
  static constexpr auto list = std::tuple(field("precision", &Goal::precision), field("decide", &Goal::decide),
                                          field("seconds", &Goal::seconds));
};
static_assert(lists_every_field<Goal>);

/// Without threads, team and checkpoint, which change no result.
template <>
struct Fields<CompareOptions> {
  using T = CompareOptions;
  static constexpr auto list =
      std::tuple(field("method", &T::method), field("smc", &T::smc), field("population_mcmc", &T::population_mcmc),
                 field("rjmcmc", &T::rjmcmc), field("posterior_chain", &T::posterior_chain), field("chib", &T::chib),
                 field("jump_passes", &T::jump_passes), field("seed", &T::seed), field("data_set", &T::data_set),
                 field("replicates", &T::replicates), field("islands", &T::islands), field("goal", &T::goal));
};

}  // namespace evident
