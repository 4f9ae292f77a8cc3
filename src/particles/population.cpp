#include "evident/particles/population.hpp"

#include <utility>

namespace evident {
namespace {

void gather(const double* from, std::span<const std::uint32_t> parents, double* to) {
  for (std::size_t i = 0; i < parents.size(); ++i) to[i] = from[parents[i]];
}

void gather_rows(BlockStorage& rows, std::span<const std::uint32_t> parents) {
  BlockStorage next(rows.rows(), rows.size());
  for (std::size_t j = 0; j < rows.rows(); ++j) gather(rows.row(j).data(), parents, next.row(j).data());
  rows = std::move(next);
}

void gather_values(AlignedVector<double>& values, std::span<const std::uint32_t> parents) {
  AlignedVector<double> next(values.size());
  gather(values.data(), parents, next.data());
  values = std::move(next);
}

}  // namespace

Population::Population(const Model& model, std::size_t n)
    : z(model.parameters().free_size(), n),
      theta(model.parameters().size(), n),
      log_prior(n),
      log_jacobian(n),
      log_likelihood(n),
      weights(n) {}

void Population::select(std::span<const std::uint32_t> parents) {
  gather_rows(z, parents);
  gather_rows(theta, parents);
  gather_values(log_prior, parents);
  gather_values(log_jacobian, parents);
  gather_values(log_likelihood, parents);
  weights.reset(parents.size());
}

}  // namespace evident
