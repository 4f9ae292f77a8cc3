#include "correctness/joint.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "correctness/verdicts.hpp"

namespace evident::correctness {
namespace {

using problems::Observations;
using problems::observations;
using problems::Truth;
using problems::World;

/// Bounded, so that heavy tails do not make means useless.
double squash(double v) { return v / (1 + std::abs(v)); }

/// What is looked at: for each model whether it is the one, its unconstrained parameters, squashed, their squares and
/// products, products with the data, and the log likelihood.
class Functions {
 public:
  Functions(const World& world, std::optional<std::size_t> only) : world_(world), only_(only) {
    for (std::size_t m = 0; m < world.models.size(); ++m) {
      blank_.push_back(world.models[m].given(world.blank));
      if (only && *only != m) continue;
      const std::string in = world.models[m].name + ": ";
      if (!only) names_.push_back(in + "probability");
      const auto& free = blank_[m]->parameters().free_names();
      for (std::size_t j = 0; j < free.size(); ++j) {
        names_.insert(names_.end(), {in + free[j], in + free[j] + " squared", in + free[j] + " x data"});
        if (j + 1 < free.size()) names_.push_back(in + free[j] + " x " + free[j + 1]);
      }
      names_.push_back(in + "data");
      names_.push_back(in + "log likelihood");
    }
  }
  const std::vector<std::string>& names() const { return names_; }

  std::vector<double> at(const State& state, const Observations& y) const {
    std::vector<double> out;
    for (std::size_t m = 0; m < blank_.size(); ++m) {
      if (only_ && *only_ != m) continue;
      const std::size_t d = blank_[m]->parameters().free_size();
      if (m != state.model) {
        out.resize(out.size() + (only_ ? 0 : 1) + 4 * d - 1 + 2, 0.0);
        continue;
      }
      if (!only_) out.push_back(1);
      append(out, state, y);
    }
    return out;
  }

 private:
  void append(std::vector<double>& out, const State& state, const Observations& y) const {
    const ParameterSpace& space = blank_[state.model]->parameters();
    BlockStorage theta(space.size(), 1), z(space.free_size(), 1);
    for (std::size_t j = 0; j < space.size(); ++j) std::fill_n(theta.block().row_data(j), kLane, state.theta[j]);
    space.unconstrain(theta, z);
    double data = 0;
    for (const double v : y) data += squash(v) / static_cast<double>(y.size());
    for (std::size_t j = 0; j < z.rows(); ++j) {
      const double v = squash(z(j, 0));
      out.insert(out.end(), {v, v * v, v * data});
      if (j + 1 < z.rows()) out.push_back(v * squash(z(j + 1, 0)));
    }
    out.push_back(data);
    AlignedVector<double> l(1);
    world_.models[state.model].given(y)->log_likelihood(theta, l);
    out.push_back(l[0]);
  }

  const World& world_;
  std::optional<std::size_t> only_;
  std::vector<std::shared_ptr<const Model>> blank_;
  std::vector<std::string> names_;
};

/// Model and parameters from the prior, data from the model's own draws of new observations.
std::pair<State, Observations> joint_draw(const JointMove& move, const Streams& streams) {
  const Truth truth = move.model ? draw(move.world, *move.model, streams) : draw(move.world, streams);
  const auto blank = move.world.models[truth.model].given(move.world.blank);
  return {{truth.model, truth.theta}, observations(*blank, truth.theta, streams, 1)};
}

/// Means over the second half of a chain.
std::vector<double> chain_means(const JointMove& move, const Functions& functions, const JointOptions& options,
                                std::uint64_t chain, std::size_t& moved) {
  const Streams streams({.seed = options.seed, .data_set = chain, .replicate = 1});
  auto [state, y] = joint_draw(move, streams);
  std::vector<double> sums(functions.names().size());
  const std::size_t burn = options.steps / 2;
  for (std::size_t t = 0; t < options.steps; ++t) {
    const Streams own = streams.part(t);
    const State before = state;
    move.move(y, state, own);
    moved += state.model != before.model || state.theta != before.theta ? 1 : 0;
    y = observations(*move.world.models[state.model].given(y), state.theta, own, 1);
    if (t < burn) continue;
    const auto values = functions.at(state, y);
    for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += values[f] / static_cast<double>(options.steps - burn);
  }
  return sums;
}

}  // namespace

std::vector<double> JointTest::p_values() const {
  std::vector<double> out;
  out.reserve(z.size());
  for (const double v : z) out.push_back(student_p_value(v, degrees));
  return out;
}

std::string JointTest::worst() const {
  const auto at = std::ranges::max_element(z, {}, [](double v) { return std::abs(v); });
  if (at == z.end()) return "nothing";
  char text[40];
  std::snprintf(text, sizeof text, " (z = %.2f)", *at);
  return functions[static_cast<std::size_t>(at - z.begin())] + text;
}

JointTest joint_test(const JointMove& move, const JointOptions& options, const Executor& executor) {
  const Functions functions(move.world, move.model);
  std::vector<std::vector<double>> walked(options.chains), direct(options.direct);
  std::vector<std::size_t> moved(options.chains);
  executor.for_each(walked.size(),
                    [&](std::size_t c) { walked[c] = chain_means(move, functions, options, c, moved[c]); });
  executor.for_each(direct.size(), [&](std::size_t i) {
    const auto [state, y] = joint_draw(move, Streams({.seed = options.seed, .data_set = i}));
    direct[i] = functions.at(state, y);
  });
  JointTest out{.degrees = static_cast<double>(options.chains - 1)};
  for (const std::size_t m : moved)
    out.moved += static_cast<double>(m) / static_cast<double>(options.chains * options.steps);
  for (std::size_t f = 0; f < functions.names().size(); ++f) {
    std::vector<double> a, b;
    for (const auto& v : walked) a.push_back(v[f]);
    for (const auto& v : direct) b.push_back(v[f]);
    const MeanOf x = mean_of(a), y = mean_of(b);
    out.functions.push_back(functions.names()[f]);
    out.z.push_back((x.mean - y.mean) / std::hypot(x.error, y.error));
  }
  return out;
}

}  // namespace evident::correctness
