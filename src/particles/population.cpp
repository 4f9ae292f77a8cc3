#include "evident/particles/population.hpp"

#include <utility>

namespace evident {
namespace {

void gather(const double* from, std::span<const std::uint32_t> parents, double* to) {
  for (std::size_t i = 0; i < parents.size(); ++i) to[i] = from[parents[i]];
}

void gather_rows(const BlockStorage& rows, std::span<const std::uint32_t> parents, BlockStorage& to) {
  BlockStorage next(rows.rows(), parents.size());
  for (std::size_t j = 0; j < rows.rows(); ++j) gather(rows.row(j).data(), parents, next.row(j).data());
  to = std::move(next);
}

void gather_values(const AlignedVector<double>& values, std::span<const std::uint32_t> parents,
                   AlignedVector<double>& to) {
  AlignedVector<double> next(parents.size());
  gather(values.data(), parents, next.data());
  to = std::move(next);
}

}  // namespace

Population::Population(const Model& model, std::size_t n)
    : z(model.parameters().free_size(), n),
      theta(model.parameters().size(), n),
      log_prior(n),
      log_jacobian(n),
      log_likelihood(n),
      weights(n) {}

void Population::copy_from(const Population& from, std::size_t column, std::size_t at) {
  for (std::size_t j = 0; j < z.rows(); ++j) z(j, at) = from.z(j, column);
  for (std::size_t j = 0; j < theta.rows(); ++j) theta(j, at) = from.theta(j, column);
  log_prior[at] = from.log_prior[column];
  log_jacobian[at] = from.log_jacobian[column];
  log_likelihood[at] = from.log_likelihood[column];
}

void Population::assign(const Population& from, std::span<const std::uint32_t> columns) {
  gather_rows(from.z, columns, z);
  gather_rows(from.theta, columns, theta);
  gather_values(from.log_prior, columns, log_prior);
  gather_values(from.log_jacobian, columns, log_jacobian);
  gather_values(from.log_likelihood, columns, log_likelihood);
  weights.reset(columns.size());
}

void Population::select(std::span<const std::uint32_t> parents) { assign(*this, parents); }

}  // namespace evident
