// The fields of what runs and judges leave, so that ranks can send it and checkpoints can keep it
// (base/pack_fields.hpp).
#pragma once

#include "base/estimate_fields.hpp"
#include "base/pack_fields.hpp"
#include "compare/model_runs.hpp"
#include "compare/summary_fields.hpp"
#include "compare/union_island.hpp"
#include "kernel/pack_calibration.hpp"
#include "path/pack_trace.hpp"

namespace evident {

template <>
inline constexpr bool is_plain<PathSampling> = true;
template <>
inline constexpr bool is_plain<BridgeAgreement> = true;
template <>
struct LastOf<Verdict> {
  static constexpr Verdict value = Verdict::unjudged;
};
template <>
struct LastOf<Alarm> {
  static constexpr Alarm value = Alarm::few_particles;
};

inline void put_value(Packer& out, const Trace& x) { put_trace(out, x); }
inline void get_value(Unpacker& in, Trace& x) { x = get_trace(in); }
void put_value(Packer& out, const BlockStorage& x);
void get_value(Unpacker& in, BlockStorage& x);

template <>
struct Fields<BridgeEvidence> {
  using T = BridgeEvidence;
  static constexpr auto list = std::tuple(
      field("log_evidence", &T::log_evidence), field("effective", &T::effective), field("components", &T::components),
      field("evaluations", &T::evaluations), field("nan_evaluations", &T::nan_evaluations),
      field("agreement", &T::agreement), field("usable", &T::usable), field("reason", &T::reason));
};
static_assert(lists_every_field<BridgeEvidence>);

template <>
struct Fields<Replicate> {
  using T = Replicate;
  static constexpr auto list =
      std::tuple(field("log_evidence", &T::log_evidence), field("log_evidence_path", &T::log_evidence_path),
                 field("probability", &T::probability), field("support", &T::support), field("path", &T::path),
                 field("bridge", &T::bridge), field("trace", &T::trace), field("details", &T::details),
                 field("warnings", &T::warnings), field("seconds", &T::seconds));
};
static_assert(lists_every_field<Replicate>);

template <>
struct Fields<Draws> {
  static constexpr auto list =
      std::tuple(field("names", &Draws::names), field("values", &Draws::values), field("weights", &Draws::weights),
                 field("log_likelihood", &Draws::log_likelihood), field("log_prior", &Draws::log_prior));
};
static_assert(lists_every_field<Draws>);

template <>
struct Fields<runs::Finished> {
  static constexpr auto list =
      std::tuple(field("replicate", &runs::Finished::replicate), field("draws", &runs::Finished::draws));
};
static_assert(lists_every_field<runs::Finished>);

template <>
struct Fields<runs::FinishedFamily> {
  static constexpr auto list =
      std::tuple(field("models", &runs::FinishedFamily::models), field("run", &runs::FinishedFamily::run));
};
static_assert(lists_every_field<runs::FinishedFamily>);

template <>
struct Fields<FrozenPlan> {
  static constexpr auto list =
      std::tuple(field("alphas", &FrozenPlan::alphas), field("calibrations", &FrozenPlan::calibrations));
};
static_assert(lists_every_field<FrozenPlan>);

template <>
struct Fields<PlanOfPilot> {
  static constexpr auto list =
      std::tuple(field("replicate", &PlanOfPilot::replicate), field("plan", &PlanOfPilot::plan),
                 field("bridge_density", &PlanOfPilot::bridge_density));
};
static_assert(lists_every_field<PlanOfPilot>);

template <>
struct Fields<UnionPlan::OfModel> {
  using T = UnionPlan::OfModel;
  static constexpr auto list = std::tuple(field("steps", &T::steps), field("calibrations", &T::calibrations));
};
static_assert(lists_every_field<UnionPlan::OfModel>);

template <>
struct Fields<UnionPlan> {
  static constexpr auto list = std::tuple(field("alphas", &UnionPlan::alphas), field("models", &UnionPlan::models));
};
static_assert(lists_every_field<UnionPlan>);

template <>
struct Fields<PlanOfUnion> {
  static constexpr auto list =
      std::tuple(field("replicate", &PlanOfUnion::replicate), field("plan", &PlanOfUnion::plan));
};
static_assert(lists_every_field<PlanOfUnion>);

template <>
struct Fields<Mode> {
  static constexpr auto list = std::tuple(field("z", &Mode::z), field("log_density", &Mode::log_density),
                                          field("root", &Mode::root), field("log_mass", &Mode::log_mass),
                                          field("drawn_mass", &Mode::drawn_mass), field("hits", &Mode::hits));
};
static_assert(lists_every_field<Mode>);

template <>
struct Fields<Scouted> {
  static constexpr auto list = std::tuple(
      field("modes", &Scouted::modes), field("starts", &Scouted::starts), field("evaluations", &Scouted::evaluations),
      field("possible", &Scouted::possible), field("ended_early", &Scouted::ended_early));
};
static_assert(lists_every_field<Scouted>);

template <>
struct Fields<CombinedEvidence> {
  using T = CombinedEvidence;
  static constexpr auto list = std::tuple(field("standard", &T::standard), field("bridge", &T::bridge),
                                          field("best", &T::best), field("island_sd", &T::island_sd));
};
static_assert(lists_every_field<CombinedEvidence>);

template <>
struct Fields<Judgement> {
  using T = Judgement;
  static constexpr auto list = std::tuple(field("log_evidence", &T::log_evidence), field("verdict", &T::verdict),
                                          field("reasons", &T::reasons), field("ask_referee", &T::ask_referee));
};
static_assert(lists_every_field<Judgement>);

template <>
struct Fields<FoundMode> {
  static constexpr auto list = std::tuple(field("at", &FoundMode::at), field("log_mass", &FoundMode::log_mass),
                                          field("of_particles", &FoundMode::of_particles));
};
static_assert(lists_every_field<FoundMode>);

template <>
struct Fields<NanPlace> {
  static constexpr auto list = std::tuple(field("at", &NanPlace::at), field("why", &NanPlace::why));
};
static_assert(lists_every_field<NanPlace>);

template <>
struct Fields<FoundNan> {
  using T = FoundNan;
  static constexpr auto list =
      std::tuple(field("met", &T::met), field("evaluations", &T::evaluations), field("of_prior", &T::of_prior),
                 field("of_posterior", &T::of_posterior), field("too_low", &T::too_low),
                 field("fresh_evaluations", &T::fresh_evaluations), field("places", &T::places));
};
static_assert(lists_every_field<FoundNan>);

template <>
struct Fields<JudgedModel> {
  using T = JudgedModel;
  static constexpr auto list =
      std::tuple(field("evidence", &T::evidence), field("judgement", &T::judgement), field("modes", &T::modes),
                 field("known_modes", &T::known_modes), field("nan", &T::nan), field("nested", &T::nested),
                 field("nested_evaluations", &T::nested_evaluations));
};
static_assert(lists_every_field<JudgedModel>);

}  // namespace evident
