#include "formula/select.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>

namespace evident::formula {
namespace {

class Selector {
 public:
  Selector(const Graph& g, const std::vector<NodeId>& reductions, std::span<const NodeId> stored) : g_(g) {
    count_uses(reductions, stored);
    find_compared();
  }

  Selection run(const std::vector<NodeId>& reductions, std::span<const NodeId> stored) {
    for (const NodeId id : reductions) out_.folds.push_back(fold(id));
    for (const NodeId id : stored) out_.folds.push_back({id, Fold::store, {id}});
    for (const SelectedFold& f : out_.folds) want(f.operands);
    while (!wanted_.empty()) {  // largest first: every consumer of a node comes before it
      const NodeId id = wanted_.top();
      wanted_.pop();
      if (!out_.steps.empty() && out_.steps.back().node == id) continue;
      out_.steps.push_back(step(id));
      const std::vector<NodeId> operands = out_.steps.back().operands;
      want(operands);
    }
    std::ranges::reverse(out_.steps);
    return std::move(out_);
  }

 private:
  bool in_rows(NodeId id) const {
    const Node& node = g_[id];
    return node.dimension != 0 && !node.fixed && node.op != Op::gather && node.op != Op::curve;
  }

  void count_uses(const std::vector<NodeId>& reductions, std::span<const NodeId> stored) {
    std::priority_queue<NodeId> open;
    const auto use = [&](NodeId a) {
      if (in_rows(a) && uses_[a]++ == 0) open.push(a);
    };
    for (const NodeId id : reductions) use(g_.arguments(id)[0]);
    for (const NodeId id : stored) use(id);
    while (!open.empty()) {
      const NodeId id = open.top();
      open.pop();
      for (const NodeId a : g_.arguments(id)) use(a);
    }
  }

  /// The slope of an extreme goes to the rows that are equal to it: they must come out the same, to the last bit, in
  /// the sweep that finds the extreme and in the one that compares. So none of what they are made of is done in another
  /// way.
  void find_compared() {
    for (NodeId id = 0; id < g_.size(); ++id) {
      if (g_[id].op != Op::eq) continue;
      for (std::size_t k = 0; k < 2; ++k) {
        const NodeId extreme = arg(id, k), rows = arg(id, 1 - k);
        const bool is_extreme = g_[extreme].op == Op::max_rows || g_[extreme].op == Op::min_rows;
        if (!is_extreme || arg(extreme, 0) != rows) continue;
        compared_.resize(g_.size());
        compared_[rows] = true;
      }
    }
    for (std::size_t id = compared_.size(); id-- > 0;)
      if (compared_[id])
        for (const NodeId a : g_.arguments(static_cast<NodeId>(id))) compared_[a] = true;
  }

  void want(const std::vector<NodeId>& operands) {
    for (const NodeId a : operands)
      if (in_rows(a)) wanted_.push(a);
  }

  /// Is this a step of that kind which nobody else needs?
  bool only(NodeId id, Op op) const {
    if (!compared_.empty() && compared_[id]) return false;
    return g_[id].op == op && in_rows(id) && uses_.at(id) == 1;
  }
  NodeId arg(NodeId id, std::size_t k) const { return g_.arguments(id)[k]; }
  std::vector<NodeId> all(NodeId id) const { return {g_.arguments(id).begin(), g_.arguments(id).end()}; }

  SelectedFold fold(NodeId id) const {
    const NodeId a = arg(id, 0);
    const Op op = g_[id].op;
    if (op == Op::min_rows) return {id, Fold::min, {a}};
    if (op == Op::max_rows) return {id, Fold::max, {a}};
    if (op == Op::group_sum) return {id, Fold::group, {a}};
    if (only(a, Op::mul)) return {id, Fold::sum_product, all(a)};
    if (only(a, Op::square)) {
      const NodeId inner = arg(a, 0);
      if (only(inner, Op::sub)) return {id, Fold::sum_difference, all(inner)};
      return {id, Fold::sum_square, {inner}};
    }
    if (only(a, Op::log)) return {id, Fold::sum_log, all(a)};
    if (only(a, Op::log1p_exp)) return {id, Fold::sum_log1p_exp, all(a)};
    if (only(a, Op::log_sum_exp)) return {id, Fold::sum_log_sum_exp, all(a)};
    return {id, Fold::sum, {a}};
  }

  SelectedStep step(NodeId id) const {
    const Op op = g_[id].op;
    if (op == Op::add) return add_step(id);
    if (op == Op::sub && only(arg(id, 0), Op::mul))
      return {id, Code::mul_sub, {arg(arg(id, 0), 0), arg(arg(id, 0), 1), arg(id, 1)}};
    if (op == Op::sub && only(arg(id, 1), Op::mul))
      return {id, Code::neg_mul_add, {arg(arg(id, 1), 0), arg(arg(id, 1), 1), arg(id, 0)}};
    if (op == Op::exp && only(arg(id, 0), Op::mul)) return {id, Code::exp_mul, all(arg(id, 0))};
    return {id, code_of(op), all(id)};
  }

  SelectedStep add_step(NodeId id) const {
    if (std::vector<NodeId> terms = linear_terms(id); !terms.empty()) return {id, Code::linear, std::move(terms)};
    const NodeId left = arg(id, 0), right = arg(id, 1);
    if (only(left, Op::mul) && only(right, Op::mul) && is_for_lanes(left) && is_for_lanes(right))
      return {id, Code::products, {arg(left, 0), arg(left, 1), arg(right, 0), arg(right, 1)}};
    for (std::size_t k = 0; k < 2; ++k) {
      const NodeId product = arg(id, k), rest = arg(id, 1 - k);
      if (!only(product, Op::mul)) continue;
      for (std::size_t m = 0; m < 2; ++m) {
        const NodeId factor = arg(product, m), square = arg(product, 1 - m);
        if (only(square, Op::square) && only(arg(square, 0), Op::sub))
          return {id, Code::quadratic, {factor, arg(arg(square, 0), 0), arg(arg(square, 0), 1), rest}};
      }
      return {id, Code::mul_add, {arg(product, 0), arg(product, 1), rest}};
    }
    return {id, Code::add, all(id)};
  }

  /// Do both factors differ from lane to lane, and is neither a square that `quadratic` does better?
  bool is_for_lanes(NodeId product) const {
    const NodeId p = arg(product, 0), q = arg(product, 1);
    return !g_[p].fixed && !g_[q].fixed && g_[p].op != Op::square && g_[q].op != Op::square;
  }

  /// The scalar and the column of a product of the two that nobody else needs; else nothing.
  std::vector<NodeId> scaled_column(NodeId a) const {
    if (!only(a, Op::mul)) return {};
    const bool left = g_[arg(a, 0)].dimension == 0;
    const NodeId s = arg(a, left ? 0 : 1), d = arg(a, left ? 1 : 0);
    if (g_[s].dimension != 0 || g_[s].fixed || g_[d].op != Op::data) return {};
    return {s, d};
  }

  /// s1 d1 + s2 d2 + ... + rest with at least two products of a scalar and a column: s1, d1, s2, d2, ..., and the rest
  /// if there is one.
  std::vector<NodeId> linear_terms(NodeId id) const {
    std::vector<std::vector<NodeId>> products;
    NodeId rest = id;
    for (bool more = true; more;) {
      more = false;
      if (rest != id && !only(rest, Op::add)) break;
      for (std::size_t k = 0; k < 2 && !more; ++k) {
        std::vector<NodeId> product = scaled_column(arg(rest, k));
        if (product.empty()) continue;
        products.push_back(std::move(product));
        rest = arg(rest, 1 - k);
        more = true;
      }
    }
    std::vector<NodeId> last = rest == id ? std::vector<NodeId>{} : scaled_column(rest);
    const bool whole = !last.empty();
    if (whole) products.push_back(std::move(last));
    if (products.size() < 2) return {};
    std::vector<NodeId> out;
    for (auto p = products.rbegin(); p != products.rend(); ++p) out.insert(out.end(), p->begin(), p->end());
    if (!whole) out.push_back(rest);
    return out;
  }

  const Graph& g_;
  std::unordered_map<NodeId, std::size_t> uses_;
  std::vector<bool> compared_;
  std::priority_queue<NodeId> wanted_;
  Selection out_;
};

}  // namespace

Selection select(const Graph& g, const std::vector<NodeId>& reductions, std::span<const NodeId> stored) {
  return Selector(g, reductions, stored).run(reductions, stored);
}

}  // namespace evident::formula
