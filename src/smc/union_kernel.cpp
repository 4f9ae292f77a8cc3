#include "smc/union_kernel.hpp"

#include <algorithm>

namespace evident {
namespace {

/// So many particles of a model are enough to calibrate by themselves.
std::size_t enough(const Model& model) { return 64 + 8 * model.parameters().free_size(); }

}  // namespace

UnionKernel::UnionKernel(const KernelOptions& options, const UnionOptions& union_options, const ModelFamily& family)
    : options_(options), union_options_(union_options), family_(family) {
  reset_jumps();
}

void UnionKernel::reset_jumps() {
  jumps_.clear();
  for (const auto& jump : family_.jumps()) jumps_.push_back({std::string(jump->name()), 0, 0});
}

UnionKernel::Part& UnionKernel::part(ModelIndex k) {
  const auto found = parts_.find(k);
  if (found != parts_.end()) return found->second;
  const Model& model = family_.model(k);
  return parts_.emplace(k, Part{make_kernel(options_, model), DrawBuffer(model, enough(model))}).first->second;
}

void UnionKernel::calibrate(UnionPopulation& x, double alpha) {
  ++step_;
  x.share_weights();
  if (followed_ != nullptr) return calibrate_from_plan(x);
  if (written_ != nullptr) written_->alphas.push_back(alpha);
  for (UnionPopulation::Member& m : x.members) {
    Part& p = part(m.model);
    p.memory.add(m.x);
    if (m.x.size() >= p.memory.capacity()) {
      p.kernel->calibrate(m.x, alpha);
    } else if (p.memory.size() >= 2 * m.x.z.rows() || !p.calibrated) {
      p.kernel->calibrate(p.memory.draws(family_.model(m.model)), alpha);
    }
    p.calibrated = true;
    p.rests_on_enough = std::max(m.x.size(), p.memory.size()) >= 2 * m.x.z.rows();
  }
}

void UnionKernel::calibrate_from_plan(const UnionPopulation& x) {
  for (const UnionPopulation::Member& m : x.members) {
    const Calibration* planned = followed_->at(m.model, step_);
    if (planned == nullptr) continue;
    Part& p = part(m.model);
    p.kernel->use(*planned);
    p.calibrated = true;
  }
}

// A model that no calibration has seen yet is moved on the scale of its prior, with small steps mixed in.
void UnionKernel::calibrate_from_prior(Part& p, ModelIndex k, double alpha, const Context& context) {
  const Model& model = family_.model(k);
  Population prior(model, 256);
  model.draw_prior(context.streams.part(~k), 0, prior.theta);
  model.parameters().unconstrain(prior.theta, prior.z);
  KernelOptions mixed = options_;
  mixed.mix_scales = true;
  p.kernel = make_kernel(mixed, model);
  p.kernel->calibrate(prior, alpha);
  if (followed_ != nullptr) p.kernel->use(p.kernel->calibration());  // and nothing is tuned on the way
  p.calibrated = true;
}

MoveReport UnionKernel::move_within(const UnionTarget& target, UnionPopulation& x, const Context& context,
                                    std::uint32_t step) {
  MoveReport sum{.acceptance = 0, .jump = 0, .scale = 0};
  for (UnionPopulation::Member& m : x.members) {
    Part& p = part(m.model);
    if (!p.calibrated) calibrate_from_prior(p, m.model, target.alpha, context);
    const Context own{context.streams.part(m.model), context.executor, context.stop};
    const TemperedTarget tempered(family_.model(m.model), target.alpha, target.count);
    const MoveReport moved = p.kernel->move(tempered, m.x, own, step);
    if (written_ != nullptr && p.rests_on_enough) {
      UnionPlan::OfModel& plan = written_->models[m.model];
      plan.steps.push_back(step_);
      plan.calibrations.push_back(p.kernel->calibration());
    }
    const double share = static_cast<double>(m.x.size()) / static_cast<double>(x.size());
    sum.acceptance += share * moved.acceptance;
    sum.jump += share * moved.jump;
    sum.scale += share * moved.scale;
    sum.passes = std::max(sum.passes, moved.passes);
  }
  return sum;
}

MoveReport UnionKernel::move(const UnionTarget& target, UnionPopulation& x, const Context& context,
                             std::uint32_t step) {
  const MoveReport report = move_within(target, x, context, step);
  for (std::uint32_t pass = 0; pass < union_options_.jump_passes; ++pass) {
    const std::vector<JumpReport> jumped = jump(target, x, context, step, pass);
    for (std::size_t j = 0; j < jumped.size(); ++j) {
      jumps_[j].proposed += jumped[j].proposed;
      jumps_[j].accepted += jumped[j].accepted;
    }
  }
  return report;
}

}  // namespace evident
