#include <bit>
#include <iterator>
#include <utility>

#include "evident/path/target.hpp"

namespace evident {
namespace {

constexpr std::size_t kKept = 4;

/// Mixes the bits (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

std::uint64_t mark_of(const std::vector<double>& point) {
  std::uint64_t out = 0;
  for (const double x : point) out = mixed(out + 0x9e3779b97f4a7c15U + std::bit_cast<std::uint64_t>(x));
  return out;
}

}  // namespace

void NanPoints::keep(std::vector<double> point) {
  const std::uint64_t mark = mark_of(point);
  if (least_.size() == kKept && mark > std::prev(least_.end())->first) return;
  least_.try_emplace(mark, std::move(point));
  if (least_.size() > kKept) least_.erase(std::prev(least_.end()));
}

void NanPoints::note(ConstBlock theta, std::uint64_t which) {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < theta.size() && which != 0; ++i, which >>= 1) {
    if ((which & 1) == 0) continue;
    std::vector<double> point;
    for (std::size_t j = 0; j < theta.rows(); ++j) point.push_back(theta(j, i));
    keep(std::move(point));
  }
}

void NanPoints::note(std::span<const std::vector<double>> points) {
  const std::scoped_lock lock(mutex_);
  for (const std::vector<double>& p : points) keep(p);
}

std::vector<std::vector<double>> NanPoints::kept() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::vector<double>> out;
  for (const auto& [mark, point] : least_) out.push_back(point);
  return out;
}

}  // namespace evident
