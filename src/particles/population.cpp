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

void Population::select(std::span<const std::uint32_t> parents) {
  if (partition)
    select_spread(parents);
  else
    assign(*this, parents);
}

namespace {

/// Calls f(p) for each parent of the particles first .. last-1 that is one of from .. to-1, once for neighbours that
/// share it: parents come in increasing order.
template <class F>
void each_parent(std::span<const std::uint32_t> parents, std::size_t first, std::size_t last, std::size_t from,
                 std::size_t to, const F& f) {
  std::size_t before = parents.size();
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t p = parents[i];
    if (p >= from && p < to && p != before) f(p);
    before = p;
  }
}

}  // namespace

namespace {

/// A particle in one piece: z, theta, log prior, log Jacobian.
std::size_t piece_size(const Population& x) { return x.z.rows() + x.theta.rows() + 2; }
void put_piece(const Population& x, std::size_t p, std::vector<double>& to) {
  for (std::size_t j = 0; j < x.z.rows(); ++j) to.push_back(x.z(j, p));
  for (std::size_t j = 0; j < x.theta.rows(); ++j) to.push_back(x.theta(j, p));
  to.push_back(x.log_prior[p]);
  to.push_back(x.log_jacobian[p]);
}

/// Sends the parents that other ranks need; returns those that this rank needs from each other one.
std::vector<std::vector<double>> exchange_parents(const Population& x, std::span<const std::uint32_t> parents) {
  Team& team = x.partition->team;
  const std::size_t rank = team.rank(), ranks = team.size();
  const std::vector<std::size_t> first = x.partition->particles(x.size());
  const std::size_t lo = first[rank], hi = first[rank + 1];
  std::vector<std::vector<double>> send(ranks), receive(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == rank) continue;
    each_parent(parents, first[r], first[r + 1], lo, hi, [&](std::size_t p) { put_piece(x, p, send[r]); });
    std::size_t expected = 0;
    each_parent(parents, lo, hi, first[r], first[r + 1], [&](std::size_t) { ++expected; });
    receive[r].resize(expected * piece_size(x));
  }
  team.exchange(send, receive);
  return receive;
}

}  // namespace

void Population::select_spread(std::span<const std::uint32_t> parents) {
  const std::vector<std::vector<double>> received = exchange_parents(*this, parents);
  const std::size_t rank = partition->team.rank(), width = piece_size(*this);
  const std::vector<std::size_t> first = partition->particles(size());
  const std::size_t lo = first[rank], hi = first[rank + 1];
  // In increasing order the parents come from one rank after another.
  std::vector<double> next, one;
  next.reserve((hi - lo) * width);
  std::size_t from = 0, at = 0, before = parents.size();
  for (std::size_t i = lo; i < hi; ++i) {
    const std::size_t p = parents[i];
    if (p != before) {
      while (p >= first[from + 1]) ++from, at = 0;
      one.clear();
      if (from == rank)
        put_piece(*this, p, one);
      else
        one.assign(received[from].begin() + static_cast<std::ptrdiff_t>(at),
                   received[from].begin() + static_cast<std::ptrdiff_t>(at + width));
      at += width;
      before = p;
    }
    next.insert(next.end(), one.begin(), one.end());
  }
  const double* value = next.data();
  for (std::size_t i = lo; i < hi; ++i) {
    for (std::size_t j = 0; j < z.rows(); ++j) z(j, i) = *value++;
    for (std::size_t j = 0; j < theta.rows(); ++j) theta(j, i) = *value++;
    log_prior[i] = *value++;
    log_jacobian[i] = *value++;
  }
  gather_values(log_likelihood, parents, log_likelihood);
  weights.reset(parents.size());
}

void Population::gather_log_likelihood() {
  if (partition) partition->gather(log_likelihood);
}

void Population::gather() {
  if (!partition) return;
  for (std::size_t j = 0; j < z.rows(); ++j) partition->gather(z.row(j));
  for (std::size_t j = 0; j < theta.rows(); ++j) partition->gather(theta.row(j));
  partition->gather(log_prior);
  partition->gather(log_jacobian);
  partition.reset();
}

}  // namespace evident
