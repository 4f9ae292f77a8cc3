#include "dist/fitted_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/triangular.hpp"
#include "base/vector_math.hpp"
#include "dist/log_sum_rows.hpp"
#include "dist/samplers.hpp"
#include "dist/scale_root.hpp"
#include "dist/special.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident {
namespace {

constexpr double kFarthest = 1e6;  // in units of the draws' spread

// log of weight x density at the centre.
double log_constant(const MixtureComponent& c, std::size_t d) {
  const auto n = static_cast<double>(d);
  double sum = std::log(c.weight);
  for (std::size_t j = 0; j < d; ++j) sum -= std::log(c.root[j * d + j]);
  if (!std::isfinite(c.df)) return sum - 0.5 * n * kLog2Pi;
  return sum + dist::log_gamma(0.5 * (c.df + n)) - dist::log_gamma(0.5 * c.df) - 0.5 * n * std::log(c.df) -
         0.5 * n * (kLog2Pi - std::log(2.0));
}

void check(const std::vector<MixtureComponent>& components, std::size_t d) {
  if (components.empty() || d == 0) throw InputError("mixture: it needs a component and a coordinate");
  for (std::size_t k = 0; k < components.size(); ++k) {
    const MixtureComponent& c = components[k];
    const std::string which = "mixture: component " + std::to_string(k + 1);
    if (c.mean.size() != d || c.root.size() != d * d)
      throw InputError(which + " does not have " + std::to_string(d) + " coordinates");
    if (!(c.weight > 0) || !(c.df > 0)) throw InputError(which + " needs a positive weight and degrees of freedom");
    for (std::size_t j = 0; j < d; ++j)
      if (!(c.root[j * d + j] > 0)) throw InputError(which + ": the root of its scale has no positive diagonal");
  }
}

template <class T>
std::vector<T*> rows_of(const BasicBlock<T>& block) {
  std::vector<T*> rows(block.rows());
  for (std::size_t j = 0; j < rows.size(); ++j) rows[j] = block.row_data(j);
  return rows;
}

// A row of y becomes sinh(tail asinh(y) - skew), many at a time; adds the logarithm of cosh(...) / sqrt(1 + y^2).
void bend(const Marginal& m, std::span<double> row, BlockStorage& scratch, std::span<double> log_jacobian) {
  const std::size_t n = row.size();
  double *angle = scratch.row(0).data(), *root = scratch.row(1).data();
  for (std::size_t i = 0; i < n; ++i) {
    root[i] = std::sqrt(1 + row[i] * row[i]);
    angle[i] = std::abs(row[i]) + root[i];
  }
  vector_math::log(angle, angle, n);
  for (std::size_t i = 0; i < n; ++i) angle[i] = m.tail * std::copysign(angle[i], row[i]) - m.skew;
  vector_math::exp(angle, angle, n);
  for (std::size_t i = 0; i < n; ++i) {
    row[i] = 0.5 * (angle[i] - 1 / angle[i]);
    angle[i] = 0.5 * (angle[i] + 1 / angle[i]) / root[i];
  }
  vector_math::log(angle, angle, n);
  for (std::size_t i = 0; i < n; ++i) log_jacobian[i] += angle[i];
}

}  // namespace

double Marginal::forward(double z) const {
  const double y = (z - centre) / scale;
  return bent ? std::sinh(tail * std::asinh(y) - skew) : y;
}

double Marginal::backward(double x) const {
  const double y = bent ? std::sinh((std::asinh(x) + skew) / tail) : x;
  return centre + scale * y;
}

FittedMixture::FittedMixture(std::vector<MixtureComponent> components, std::vector<Marginal> marginals)
    : components_(std::move(components)), marginals_(std::move(marginals)) {
  if (marginals_.empty() && !components_.empty()) marginals_.resize(components_.front().mean.size());
  check(components_, size());
  double total = 0;
  for (const MixtureComponent& c : components_) total += c.weight;
  for (MixtureComponent& c : components_) c.weight /= total;
  make_ready();
}

FittedMixture FittedMixture::from_parts(std::vector<MixtureComponent> components, std::vector<Marginal> marginals) {
  FittedMixture out;
  out.components_ = std::move(components);
  out.marginals_ = std::move(marginals);
  check(out.components_, out.size());
  out.make_ready();
  return out;
}

void FittedMixture::make_ready() {
  for (const MixtureComponent& c : components_)
    ready_.push_back({dist::inverse_root(c.root, size()), log_constant(c, size())});
}

void FittedMixture::forward(ConstBlock z, Block x, std::span<double> log_jacobian) const {
  BlockStorage scratch(2, z.size());
  for (std::size_t j = 0; j < size(); ++j) {
    const Marginal& m = marginals_[j];
    const double log_scale = std::log(m.tail / m.scale);
    for (std::size_t i = 0; i < z.size(); ++i) {
      x(j, i) = (z(j, i) - m.centre) / m.scale;
      log_jacobian[i] += log_scale;
    }
    if (m.bent) bend(m, x.row(j), scratch, log_jacobian);
  }
}

// Squared lengths of inverse root times (x - mean). `scratch` has one row a coordinate for the differences, as many for
// the products, and one of zeros.
void FittedMixture::distances(ConstBlock x, std::size_t k, Block scratch, double* square) const {
  const std::size_t d = size(), n = x.size();
  const Block difference = scratch.some_rows(0, d), product = scratch.some_rows(d, d);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i) difference(j, i) = x(j, i) - components_[k].mean[j];
  const std::vector<const double*> zeros(d, scratch.row_data(2 * d));
  const std::vector<const double*> from = rows_of(ConstBlock(difference));
  const std::vector<double*> to = rows_of(product);
  vector_math::add_triangular(zeros.data(), ready_[k].inverse.data(), from.data(), nullptr, d, n, to.data());
  std::fill_n(square, n, 0.0);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i) square[i] += product(j, i) * product(j, i);
}

void FittedMixture::log_part(const double* square, std::size_t k, std::size_t n, double* out) const {
  const double df = components_[k].df, constant = ready_[k].log_constant;
  if (!std::isfinite(df)) {
    for (std::size_t i = 0; i < n; ++i) out[i] = constant - 0.5 * square[i];
    return;
  }
  for (std::size_t i = 0; i < n; ++i) out[i] = 1 + square[i] / df;
  vector_math::log(out, out, n);
  const double power = 0.5 * (df + static_cast<double>(size()));
  for (std::size_t i = 0; i < n; ++i) out[i] = constant - power * out[i];
}

void FittedMixture::log_parts(ConstBlock x, Block out, Block square) const {
  BlockStorage scratch(2 * size() + 1, x.size());
  for (std::size_t k = 0; k < components_.size(); ++k) {
    distances(x, k, scratch, square.row_data(k));
    log_part(square.row_data(k), k, x.size(), out.row_data(k));
  }
}

void FittedMixture::log_density(ConstBlock z, std::span<double> out) const {
  const std::size_t count = components_.size();
  for (std::size_t first = 0; first < z.size(); first += kBlockSize) {
    const std::size_t n = std::min(kBlockSize, z.size() - first);
    BlockStorage x(size(), n), parts(count, n), square(count, n);
    const std::span<double> sum = out.subspan(first, n);
    std::fill(sum.begin(), sum.end(), 0.0);
    forward(z.columns(first, n), x, sum);
    log_parts(x, parts, square);
    AlignedVector<double> total(n);
    dist::log_sum_rows(parts, total);
    for (std::size_t i = 0; i < n; ++i) {
      sum[i] += total[i];
      if (std::isnan(sum[i])) sum[i] = -kInf;
    }
  }
}

void FittedMixture::draw(const Streams& streams, const DrawIdentity& id, Block z) const {
  for (std::size_t i = 0; i < z.size(); ++i) {
    DrawIdentity own = id;
    own.particle += static_cast<std::uint32_t>(i);
    Stream stream = streams.at(own);
    draw_component(component_at(stream.uniform()), stream, i, z);
  }
}

std::size_t FittedMixture::component_at(double place) const {
  std::size_t k = 0;
  while (k + 1 < components_.size() && place > components_[k].weight) place -= components_[k++].weight;
  return k;
}

void FittedMixture::draw_component(std::size_t k, Stream& stream, std::size_t i, Block z) const {
  const std::size_t d = size();
  const MixtureComponent& c = components_[k];
  const double wide = std::isfinite(c.df) ? std::sqrt(0.5 * c.df / dist::draw_gamma(stream, 0.5 * c.df, 1.0)) : 1.0;
  std::vector<double> noise(d);
  for (double& v : noise) v = wide * stream.normal();
  for (std::size_t a = 0; a < d; ++a) {
    double x = c.mean[a];
    for (std::size_t b = 0; b <= a; ++b) x += c.root[a * d + b] * noise[b];
    z(a, i) = marginals_[a].backward(x);
  }
}

FittedMixture FittedMixture::widened(double share, ConstBlock z, double inflation, double df) const {
  const std::size_t d = size();
  const auto n = static_cast<double>(z.size());
  BlockStorage x(d, z.size());
  std::vector<double> unused(z.size()), second(d * d);
  forward(z, x, unused);
  // A prior without moments must not make the component so wide that it is lost.
  for (std::size_t j = 0; j < d; ++j)
    for (double& v : x.row(j)) v = std::clamp(v, -kFarthest, kFarthest);
  MixtureComponent wide{.weight = share / (1 - share), .df = df, .mean = std::vector<double>(d), .root = {}};
  for (std::size_t j = 0; j < d; ++j) wide.mean[j] = std::accumulate(x.row(j).begin(), x.row(j).end(), 0.0) / n;
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < z.size(); ++i) sum += (x(a, i) - wide.mean[a]) * (x(b, i) - wide.mean[b]);
      second[a * d + b] = inflation * sum / n;
    }
  wide.root = dist::scale_root(second, d, n);
  std::vector<MixtureComponent> all = components_;
  all.push_back(std::move(wide));
  return FittedMixture(std::move(all), marginals_);
}

}  // namespace evident
