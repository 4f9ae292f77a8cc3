#include "formula/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "evident/base/error.hpp"
#include "formula/ode.hpp"
#include "formula/rewrite.hpp"

namespace evident::formula {
namespace {

template <class T>
void append(std::string& key, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  key.append(bytes, sizeof(T));
}

std::string key_of(const Node& node, std::span<const NodeId> arguments) {
  std::string key;
  append(key, node.op);
  append(key, node.which);
  append(key, std::bit_cast<std::uint64_t>(node.value));
  for (const NodeId a : arguments) append(key, a);
  return key;
}

Sign sign_of_number(double x) { return x > 0 ? Sign::positive : x == 0 ? Sign::nonnegative : Sign::any; }

}  // namespace

std::uint32_t Graph::add_table(std::size_t rows) {
  rows_.push_back(rows);
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

NodeId Graph::share(Node node, std::span<const NodeId> arguments) {
  std::string key = key_of(node, arguments);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (nodes_.size() >= kMaxNodes) throw InputError("the model has too many operations; are its vectors too long?");
  node.first = static_cast<std::uint32_t>(arguments_.size());
  node.count = static_cast<std::uint32_t>(arguments.size());
  const std::vector<NodeId> copy(arguments.begin(), arguments.end());  // they may be a view of arguments_ itself
  arguments_.insert(arguments_.end(), copy.begin(), copy.end());
  nodes_.push_back(node);
  const auto id = static_cast<NodeId>(nodes_.size() - 1);
  known_.emplace(std::move(key), id);
  return id;
}

NodeId Graph::constant(double value) {
  return share({.op = Op::constant, .sign = sign_of_number(value), .fixed = true, .value = value}, {});
}

NodeId Graph::add_column(std::uint32_t dimension, std::vector<double> values) {
  numbers_ += values.size();
  if (numbers_ > kMaxNumbers)
    throw InputError(fmt::format("formulas of the data alone make more than {} numbers", kMaxNumbers));
  Sign sign = Sign::positive;
  for (const double v : values) sign = std::min(sign, sign_of_number(v));
  columns_.push_back(std::make_shared<const std::vector<double>>(std::move(values)));
  return share({.op = Op::data,
                .sign = sign,
                .fixed = true,
                .dimension = dimension,
                .which = static_cast<std::uint32_t>(columns_.size() - 1)},
               {});
}

NodeId Graph::data(std::uint32_t dimension, std::vector<double> values) {
  return add_column(dimension, std::move(values));
}

NodeId Graph::parameter(std::uint32_t row, Sign sign) {
  if (row < fixed_parameters_.size()) return constant(fixed_parameters_[row]);
  return share({.op = Op::parameter, .sign = sign, .which = row}, {});
}

std::uint32_t Graph::add_index(std::uint32_t dimension, std::vector<std::uint32_t> places) {
  indices_.push_back(std::make_shared<const std::vector<std::uint32_t>>(std::move(places)));
  index_dimensions_.push_back(dimension);
  return static_cast<std::uint32_t>(indices_.size() - 1);
}

double Graph::fixed_value(NodeId id, std::size_t row) const {
  const Node& node = nodes_[id];
  return node.op == Op::constant ? node.value : (*columns_[node.which])[row];
}

std::uint32_t Graph::joint_dimension(std::span<const NodeId> arguments) const {
  std::uint32_t dimension = 0;
  for (const NodeId a : arguments) {
    const std::uint32_t other = nodes_[a].dimension;
    if (other == 0) continue;
    if (dimension != 0 && other != dimension)
      throw InputError("this mixes columns of files with different rows; sum one of them first");
    dimension = other;
  }
  return dimension;
}

Sign Graph::sign_of(Op op, std::span<const NodeId> arguments) const {
  const auto sign = [&](std::size_t k) { return nodes_[arguments[k]].sign; };
  switch (op) {
    case Op::exp:
    case Op::inv_logit:
    case Op::log1p_exp:
      return Sign::positive;
    case Op::square:
    case Op::abs:
    case Op::sqrt:
    case Op::erfc:
      return std::max(sign(0), Sign::nonnegative);
    case Op::reciprocal:
    case Op::tanh:
    case Op::atan:
    case Op::erf:
      return sign(0);
    case Op::add:
      return std::min(sign(0), sign(1)) == Sign::any ? Sign::any : std::max(sign(0), sign(1));
    case Op::mul:
    case Op::div:
    case Op::min:
      return std::min(sign(0), sign(1));
    case Op::max:
      return std::max(sign(0), sign(1));
    case Op::where:
      return std::min(sign(1), sign(2));
    case Op::lt:
    case Op::le:
    case Op::eq:
    case Op::ne:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not:
      return Sign::nonnegative;
    case Op::gather:
    case Op::sum_rows: {
      Sign least = Sign::positive;
      for (std::size_t k = 0; k < arguments.size(); ++k) least = std::min(least, sign(k));
      return least;
    }
    default:
      return Sign::any;
  }
}

NodeId Graph::make(Op op, NodeId a, NodeId b) {
  const NodeId both[] = {a, b};
  return make(op, both);
}

NodeId Graph::make(Op op, NodeId a, NodeId b, NodeId c) {
  const NodeId all[] = {a, b, c};
  return make(op, all);
}

NodeId Graph::make(Op op, std::span<const NodeId> arguments) {
  const std::uint32_t dimension = joint_dimension(arguments);
  if (std::ranges::all_of(arguments, [&](NodeId a) { return nodes_[a].fixed; }))
    return folded(op, arguments, dimension);
  if (const NodeId simpler = rewrite(*this, op, arguments); simpler != kNone) return simpler;
  std::vector<NodeId> ordered(arguments.begin(), arguments.end());
  const bool commutes = op == Op::add || op == Op::mul || op == Op::eq || op == Op::ne;
  if (commutes && ordered[0] > ordered[1]) std::swap(ordered[0], ordered[1]);
  return share({.op = op, .sign = sign_of(op, ordered), .dimension = dimension}, ordered);
}

NodeId Graph::folded(Op op, std::span<const NodeId> arguments, std::uint32_t dimension) {
  std::vector<double> x(arguments.size());
  if (dimension == 0) {
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = nodes_[arguments[k]].value;
    return constant(value_of(op, x));
  }
  std::string key = key_of({.op = op}, arguments);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<double> out(rows_[dimension]);
  for (std::size_t r = 0; r < out.size(); ++r) {
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = fixed_value(arguments[k], r);
    out[r] = value_of(op, x);
  }
  const NodeId id = add_column(dimension, std::move(out));
  known_.emplace(std::move(key), id);
  return id;
}

NodeId Graph::power(NodeId a, double exponent) {
  if (exponent == 0 && nodes_[a].dimension == 0) return constant(1);
  if (exponent == 0) return add_column(nodes_[a].dimension, std::vector<double>(rows_[nodes_[a].dimension], 1.0));
  if (exponent == 1) return a;
  if (exponent == 2) return make(Op::square, a);
  if (exponent == 0.5) return make(Op::sqrt, a);
  if (exponent == -0.5) return make(Op::reciprocal, make(Op::sqrt, a));
  if (exponent < 0) return make(Op::reciprocal, power(a, -exponent));
  if (exponent == std::floor(exponent) && exponent <= 64) {
    const NodeId half = power(a, std::floor(exponent / 2));
    const NodeId whole = make(Op::square, half);
    const NodeId out = std::fmod(exponent, 2) == 0 ? whole : mul(whole, a);
    if (!nodes_[out].fixed) powers_.try_emplace(out, Power{a, exponent});
    return out;
  }
  const NodeId both[] = {a, constant(exponent)};
  return nodes_[a].fixed ? make(Op::pow, both)
                         : share({.op = Op::pow, .sign = nodes_[a].sign, .dimension = nodes_[a].dimension}, both);
}

Graph::Power Graph::power_of(NodeId id) const {
  const auto found = powers_.find(id);
  return found == powers_.end() ? Power{} : found->second;
}

NodeId Graph::gather(std::span<const NodeId> items, std::uint32_t index) {
  const std::uint32_t dimension = index_dimensions_[index];
  if (std::ranges::all_of(items, [&](NodeId a) { return is_constant(a); })) {
    std::vector<double> out;
    for (const std::uint32_t place : *indices_[index]) out.push_back(nodes_[items[place]].value);
    return add_column(dimension, std::move(out));
  }
  for (const NodeId a : items)
    if (nodes_[a].dimension != 0) throw InputError("a vector with one entry per row of data cannot be indexed");
  return share({.op = Op::gather, .sign = sign_of(Op::gather, items), .dimension = dimension, .which = index}, items);
}

NodeId Graph::sum_rows(NodeId a, std::uint32_t dimension) {
  const Node node = nodes_[a];
  if (node.dimension == 0) return mul(constant(static_cast<double>(rows_[dimension])), a);
  if (node.fixed) {
    double sum = 0;
    for (const double v : *columns_[node.which]) sum += v;
    return constant(sum);
  }
  if (node.op == Op::neg) return neg(sum_rows(arguments(a)[0], dimension));
  if (node.op == Op::mul) {
    const NodeId left = arguments(a)[0], right = arguments(a)[1];
    if (nodes_[left].dimension == 0) return mul(left, sum_rows(right, dimension));
    if (nodes_[right].dimension == 0) return mul(right, sum_rows(left, dimension));
  }
  return share({.op = Op::sum_rows, .sign = node.sign}, std::span(&a, 1));
}

NodeId Graph::extreme_rows(Op op, NodeId a) {
  const Node node = nodes_[a];
  if (node.dimension == 0) return a;
  if (node.fixed) {
    const auto& column = *columns_[node.which];
    return constant(op == Op::min_rows ? *std::ranges::min_element(column) : *std::ranges::max_element(column));
  }
  return share({.op = op, .sign = node.sign}, std::span(&a, 1));
}

NodeId Graph::state(std::uint32_t which) { return share({.op = Op::state, .which = which}, {}); }

NodeId Graph::curve(std::uint32_t which) {
  return share({.op = Op::curve, .dimension = ode_->dimension, .which = which}, ode_->inputs);
}

NodeId Graph::solved() { return share({.op = Op::solved, .sign = Sign::nonnegative}, ode_->inputs); }

std::vector<NodeId> Graph::group_sums(NodeId a, std::uint32_t index, std::uint32_t groups) {
  std::vector<NodeId> out;
  if (nodes_[a].dimension == 0 || nodes_[a].fixed) {
    std::vector<double> sums(groups, 0.0);
    for (std::size_t r = 0; r < indices_[index]->size(); ++r)
      sums[(*indices_[index])[r]] += nodes_[a].dimension == 0 ? 1.0 : fixed_value(a, r);
    for (const double s : sums) out.push_back(nodes_[a].dimension == 0 ? mul(constant(s), a) : constant(s));
    return out;
  }
  return picks(group_sum(a, index, groups), groups);
}

NodeId Graph::group_sum(NodeId a, std::uint32_t index, std::uint32_t groups) {
  // The number of groups is kept in `value`, because a group may be empty.
  return share({.op = Op::group_sum, .which = index, .value = static_cast<double>(groups)}, std::span(&a, 1));
}

std::vector<NodeId> Graph::picks(NodeId all, std::size_t count) {
  std::vector<NodeId> out;
  for (std::uint32_t k = 0; k < count; ++k) out.push_back(share({.op = Op::pick, .which = k}, std::span(&all, 1)));
  return out;
}

std::vector<NodeId> Graph::ode_slopes(std::span<const NodeId> gains) {
  // The inputs, then for each curve itself and what is gained at its times: one group_sum, or a node a time.
  std::vector<NodeId> arguments = ode_->inputs;
  const auto times = static_cast<std::uint32_t>(ode_->times.size());
  for (std::uint32_t k = 0; k < gains.size(); ++k) {
    if (gains[k] == kNone) continue;
    arguments.push_back(curve(k));
    if (nodes_[gains[k]].dimension != 0 && !nodes_[gains[k]].fixed) {
      arguments.push_back(group_sum(gains[k], ode_->index, times));
    } else {
      const std::vector<NodeId> each = group_sums(gains[k], ode_->index, times);
      arguments.insert(arguments.end(), each.begin(), each.end());
    }
  }
  return picks(share({.op = Op::ode_slope}, arguments), ode_->inputs.size());
}

}  // namespace evident::formula
