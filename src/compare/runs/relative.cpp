// From the posterior of one model to that of the next, along the list of models.
#include "smc/relative_evidence.hpp"

#include "compare/runs/run.hpp"
#include "compare/summary.hpp"

namespace evident::runs {
namespace {

Finished first_model(const Model& model, Run& run) {
  Finished done;
  done.draws = collect_draws(model, run.particles);
  done.replicate.log_evidence.value = standard_estimate(run.trace);
  done.replicate.path = path_sampling(run.trace);
  done.replicate.log_evidence_path = done.replicate.path->best();
  done.replicate.trace = std::move(run.trace);
  return done;
}

// The evidences of a run add up along the chain, so probabilities follow from them and the priors.
void assign_probabilities(const ModelPrior& prior, FinishedFamily& done) {
  std::vector<double> log_joint;
  for (const auto& [k, model] : done.models)
    log_joint.push_back(prior.log_probability(k) + model.replicate.log_evidence.value);
  const double total = log_sum_exp(log_joint);
  std::size_t i = 0;
  for (auto& [k, model] : done.models) model.replicate.probability.value = std::exp(log_joint[i++] - total);
}

FinishedFamily run_relative(const FamilyCandidate& candidate, const CompareOptions& options, const Context& context,
                            UnionObserver* observer) {
  const ModelFamily& family = *candidate.family;
  std::vector<ModelIndex> chain;
  for (const auto& [k, name] : candidate.listed) chain.push_back(k);
  RelativeRun run =
      relative_evidence(family, chain, options.sampler(), {.jump_passes = options.jump_passes}, context, observer);
  FinishedFamily done;
  done.models[chain.front()] = first_model(family.model(chain.front()), run.first);
  for (RelativeLink& link : run.links) {
    const Replicate& from = done.models.at(link.from).replicate;
    Finished to;
    to.draws = collect_draws(family.model(link.to), link.particles);
    to.replicate.log_evidence.value = from.log_evidence.value + link.log_ratio;
    to.replicate.log_evidence_path = from.log_evidence_path + link.log_ratio_path;
    to.replicate.details = {{"log_ratio", link.log_ratio}, {"log_ratio_path", link.log_ratio_path}};
    add_jumps(link.jumps, to.replicate);
    to.replicate.trace = std::move(link.trace);
    if (!link.settled)
      to.replicate.warnings.push_back("jumps from " + family.name(link.to) + " back to " + family.name(link.from) +
                                      " were so rare that their ratio may be off; use more jump_passes, or direct");
    done.models[link.to] = std::move(to);
  }
  for (auto& [k, model] : done.models) model.replicate.support = static_cast<double>(model.draws.weights.size());
  assign_probabilities(family.prior(), done);
  return done;
}

}  // namespace

const MethodRun kRelative = {
    {.method = Method::relative,
     .name = "relative",
     .title = "Relative evidence (SMC3)",
     .summary = "from the posterior of each model to that of the next",
     .union_of_models = true,
     .countable = false,
     .between_models = true,
     .improbable = true,
     .no_pairs = true,
     .no_mixing = false,
     .parallel = Strength::yes,
     .no_ergodicity = true,
     .unjudged = "there is no independent check for this method: errors add up along the chain of models, and its runs "
                 "fit their moves to their own particles; compare with method direct, which is checked"},
    nullptr,
    run_relative};

}  // namespace evident::runs
