#include "particles/union_population.hpp"

#include <algorithm>

namespace evident {

AlignedVector<double> UnionPopulation::log_likelihood() const {
  AlignedVector<double> all;
  all.reserve(size());
  for (const Member& m : members) all.insert(all.end(), m.x.log_likelihood.begin(), m.x.log_likelihood.end());
  return all;
}

void UnionPopulation::share_weights() {
  std::size_t first = 0;
  for (Member& m : members) {
    const std::size_t n = m.x.size();
    m.x.weights.reset(n);
    // A member whose particles all have weight 0 keeps equal weights.
    m.x.weights.absorb(weights.log().subspan(first, n), 1.0);
    first += n;
  }
}

const UnionPopulation::Member* UnionPopulation::find(ModelIndex k) const {
  const auto found = std::ranges::lower_bound(members, k, {}, &Member::model);
  return found == members.end() || found->model != k ? nullptr : &*found;
}

std::size_t UnionPopulation::count(ModelIndex k) const {
  const Member* member = find(k);
  return member == nullptr ? 0 : member->x.size();
}

double UnionPopulation::share(ModelIndex k) const {
  std::size_t first = 0;
  for (const Member& m : members) {
    if (m.model == k) {
      double sum = 0;
      for (const double w : weights.values().subspan(first, m.x.size())) sum += w;
      return sum;
    }
    first += m.x.size();
  }
  return 0;
}

void UnionPopulation::select(const ModelFamily& family, std::span<const std::uint32_t> parents,
                             std::span<const std::uint64_t> fresh) {
  constexpr std::uint64_t kUpper = ~std::uint64_t{0} << 32;
  std::vector<std::uint32_t> sorted(parents.begin(), parents.end());
  std::ranges::sort(sorted);
  // Parents stand in the order of their keys, and so do the copies once those of one parent are put in order.
  std::vector<std::uint64_t> next_keys(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) next_keys[i] = (keys[sorted[i]] & kUpper) | (fresh[i] & ~kUpper);
  std::vector<Member> next;
  std::size_t first = 0, at = 0;
  for (Member& m : members) {
    const std::size_t start = at, end = first + m.x.size();
    std::vector<std::uint32_t> mine;
    for (; at < sorted.size() && sorted[at] < end; ++at) mine.push_back(sorted[at] - static_cast<std::uint32_t>(first));
    std::ranges::sort(std::span(next_keys).subspan(start, at - start));
    if (!mine.empty()) {
      next.push_back({m.model, Population(family.model(m.model), mine.size())});
      next.back().x.assign(m.x, mine);
    }
    first = end;
  }
  members = std::move(next);
  keys = std::move(next_keys);
  weights.reset(parents.size());
}

}  // namespace evident
