#include "kernel/crank_nicolson.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/vector_math.hpp"
#include "evident/base/log_math.hpp"
#include "kernel/add_root.hpp"

namespace evident {
namespace {

// Storage of a block that the kernel works with.
enum CrankNicolsonExtra : std::size_t { kWhite, kUniform };

// nu + d must be even: then chi^2 is -2 log of a product of uniforms.
std::size_t freedom(std::size_t d) { return 4 + d % 2; }

/// L w = z - mean, for all particles.
void whiten(const std::vector<std::size_t>& rows, const std::vector<double>& mean, const std::vector<double>& root,
            const Particles& p, BlockStorage& w) {
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t i = 0; i < p.size; ++i) w(a, i) = p.z(rows[a], i) - mean[a];
  solve_root(root, rows.size(), p.size, w);
}

/// out[i] = sum of squares over the first d rows.
void squared_length(const BlockStorage& w, std::size_t d, std::size_t n, double* out) {
  std::fill_n(out, n, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    const double* row = w.row(j).data();
    for (std::size_t i = 0; i < n; ++i) out[i] += row[i] * row[i];
  }
}

/// chi^2 with 2 `pairs` degrees of freedom, one for each particle: -2 log of a product of uniforms.
void draw_chi_squared(const Streams& streams, DrawIdentity id, std::size_t pairs, std::size_t n, BlockStorage& uniform,
                      double* out) {
  constexpr std::size_t kTogether = 16;  // whose product does not underflow
  id.purpose = Purpose::scale;
  streams.fill_uniform(id, uniform.block().some_rows(0, pairs).columns(0, n));
  alignas(64) double product[kBlockSize];
  std::fill_n(out, n, 0.0);
  for (std::size_t first = 0; first < pairs; first += kTogether) {
    std::copy_n(uniform.row(first).data(), n, product);
    for (std::size_t j = first + 1; j < std::min(first + kTogether, pairs); ++j) {
      const double* row = uniform.row(j).data();
      for (std::size_t i = 0; i < n; ++i) product[i] *= row[i];
    }
    vector_math::log(product, product, n);
    for (std::size_t i = 0; i < n; ++i) out[i] -= 2 * product[i];
  }
}

}  // namespace

CrankNicolson::CrankNicolson(const KernelOptions& options, const Model& model)
    : CrankNicolson(options, model, ways(grouped_rows(options.grouping, model))) {}

CrankNicolson::CrankNicolson(const KernelOptions& options, const Model& model, std::vector<Way> ways)
    : GroupedKernel(options, model, std::move(ways)) {}

std::vector<GroupedKernel::Way> CrankNicolson::ways(const std::vector<std::vector<std::size_t>>& groups) {
  std::vector<Way> out;
  for (const int way : {kDrawn, kWalk})
    for (const auto& rows : groups) out.push_back({rows, way});
  return out;
}

double CrankNicolson::default_scale(const Group& group) const {
  const double scale = walk_scale(group.rows.size());
  return group.way == kWalk ? scale : std::min(1.0, scale);
}

double CrankNicolson::largest_scale(const Group& group) const { return group.way == kWalk ? kInf : 1; }

const double* CrankNicolson::log_correction(const Proposing& from, Scratch& s) const {
  return from.group.way == kWalk ? nullptr : s.correction.data();
}

void CrankNicolson::propose(const Proposing& from, Scratch& s) const {
  if (from.group.way == kWalk) return walk(from, s);
  const std::size_t d = from.group.rows.size(), n = from.p.size;
  const std::size_t nu = freedom(d), pairs = (nu + d) / 2;
  BlockStorage& w = s.extra(kWhite, d);
  BlockStorage& uniform = s.extra(kUniform, pairs);
  alignas(64) double ratio[kBlockSize];  // of nu + squared length, after and before
  double length[kBlockSize], chi_squared[kBlockSize];
  whiten(from.group.rows, from.shape.mean, from.shape.root, from.p, w);
  squared_length(w, d, n, length);
  draw_chi_squared(from.context.streams, from.id, pairs, n, uniform, chi_squared);
  from.context.streams.fill_normal(from.id, s.noise.block().some_rows(0, d).columns(0, n));

  double pull[kBlockSize], spread[kBlockSize];  // w' - w = -pull w + spread eps
  const double freedoms = static_cast<double>(nu);
  for (std::size_t i = 0; i < n; ++i) {
    const double b = std::min(1.0, from.group.scale * (from.factor == nullptr ? 1.0 : from.factor[i]));
    pull[i] = b * b / (1 + std::sqrt(1 - b * b));
    spread[i] = b * std::sqrt((freedoms + length[i]) / chi_squared[i]);
    ratio[i] = 1 / (freedoms + length[i]);
  }
  for (std::size_t j = 0; j < d; ++j) {
    double* step = s.noise.row(j).data();
    double* white = w.row(j).data();
    for (std::size_t i = 0; i < n; ++i) {
      step[i] = spread[i] * step[i] - pull[i] * white[i];
      white[i] += step[i];
    }
  }
  add_root({from.group.rows, from.shape.root}, from.p, s.noise, s.z);
  squared_length(w, d, n, length);
  const double power = 0.5 * static_cast<double>(nu + d);
  for (std::size_t i = 0; i < n; ++i) ratio[i] *= freedoms + length[i];
  vector_math::log(ratio, s.correction.data(), n);
  for (std::size_t i = 0; i < n; ++i) s.correction[i] *= power;
  // The step in units of the scale, factor left out.
  for (std::size_t i = 0; i < n; ++i)
    pull[i] = 1 / (from.group.scale * (from.factor == nullptr ? 1.0 : from.factor[i]));
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i) s.noise(j, i) *= pull[i];
}

}  // namespace evident
