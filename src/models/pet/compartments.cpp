#include "models/pet/compartments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "dist/samplers.hpp"
#include "evident/base/context.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "models/pet/combine.hpp"
#include "models/pet/likelihood.hpp"
#include "models/pet/prior.hpp"
#include "models/pet/prior_density.hpp"

namespace evident {
namespace {

constexpr double kNearNormal = 1e-6;  // below this 1/nu the product of 1 + q/nu is too near 1 for its logarithm

/// Sums over the frames, of up to kBlockSize particles.
struct Sums {
  alignas(64) double sum[kBlockSize];
  alignas(64) double log_product[kBlockSize];
};

pet::Constants make_constants(const PetOptions& options, const pet::Curve& curve) {
  const double n = static_cast<double>(curve.frames);
  double log_dt = 0;
  for (const double dt : curve.table->frames().dt) log_dt += std::log(dt);
  const double shape = options.precision_shape, rate = 1 / options.precision_scale;
  return {n,     curve.unit, log_dt - n / 2 * (std::log(curve.unit) + kLog2Pi),
          shape, rate,       options.marginal_precision ? pet::marginal_constant(n, shape, rate) : 0};
}

}  // namespace

struct PetCompartments::State {
  State(PetOptions o, std::shared_ptr<const ConvolutionTable> t, std::span<const double> activity)
      : options(std::move(o)),
        table(std::move(t)),
        space(pet::make_parameters(options)),
        raised(pet::raised_bounds(options)),
        prior(options),
        one_pass(pet::constrains_in_one_pass(options)),
        curve(pet::make_curve(*table, activity, options.activity_floor)),
        constants(make_constants(options, curve)) {}

  std::size_t m() const { return options.compartments; }
  std::size_t lambda_row() const { return 2 * m(); }
  bool student() const { return options.noise == PetNoise::student; }

  bool beyond_reach(double rate, std::size_t d) const {
    const PetBounds b = options.theta_bounds(d);
    return !table->covers(rate) && !(rate >= b.lower && rate <= b.upper);
  }
  pet::Terms careful(ConstBlock theta, std::size_t i) const;
  void normal_sums(ConstBlock theta, Sums& sums) const;
  void student_sums(ConstBlock theta, Sums& sums) const;
  void evaluate(ConstBlock theta, std::span<double> out) const;

  PetOptions options;
  std::shared_ptr<const ConvolutionTable> table;
  ParameterSpace space;
  std::vector<pet::RaisedBound> raised;
  pet::PriorDensity prior;
  bool one_pass;
  pet::Curve curve;
  pet::Constants constants;
};

pet::Terms PetCompartments::State::careful(ConstBlock theta, std::size_t i) const {
  std::vector<double> phi(m()), rate(m());
  for (std::size_t d = 0; d < m(); ++d) {
    phi[d] = theta(d, i);
    rate[d] = theta(m() + d, i);
    if (beyond_reach(rate[d], d)) return {kInf, 0};
  }
  if (!student()) return pet::careful_normal_terms(curve, phi, rate);
  return pet::careful_student_terms(curve, phi, rate, theta(lambda_row(), i), theta(lambda_row() + 1, i));
}

void PetCompartments::State::normal_sums(ConstBlock theta, Sums& sums) const {
  if (pet::normal_terms(curve, theta.some_rows(0, m()), theta.some_rows(m(), m()), sums.sum, sums.log_product)) return;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (!std::isnan(sums.sum[i])) continue;
    const pet::Terms terms = careful(theta, i);
    sums.sum[i] = terms.sum;
    sums.log_product[i] = terms.log_product;
  }
}

void PetCompartments::State::student_sums(ConstBlock theta, Sums& sums) const {
  alignas(64) double ratio[kBlockSize] = {};
  for (std::size_t i = 0; i < theta.padded_size(); ++i) {
    const double w = theta(lambda_row() + 1, i);
    ratio[i] = w >= kNearNormal ? theta(lambda_row(), i) * w * curve.unit : kNaN;
  }
  pet::student_terms(curve, theta.some_rows(0, m()), theta.some_rows(m(), m()), ratio, sums.sum, sums.log_product);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (!std::isnan(sums.sum[i])) {
      sums.sum[i] /= theta(lambda_row() + 1, i);
      continue;
    }
    const pet::Terms terms = careful(theta, i);
    sums.sum[i] = terms.sum;
    sums.log_product[i] = terms.log_product;
  }
}

void PetCompartments::State::evaluate(ConstBlock theta, std::span<double> out) const {
  Sums sums;
  alignas(64) double result[kBlockSize];
  if (student()) {
    student_sums(theta, sums);
    pet::combine_student(constants, theta.row_data(lambda_row()), theta.row_data(lambda_row() + 1), sums.sum,
                         sums.log_product, result, theta.size());
  } else {
    normal_sums(theta, sums);
    if (options.marginal_precision)
      pet::combine_marginal(constants, sums.sum, sums.log_product, result, theta.size());
    else
      pet::combine_normal(constants, theta.row_data(lambda_row()), sums.sum, sums.log_product, result, theta.size());
  }
  std::copy_n(result, theta.size(), out.begin());
}

std::shared_ptr<const ConvolutionTable> make_table(const PetInput& input, const PetFrames& frames,
                                                   const PetOptions& options, const PetBlood& blood) {
  pet::check(options);
  const double upper = options.theta_bounds(options.compartments - 1).upper;
  // A prior that starts at 0 has almost no mass below this; such rates are convolved exactly.
  const double lower = std::max(options.theta_bounds(0).lower, 1e-7 * upper);
  return std::make_shared<const ConvolutionTable>(input, frames, lower, upper, ConvolutionTable::kNodesPerOctave,
                                                  blood);
}

PetCompartments::PetCompartments(PetOptions options, std::shared_ptr<const ConvolutionTable> table,
                                 std::span<const double> activity) {
  pet::check(options);
  if (activity.size() != table->size())
    throw InputError("PET model: " + std::to_string(table->size()) + " frames but " + std::to_string(activity.size()) +
                     " activities");
  for (std::size_t i = 0; i < activity.size(); ++i)
    if (!std::isfinite(activity[i]))
      throw InputError("PET model: the activity of frame " + std::to_string(i + 1) + " is not a finite number");
  state_ = std::make_unique<const State>(std::move(options), std::move(table), activity);
}

PetCompartments::PetCompartments(const PetOptions& options, const PetInput& input, const PetFrames& frames,
                                 std::span<const double> activity, const PetBlood& blood)
    : PetCompartments(options, make_table(input, frames, options, blood), activity) {}

PetCompartments::~PetCompartments() = default;
PetCompartments::PetCompartments(PetCompartments&&) noexcept = default;
PetCompartments& PetCompartments::operator=(PetCompartments&&) noexcept = default;

const ParameterSpace& PetCompartments::parameters() const { return state_->space; }
const PetOptions& PetCompartments::options() const { return state_->options; }
const std::shared_ptr<const ConvolutionTable>& PetCompartments::table() const { return state_->table; }

void PetCompartments::log_likelihood(ConstBlock theta, std::span<double> out) const {
  for (std::size_t first = 0; first < theta.size(); first += kBlockSize) {
    const std::size_t count = std::min(kBlockSize, theta.size() - first);
    state_->evaluate(theta.columns(first, count), out.subspan(first, count));
  }
}

std::size_t PetCompartments::observation_count() const { return state_->curve.frames; }

void PetCompartments::log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count,
                                        std::span<double> out) const {
  const State& s = *state_;
  const std::size_t m = s.m();
  std::vector<double> phi(m), rate(m);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    bool beyond = false;
    for (std::size_t d = 0; d < m; ++d) {
      phi[d] = theta(d, i);
      rate[d] = theta(m + d, i);
      beyond = beyond || s.beyond_reach(rate[d], d);
    }
    const double lambda = theta(s.lambda_row(), i), w = s.student() ? theta(s.lambda_row() + 1, i) : 0.0;
    out[i] = beyond ? -kInf : pet::frames_log_density(s.curve, phi, rate, lambda, w, first, count);
  }
}

void PetCompartments::draw_prior(const Streams& streams, std::uint32_t first, Block theta) const {
  state_->space.draw(streams, first, theta);
  if (!state_->raised.empty()) pet::mend_draws(state_->options, theta);
}

void PetCompartments::log_prior(ConstBlock theta, std::span<double> out) const {
  pet::log_density(state_->prior, theta, out);
}

bool PetCompartments::constrain(ConstBlock z, Block theta, std::span<double> log_prior_of_z,
                                std::span<double> log_jacobian) const {
  if (state_->one_pass) pet::constrain(state_->prior, z, theta, log_prior_of_z, log_jacobian);
  return state_->one_pass;
}

std::vector<std::vector<std::size_t>> PetCompartments::groups() const {
  const std::size_t m = state_->m();
  std::vector<std::vector<std::size_t>> groups(2, std::vector<std::size_t>(m));
  std::iota(groups[0].begin(), groups[0].end(), std::size_t{0});
  std::iota(groups[1].begin(), groups[1].end(), m);
  const bool moved = !state_->options.marginal_precision && !state_->options.gibbs_precision;
  if (moved) groups.push_back({2 * m});
  if (state_->student()) groups.push_back({2 * m + 1});
  return groups;
}

bool PetCompartments::has_own_move() const { return state_->options.gibbs_precision; }

std::size_t PetCompartments::own_move(double alpha, const MoveState& state, const MoveRandom& random) const {
  if (!has_own_move()) return 0;
  const State& s = *state_;
  const pet::Constants& k = s.constants;
  Sums sums;
  alignas(64) double result[kBlockSize];
  for (std::size_t first = 0; first < state.theta.size(); first += kBlockSize) {
    const std::size_t count = std::min(kBlockSize, state.theta.size() - first);
    const Block theta = state.theta.columns(first, count);
    s.normal_sums(theta, sums);
    for (std::size_t i = 0; i < count; ++i) {
      // A particle without density stays: whether it has one does not depend on lambda.
      if (!(sums.sum[i] < kInf)) continue;
      Stream stream = random.streams.at({.step = random.step,
                                         .particle = random.first_particle + static_cast<std::uint32_t>(first + i),
                                         .purpose = Purpose::model_move,
                                         .pass = random.pass});
      const double rate = k.rate + alpha * k.unit * sums.sum[i] / 2;
      theta(s.lambda_row(), i) = dist::draw_gamma(stream, k.shape + alpha * k.frames / 2, 1 / rate);
    }
    pet::combine_normal(k, theta.row_data(s.lambda_row()), sums.sum, sums.log_product, result, count);
    std::copy_n(result, count, state.log_likelihood.begin() + static_cast<std::ptrdiff_t>(first));
  }
  log_prior(state.theta, state.log_prior);
  return state.theta.size();
}

std::vector<Observed> PetCompartments::observed() const {
  const pet::Curve& curve = state_->curve;
  const PetFrames& frames = state_->table->frames();
  Observed out{.name = "activity", .axis_name = "time / s", .axis = frames.time};
  for (std::size_t f = 0; f < curve.frames; ++f) out.values.push_back(curve.activity[f] * curve.unit / frames.dt[f]);
  return {std::move(out)};
}

void PetCompartments::predict(ConstBlock theta, Block out) const {
  const pet::Curve& curve = state_->curve;
  const std::size_t m = state_->m();
  std::vector<double> phi(m), rate(m);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    for (std::size_t d = 0; d < m; ++d) {
      phi[d] = theta(d, i);
      rate[d] = theta(m + d, i);
    }
    const std::vector<double> c = pet::predictions(curve, phi, rate);
    for (std::size_t f = 0; f < c.size(); ++f) out(f, i) = c[f] * curve.unit / state_->table->frames().dt[f];
  }
}

void PetCompartments::draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first,
                                        Block out) const {
  const State& s = *state_;
  const std::vector<double> y = std::move(observed().front().values);
  const std::vector<double>& dt = s.table->frames().dt;
  predict(theta, out);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    Stream stream = streams.at({.particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::simulate});
    double lambda = 0;
    if (s.options.marginal_precision) {
      double squares = 0;
      for (std::size_t f = 0; f < y.size(); ++f) squares += dt[f] * (y[f] - out(f, i)) * (y[f] - out(f, i)) / out(f, i);
      lambda =
          dist::draw_gamma(stream, s.constants.shape + s.constants.frames / 2, 1 / (s.constants.rate + squares / 2));
    } else {
      lambda = theta(s.lambda_row(), i);
    }
    for (std::size_t f = 0; f < y.size(); ++f) {
      const double noise =
          s.student() ? dist::draw_student_t(stream, 1 / theta(s.lambda_row() + 1, i)) : stream.normal();
      out(f, i) += std::sqrt(out(f, i) / (lambda * dt[f])) * noise;
    }
  }
}

void PetCompartments::derive(ConstBlock theta, Block out) const {
  const std::size_t m = state_->m();
  for (std::size_t i = 0; i < theta.size(); ++i) {
    double volume = 0, inflow = 0;
    for (std::size_t d = 0; d < m; ++d) {
      volume += theta(d, i) / (theta(m + d, i) - state_->options.decay);
      inflow += theta(d, i);
    }
    out(0, i) = volume;
    out(1, i) = inflow;
  }
}

}  // namespace evident
