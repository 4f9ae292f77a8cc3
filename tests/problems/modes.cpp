#include "problems/modes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "evident/base/log_math.hpp"
#include "evident/base/random.hpp"
#include "problems/quadrature.hpp"
#include "problems/written.hpp"

namespace evident::problems {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

ParameterSpace box(std::size_t d, double half_width) {
  ParameterSpace space;
  for (std::size_t j = 0; j < d; ++j) space.add("x" + std::to_string(j + 1), uniform(-half_width, half_width));
  return space;
}

Vector column(ConstBlock theta, std::size_t i) {
  Vector x(static_cast<Eigen::Index>(theta.rows()));
  for (std::size_t j = 0; j < theta.rows(); ++j) x[static_cast<Eigen::Index>(j)] = theta.row(j)[i];
  return x;
}

class NormalModes final : public Model {
 public:
  struct Mode {
    Vector centre;
    Matrix precision;
    double log_constant;  ///< share included
    Vector sd;            ///< of each coordinate
  };
  static constexpr double kHalfWidth = 50;
  NormalModes(std::size_t d, std::vector<Mode> modes) : space_(box(d, kHalfWidth)), modes_(std::move(modes)) {}

  const ParameterSpace& parameters() const override { return space_; }
  bool has_gradient() const override { return true; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    std::vector<double> parts(modes_.size());
    for (std::size_t i = 0; i < theta.size(); ++i) {
      fill(column(theta, i), parts);
      out[i] = log_sum_exp(parts);
    }
  }

  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override {
    space_.gradient(theta, d_log_prior);
    std::vector<double> parts(modes_.size());
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const Vector x = column(theta, i);
      fill(x, parts);
      const double all = log_sum_exp(parts);
      Vector slope = Vector::Zero(x.size());
      for (std::size_t k = 0; k < modes_.size(); ++k)
        slope -= std::exp(parts[k] - all) * (modes_[k].precision * (x - modes_[k].centre));
      for (std::size_t j = 0; j < theta.rows(); ++j) d_log_likelihood.row(j)[i] = slope[static_cast<Eigen::Index>(j)];
    }
  }

 private:
  void fill(const Vector& x, std::vector<double>& parts) const {
    for (std::size_t k = 0; k < modes_.size(); ++k) {
      const Vector from = x - modes_[k].centre;
      parts[k] = modes_[k].log_constant - 0.5 * from.dot(modes_[k].precision * from);
    }
  }

  ParameterSpace space_;
  std::vector<Mode> modes_;
};

Stream numbers(std::uint64_t instance) {
  return Streams({.seed = 77}).at({.step = static_cast<std::uint32_t>(instance)});
}

Vector centre(std::size_t d, Stream& stream) {
  Vector out(static_cast<Eigen::Index>(d));
  for (double& v : out) v = 80 * stream.uniform() - 40;
  return out;
}

/// The axes are those of a matrix of normals.
NormalModes::Mode mode(const Vector& centre, const Vector& eigenvalues, Stream& stream, std::size_t modes) {
  Matrix normals(centre.size(), centre.size());
  for (double& v : normals.reshaped()) v = stream.normal();
  const Matrix axes = Eigen::HouseholderQR<Matrix>(normals).householderQ();
  const double log_constant = -0.5 * static_cast<double>(centre.size()) * std::log(2 * std::numbers::pi) -
                              0.5 * eigenvalues.array().log().sum() - std::log(static_cast<double>(modes));
  const Matrix covariance = axes * eigenvalues.asDiagonal() * axes.transpose();
  return {centre, axes * eigenvalues.cwiseInverse().asDiagonal() * axes.transpose(), log_constant,
          covariance.diagonal().cwiseSqrt()};
}

struct Outside {
  double share = 0;  ///< of the mass, outside of the prior
  double error = 0;
};

/// A bound for one coordinate is exact, and for several the sum is too large by what is beyond two bounds at once: at
/// most the smaller of the two.
Outside outside(const std::vector<NormalModes::Mode>& modes) {
  Outside out;
  const auto count = static_cast<double>(modes.size());
  for (const NormalModes::Mode& m : modes) {
    double before = 0;
    for (Eigen::Index j = 0; j < m.centre.size(); ++j) {
      const double tail = normal_cdf((m.centre[j] - NormalModes::kHalfWidth) / m.sd[j]) +
                          normal_cdf((-m.centre[j] - NormalModes::kHalfWidth) / m.sd[j]);
      out.share += tail / count;
      out.error += std::min(tail, before) / count;
      before += tail;
    }
  }
  return out;
}

ModesProblem problem_of(std::string name, std::size_t d, std::vector<NormalModes::Mode> modes) {
  std::vector<std::vector<double>> centres;
  for (const NormalModes::Mode& m : modes) centres.emplace_back(m.centre.begin(), m.centre.end());
  const Outside lost = outside(modes);
  return {{.name = std::move(name),
           .model = std::make_shared<NormalModes>(d, std::move(modes)),
           .log_evidence = std::log1p(-lost.share) - static_cast<double>(d) * std::log(2 * NormalModes::kHalfWidth),
           .standard_error = lost.error,
           .how = "closed form: normal densities within a box, less what lies beyond each of its sides"},
          std::move(centres)};
}

class ManyWell final : public Model {
 public:
  explicit ManyWell(std::size_t pairs) {
    for (std::size_t j = 0; j < 2 * pairs; ++j) space_.add("x" + std::to_string(j + 1), normal(0, kSd));
  }
  const ParameterSpace& parameters() const override { return space_; }
  bool has_gradient() const override { return true; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t i = 0; i < theta.size(); ++i) {
      out[i] = 0;
      for (std::size_t j = 0; j < theta.rows(); ++j) {
        const double x = theta.row(j)[i];
        const double well = j % 2 == 0 ? 0.5 * x + 6 * x * x - x * x * x * x : -0.5 * x * x;
        out[i] += well + 0.5 * x * x / (kSd * kSd) + std::log(kSd) + 0.5 * std::log(2 * std::numbers::pi);
      }
    }
  }

  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override {
    space_.gradient(theta, d_log_prior);
    for (std::size_t j = 0; j < theta.rows(); ++j)
      for (std::size_t i = 0; i < theta.size(); ++i) {
        const double x = theta.row(j)[i];
        d_log_likelihood.row(j)[i] = (j % 2 == 0 ? 0.5 + 12 * x - 4 * x * x * x : -x) + x / (kSd * kSd);
      }
  }

 private:
  static constexpr double kSd = 2;
  ParameterSpace space_;
};

}  // namespace

ModesProblem unequal_modes(std::size_t d, std::size_t modes, std::uint64_t instance) {
  Stream stream = numbers(instance);
  std::vector<NormalModes::Mode> all;
  for (std::size_t k = 0; k < modes; ++k) {
    const Vector at = centre(d, stream);
    Vector eigenvalues(at.size());
    for (double& v : eigenvalues) v = 5 * std::pow(10, 1.3 * stream.uniform() - 1);
    all.push_back(mode(at, eigenvalues, stream, modes));
  }
  return problem_of("unequal modes d=" + std::to_string(d), d, std::move(all));
}

ModesProblem many_modes(std::size_t modes, std::uint64_t instance) {
  Stream stream = numbers(instance);
  std::vector<NormalModes::Mode> all;
  for (std::size_t k = 0; k < modes; ++k)
    all.push_back(mode(centre(2, stream), Vector::Constant(2, 1.31 * 1.31), stream, modes));
  return problem_of(std::to_string(modes) + " modes d=2", 2, std::move(all));
}

ModesProblem random_modes(std::size_t d, std::size_t modes, std::uint64_t instance) {
  Stream stream = numbers(instance);
  std::vector<NormalModes::Mode> all;
  for (std::size_t k = 0; k < modes; ++k) {
    const Vector at = centre(d, stream);
    const double sd = std::pow(10, stream.uniform() - 0.5);
    all.push_back(mode(at, Vector::Constant(at.size(), sd * sd), stream, modes));
  }
  return problem_of(std::to_string(modes) + " random modes d=" + std::to_string(d), d, std::move(all));
}

Problem many_well(std::size_t pairs) {
  static const double pair =
      0.5 * kLog2Pi + log_integral([](double x) { return 0.5 * x + 6 * x * x - x * x * x * x; }, panels(-6, 6, 60));
  return {.name = "many-well d=" + std::to_string(2 * pairs),
          .model = std::make_shared<ManyWell>(pairs),
          .log_evidence = pair * static_cast<double>(pairs),
          .standard_error = 0,
          .how = "quadrature of one pair"};
}

Problem signs(std::size_t d) {
  constexpr double kPlace = 3, kSd = 0.3;
  auto model = by_point(
      alike(d, uniform(-6, 6)),
      [](std::span<const double> t) {
        double sum = 0;
        // The two densities as the nearer one, times 1 + the other over it.
        for (const double x : t)
          sum += log_normal_density(std::abs(x), kPlace, kSd) - std::numbers::ln2 +
                 std::log1p(std::exp(-2 * std::abs(x) * kPlace / (kSd * kSd)));
        return sum;
      },
      [](std::span<const double> t, std::span<double> out) {
        for (std::size_t j = 0; j < t.size(); ++j)
          out[j] = (kPlace * std::tanh(t[j] * kPlace / (kSd * kSd)) - t[j]) / (kSd * kSd);
      });
  return {"signs d=" + std::to_string(d), model, -static_cast<double>(d) * std::log(12.0), 0,
          "closed form: densities within a box; less than 1e-22 lies outside"};
}

}  // namespace evident::problems
