// The moves that the joint test looks at.
#include <algorithm>

#include "correctness/joint.hpp"
#include "evident/kernel/kernel.hpp"
#include "transdim/green.hpp"

namespace evident::correctness {
namespace {

using problems::Observations;
using problems::World;

/// One particle at theta.
Population particle(const Model& model, const std::vector<double>& theta, EvaluationCount& count) {
  Population x(model, 1);
  for (std::size_t j = 0; j < theta.size(); ++j) std::fill_n(x.theta.block().row_data(j), kLane, theta[j]);
  model.parameters().unconstrain(x.theta, x.z);
  const TemperedTarget target(model, 1.0, count);
  target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
  target.likelihood(x.theta, x.log_likelihood);
  return x;
}

std::vector<double> theta_of(const Population& x) {
  std::vector<double> out(x.theta.rows());
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = x.theta(j, 0);
  return out;
}

/// What a kernel learns from draws of the prior: any fixed calibration must do.
Calibration from_prior(const KernelOptions& options, const Model& model) {
  EvaluationCount count;
  Population x(model, 400);
  model.draw_prior(Streams({.seed = 3}), 0, x.theta);
  model.parameters().unconstrain(x.theta, x.z);
  const TemperedTarget target(model, 1.0, count);
  target.prior(x.z, x.theta, x.log_prior, x.log_jacobian);
  target.likelihood(x.theta, x.log_likelihood);
  const auto kernel = make_kernel(options, model);
  kernel->calibrate(x, 1.0);
  return kernel->calibration();
}

/// A family with one of its jumps only.
class OneJump final : public ModelFamily {
 public:
  OneJump(std::shared_ptr<const ModelFamily> family, std::size_t jump) : family_(std::move(family)) {
    jumps_.push_back(std::make_unique<Borrowed>(*family_->jumps().at(jump)));
  }
  const Model& model(ModelIndex k) const override { return family_->model(k); }
  std::string name(ModelIndex k) const override { return family_->name(k); }
  const ModelPrior& prior() const override { return family_->prior(); }
  const std::vector<std::unique_ptr<Jump>>& jumps() const override { return jumps_; }

 private:
  class Borrowed final : public Jump {
   public:
    explicit Borrowed(const Jump& jump) : jump_(jump) {}
    std::string_view name() const override { return jump_.name(); }
    std::optional<JumpChoice> choose(const ModelPrior& models, ModelIndex from, std::span<const double> theta,
                                     Stream& random) const override {
      return jump_.choose(models, from, theta, random);
    }
    double log_choice(const ModelPrior& models, ModelIndex from, std::span<const double> theta,
                      const JumpChoice& choice) const override {
      return jump_.log_choice(models, from, theta, choice);
    }
    std::size_t auxiliaries(ModelIndex from, ModelIndex to) const override { return jump_.auxiliaries(from, to); }
    void draw_auxiliaries(ModelIndex from, const JumpChoice& choice, std::span<const double> theta, Stream& random,
                          std::span<double> u) const override {
      jump_.draw_auxiliaries(from, choice, theta, random, u);
    }
    double log_auxiliary(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                         std::span<const double> u) const override {
      return jump_.log_auxiliary(from, choice, theta, u);
    }
    std::optional<JumpImage> map(ModelIndex from, const JumpChoice& choice, std::span<const double> theta,
                                 std::span<const double> u, std::span<double> theta_to,
                                 std::span<double> u_to) const override {
      return jump_.map(from, choice, theta, u, theta_to, u_to);
    }

   private:
    const Jump& jump_;
  };

  std::shared_ptr<const ModelFamily> family_;
  std::vector<std::unique_ptr<Jump>> jumps_;
};

const Executor& alone() {
  static const Executor executor(1);
  return executor;
}

}  // namespace

JointMove kernel_move(const std::string& name, const World& world, std::size_t model, KernelOptions options,
                      std::size_t chain) {
  options.own_moves = false;
  const auto make = world.models[model].given;
  const auto calibration = std::make_shared<const Calibration>(from_prior(options, *make(world.blank)));
  return {name, world, model, [=](const Observations& y, State& state, const Streams& streams) {
            const auto given = make(y);
            EvaluationCount count;
            Population x = particle(*given, state.theta, count);
            const auto kernel = make_kernel(options, *given);
            kernel->use(*calibration);
            const TemperedTarget target(*given, 1.0, count);
            const Context context{streams, alone()};
            if (chain <= 1) {
              kernel->move(target, x, context, 1);
              state.theta = theta_of(x);
              return;
            }
            // Any state of the chain is a draw: take one at random, as resampling does.
            std::vector<std::vector<double>> states = {state.theta};
            kernel->move_chains(target, x, context, 1, {chain, [&](std::size_t) { states.push_back(theta_of(x)); }});
            state.theta = states[streams.at({.purpose = Purpose::resample}).bits() % states.size()];
          }};
}

JointMove own_move(const std::string& name, const World& world, std::size_t model) {
  const auto make = world.models[model].given;
  return {name, world, model, [=](const Observations& y, State& state, const Streams& streams) {
            const auto given = make(y);
            EvaluationCount count;
            Population x = particle(*given, state.theta, count);
            AlignedVector<double> log_prior(1);
            given->log_prior(x.theta, log_prior);
            given->own_move(1.0, {x.theta, log_prior, x.log_likelihood}, {streams, 1, 0, 0});
            state.theta = theta_of(x);
          }};
}

JointMove jump_move(const std::string& name, const World& world, std::size_t jump_number) {
  return {name, world, std::nullopt, [=](const Observations& y, State& state, const Streams& streams) {
            const OneJump family(world.family(y), jump_number);
            EvaluationCount count;
            UnionPopulation x;
            x.members.push_back(
                {world.indices[state.model], particle(family.model(world.indices[state.model]), state.theta, count)});
            x.weights.reset(1);
            x.keys = {1};
            jump({family, family.prior(), 1.0, count}, x, {streams, alone()}, 1, 0);
            state.model = static_cast<std::size_t>(std::ranges::find(world.indices, x.members.front().model) -
                                                   world.indices.begin());
            state.theta = theta_of(x.members.front().x);
          }};
}

std::vector<JointMove> kernel_moves() {
  const World line = problems::regression_world(), mixture = problems::mixture_world(3), pet = problems::pet_world(),
              student = problems::pet_world(true), decay = problems::formula_world();
  using enum KernelKind;
  using enum Grouping;
  return {kernel_move("random walk, joint", line, 3, {.kind = random_walk, .grouping = joint, .passes = 1}),
          kernel_move("random walk, blocks", pet, 1, {.kind = random_walk, .grouping = blocks, .passes = 2}),
          kernel_move("random walk, single", mixture, 1, {.kind = random_walk, .grouping = single, .passes = 1}),
          kernel_move("random walk, mixed scales", student, 0,
                      {.kind = random_walk, .grouping = joint, .passes = 2, .mix_scales = true}),
          kernel_move("Crank-Nicolson, joint", line, 3, {.kind = crank_nicolson, .grouping = joint, .passes = 1}),
          kernel_move("Crank-Nicolson, blocks", mixture, 2, {.kind = crank_nicolson, .grouping = blocks, .passes = 2}),
          kernel_move("independent", decay, 1, {.kind = independent, .passes = 2}),
          kernel_move("MALA", line, 3, {.kind = mala, .grouping = joint, .passes = 1}),
          kernel_move("MALA, mixture", mixture, 1, {.kind = mala, .grouping = joint, .passes = 1}),
          kernel_move("HMC", line, 3, {.kind = hmc, .grouping = joint, .passes = 1}),
          kernel_move("HMC, mixture", mixture, 1, {.kind = hmc, .grouping = joint, .passes = 1}),
          kernel_move("waste-free chains", line, 3, {.kind = random_walk, .grouping = joint, .passes = 1}, 4),
          own_move("mixture's weights and neighbours", mixture, 2),
          own_move("PET's precision", pet, 1)};
}

std::vector<JointMove> jump_moves() {
  std::vector<JointMove> out;
  for (const World& world : {problems::regression_world(), problems::mixture_world(3)}) {
    const auto family = world.family(world.blank);
    for (std::size_t j = 0; j < family->jumps().size(); ++j)
      out.push_back(jump_move(world.name + ": " + std::string(family->jumps()[j]->name()), world, j));
  }
  return out;
}

}  // namespace evident::correctness
