#include "base/partition.hpp"

#include <algorithm>
#include <bit>

namespace evident {
namespace {

/// The blocks of a node of the tree that are summed.
struct Cover {
  std::size_t first = 0, last = 0;
  bool empty() const { return first >= last; }
};

/// The tree of one sum, whoever has its blocks. A node of height h and number k stands for the blocks from k 2^h to
/// before (k+1) 2^h; where a range ends inside it, for those in the range.
class Tree {
 public:
  // cppcheck-suppress uninitMemberVar ; few_ is written before it is read
  Tree(const TreeSum& sum, std::span<const std::size_t> shares)
      : sum_(sum), shares_(shares), height_(static_cast<unsigned>(std::bit_width(sum.last))) {
    if ((height_ + 1) * sum.width > kFew) many_.resize((height_ + 1) * sum.width);
  }

  /// The whole sum, when all blocks are here.
  std::vector<double> alone() {
    std::vector<double> out(sum_.width);
    if (sum_.first < sum_.last) reduce(height_, 0, out.data());
    return out;
  }

  /// How many nodes the rank sends.
  std::size_t nodes_of(std::size_t rank) const { return count(rank, height_, 0); }

  /// The nodes of this rank, one after another.
  void add_up(std::size_t rank, double* out) { visit(rank, height_, 0, out); }

  /// The whole sum, from the nodes of all ranks; at[r] is the next of rank r.
  std::vector<double> combine(std::vector<const double*>& at) {
    std::vector<double> out(sum_.width);
    if (!cover(height_, 0).empty()) combine(height_, 0, at, out.data());
    return out;
  }

 private:
  Cover cover(unsigned height, std::size_t k) const {
    return {std::max(sum_.first, k << height), std::min(sum_.last, (k + 1) << height)};
  }
  bool has_all(std::size_t rank, Cover c) const { return shares_[rank] <= c.first && c.last <= shares_[rank + 1]; }
  bool has_some(std::size_t rank, Cover c) const {
    return std::max(shares_[rank], c.first) < std::min(shares_[rank + 1], c.last);
  }
  /// The rank that has the first block.
  std::size_t owner(Cover c) const {
    return static_cast<std::size_t>(std::upper_bound(shares_.begin(), shares_.end(), c.first) - shares_.begin()) - 1;
  }

  std::size_t count(std::size_t rank, unsigned height, std::size_t k) const {
    const Cover c = cover(height, k);
    if (c.empty() || !has_some(rank, c)) return 0;
    if (has_all(rank, c)) return 1;
    return count(rank, height - 1, 2 * k) + count(rank, height - 1, 2 * k + 1);
  }

  double* visit(std::size_t rank, unsigned height, std::size_t k, double* out) {
    const Cover c = cover(height, k);
    if (c.empty() || !has_some(rank, c)) return out;
    if (has_all(rank, c)) {
      reduce(height, k, out);
      return out + sum_.width;
    }
    return visit(rank, height - 1, 2 * k + 1, visit(rank, height - 1, 2 * k, out));
  }

  void reduce(unsigned height, std::size_t k, double* out) {
    if (height == 0) return sum_.values(k, out);
    const bool left = !cover(height - 1, 2 * k).empty(), right = !cover(height - 1, 2 * k + 1).empty();
    if (left) reduce(height - 1, 2 * k, out);
    if (!right) return;
    if (!left) return reduce(height - 1, 2 * k + 1, out);
    double* other = partial(height);
    reduce(height - 1, 2 * k + 1, other);
    for (std::size_t i = 0; i < sum_.width; ++i) out[i] += other[i];
  }

  void combine(unsigned height, std::size_t k, std::vector<const double*>& at, double* out) {
    const Cover c = cover(height, k);
    if (const std::size_t rank = owner(c); has_all(rank, c)) {
      std::copy_n(at[rank], sum_.width, out);
      at[rank] += sum_.width;
      return;
    }
    const bool left = !cover(height - 1, 2 * k).empty(), right = !cover(height - 1, 2 * k + 1).empty();
    if (left) combine(height - 1, 2 * k, at, out);
    if (!right) return;
    if (!left) return combine(height - 1, 2 * k + 1, at, out);
    double* other = partial(height);
    combine(height - 1, 2 * k + 1, at, other);
    for (std::size_t i = 0; i < sum_.width; ++i) out[i] += other[i];
  }

  /// Of right branches, by height.
  double* partial(unsigned height) { return (many_.empty() ? few_ : many_.data()) + height * sum_.width; }

  static constexpr std::size_t kFew = 256;  // numbers without a heap: sums are asked for in every step
  const TreeSum& sum_;
  std::span<const std::size_t> shares_;
  unsigned height_;
  double few_[kFew];  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  std::vector<double> many_;
};

}  // namespace

std::vector<std::size_t> BlockPartition::particles(std::size_t n) const {
  std::vector<std::size_t> out;
  out.reserve(first.size());
  for (const std::size_t block : first) out.push_back(std::min(n, block * kBlockSize));
  return out;
}

void BlockPartition::gather(std::span<double> values) const { team.all_gather(values, particles(values.size())); }

BlockPartition partition_blocks(Team& team, std::size_t n) { return {team, even_shares(block_count(n), team.size())}; }

std::vector<std::vector<double>> tree_sums(std::span<const TreeSum> sums, const BlockPartition* partition) {
  if (partition == nullptr) {
    std::vector<std::vector<double>> totals;
    totals.reserve(sums.size());
    for (const TreeSum& sum : sums) totals.push_back(Tree(sum, {}).alone());
    return totals;
  }
  Team& team = partition->team;
  std::vector<Tree> trees;
  trees.reserve(sums.size());
  for (const TreeSum& sum : sums) trees.emplace_back(sum, partition->first);
  std::vector<std::size_t> first(team.size() + 1);
  for (std::size_t r = 0; r < team.size(); ++r) {
    first[r + 1] = first[r];
    for (std::size_t s = 0; s < sums.size(); ++s) first[r + 1] += trees[s].nodes_of(r) * sums[s].width;
  }
  std::vector<double> nodes(first.back());
  double* out = nodes.data() + first[team.rank()];
  for (std::size_t s = 0; s < sums.size(); ++s) {
    trees[s].add_up(team.rank(), out);
    out += trees[s].nodes_of(team.rank()) * sums[s].width;
  }
  team.all_gather(nodes, first);

  std::vector<const double*> at;
  for (std::size_t r = 0; r < team.size(); ++r) at.push_back(nodes.data() + first[r]);
  std::vector<std::vector<double>> totals;
  totals.reserve(trees.size());
  for (Tree& tree : trees) totals.push_back(tree.combine(at));
  return totals;
}

}  // namespace evident
