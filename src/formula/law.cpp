// Distributions that are made of others, and what all of them share.
#include "formula/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "formula/law_table.hpp"

namespace evident::formula {
namespace {

NodeId all_of(Graph& g, const std::vector<NodeId>& conditions) {
  NodeId all = kNone;
  for (const NodeId c : conditions) {
    if (g[c].fixed && g[c].sign == Sign::positive) continue;  // it holds for every row
    all = all == kNone ? c : g.make(Op::logical_and, all, c);
  }
  return all;
}

/// Takes the conditions that do not change from row to row out of `from`: what an argument must be holds for all rows.
void move_scalar_conditions(const Graph& g, Density& from, Density& to) {
  for (const NodeId c : from.conditions)
    if (g[c].dimension == 0) to.conditions.push_back(c);
  std::erase_if(from.conditions, [&](NodeId c) { return g[c].dimension == 0; });
}

/// The sum of the terms, those that change least often first.
NodeId sum_of(Graph& g, const std::vector<NodeId>& terms) {
  NodeId scalar = kNone, rows = kNone;
  const auto into = [&](NodeId& sum, NodeId t) { sum = sum == kNone ? t : g.add(sum, t); };
  for (const NodeId t : terms)
    if (g[t].dimension == 0) into(scalar, t);
  for (const NodeId t : terms)
    if (g[t].dimension != 0 && g[t].fixed) into(rows, t);
  for (const NodeId t : terms)
    if (g[t].dimension != 0 && !g[t].fixed) into(rows, t);
  if (scalar == kNone && rows == kNone) return g.constant(0);
  if (rows == kNone) return scalar;
  return scalar == kNone ? rows : g.add(rows, scalar);
}

/// Weights must be from 0 to 1 and add up to 1, or the density is not one.
std::vector<NodeId> weight_conditions(Graph& g, const std::vector<NodeId>& weights, const char* what) {
  NodeId total = kNone;
  std::vector<NodeId> out;
  for (const NodeId w : weights) {
    if (g[w].dimension != 0) throw InputError(fmt::format("{} may not change from row to row", what));
    out.push_back(g.make(Op::le, g.constant(0), w));
    total = total == kNone ? w : g.add(total, w);
  }
  out.push_back(g.make(Op::le, g.make(Op::abs, g.sub(total, g.constant(1))), g.constant(1e-9)));
  for (const NodeId c : out)
    if (g.is_constant(c, 0)) throw InputError(fmt::format("{} must be at least 0 and add up to 1", what));
  return out;
}

Density mixture_density(Graph& g, const Law& law, NodeId y) {
  Density out{.conditions = weight_conditions(g, law.arguments, "the weights of a mixture")};
  std::vector<NodeId> parts;
  for (std::size_t k = 0; k < law.parts.size(); ++k) {
    Density d = log_density(g, law.parts[k], y);
    move_scalar_conditions(g, d, out);
    d.terms.push_back(g.make(Op::log, law.arguments[k]));
    parts.push_back(as_node(g, d));
  }
  out.terms.push_back(g.make(Op::log_sum_exp, parts));
  return out;
}

Density censored_density(Graph& g, const Law& law, NodeId y) {
  const Law& inner = law.parts[0];
  Density plain = log_density(g, inner, y), out;
  move_scalar_conditions(g, plain, out);  // what y must be holds only where it is seen
  NodeId value = as_node(g, plain);
  if (law.lower != kNone && law.upper != kNone) out.conditions.push_back(g.make(Op::lt, law.lower, law.upper));
  if (law.lower != kNone) value = g.where(g.make(Op::le, y, law.lower), log_cdf(g, inner, law.lower), value);
  if (law.upper != kNone) value = g.where(g.make(Op::le, law.upper, y), log_from(g, inner, law.upper), value);
  out.terms.push_back(value);
  return out;
}

/// log(exp(a) - exp(b)) for a > b.
NodeId log_difference(Graph& g, NodeId a, NodeId b) {
  return g.add(a, g.make(Op::log, g.neg(g.make(Op::expm1, g.sub(b, a)))));
}

Density truncated_density(Graph& g, const Law& law, NodeId y) {
  const Law& inner = law.parts[0];
  Density out = log_density(g, inner, y);
  if (law.lower != kNone) out.conditions.push_back(g.make(Op::le, law.lower, y));
  if (law.upper != kNone) out.conditions.push_back(g.make(Op::le, y, law.upper));
  NodeId log_mass{};
  if (law.upper == kNone) {
    log_mass = log_from(g, inner, law.lower);
  } else if (law.lower == kNone) {
    log_mass = log_cdf(g, inner, law.upper);
  } else {
    const NodeId low = before(g, inner, law.lower);
    out.conditions.push_back(g.make(Op::lt, low, law.upper));
    // From the side where the numbers are small: there the difference keeps its digits.
    const NodeId below_lower = log_cdf(g, inner, low), above_lower = log_survival(g, inner, low);
    const NodeId from_above = g.make(Op::lt, above_lower, below_lower);
    log_mass = log_difference(g, g.where(from_above, above_lower, log_cdf(g, inner, law.upper)),
                              g.where(from_above, log_survival(g, inner, law.upper), below_lower));
  }
  out.terms.push_back(g.neg(log_mass));
  return out;
}

}  // namespace

std::vector<std::string_view> law_arguments(std::string_view name) {
  const auto found = law_table().find(name);
  return found == law_table().end() ? std::vector<std::string_view>{} : found->second.arguments;
}

std::vector<std::string_view> law_names() {
  std::vector<std::string_view> out;
  for (const auto& [name, formula] : law_table()) out.push_back(name);
  for (const char* more :
       {"gamma", "truncated-normal", "mixture", "censored", "truncated", "categorical", "categorical-logit"})
    out.emplace_back(more);
  return out;
}

bool is_discrete(const Law& law) {
  if (law.kind == Law::plain) return law_table().at(law.name).discrete;
  if (law.kind == Law::categorical || law.kind == Law::categorical_logit) return true;
  return !law.parts.empty() && is_discrete(law.parts[0]);
}

std::size_t vector_size(const Law& law) {
  std::size_t size = 0;
  for (const auto& v : law.vectors) size = std::max(size, v.size());
  for (const Law& part : law.parts) size = std::max(size, vector_size(part));
  return size;
}

Law entry(const Law& law, std::size_t k) {
  Law out = law;
  for (std::size_t j = 0; j < out.vectors.size(); ++j)
    if (!out.vectors[j].empty()) out.arguments[j] = out.vectors[j].at(k);
  out.vectors.clear();
  for (Law& part : out.parts) part = entry(part, k);
  return out;
}

Density log_density(Graph& g, const Law& law, NodeId y) {
  switch (law.kind) {
    case Law::plain:
      return plain_density(g, law, y);
    case Law::mixture:
      return mixture_density(g, law, y);
    case Law::censored:
      return censored_density(g, law, y);
    case Law::truncated:
      return truncated_density(g, law, y);
    case Law::categorical:
    case Law::categorical_logit:
      throw InputError("a categorical distribution is for a column of categories, and stands alone");
    case Law::dirichlet:
      throw InputError("dirichlet is a prior of vectors; an observation cannot have it");
    case Law::ordered:
      throw InputError("ordered is a prior of vectors; an observation cannot have it");
  }
  return {};
}

Density log_mass_of_category(Graph& g, const Law& law, std::uint32_t index) {
  const std::vector<NodeId>& p = law.arguments;
  if (law.kind == Law::categorical_logit) {
    for (const NodeId a : p)
      if (g[a].dimension != 0) throw InputError("the logits of categories may not change from row to row");
    return {.terms = {g.gather(p, index), g.neg(g.make(Op::log_sum_exp, p))}};
  }
  Density out{.conditions = weight_conditions(g, p, "probabilities of categories")};
  std::vector<NodeId> logs;
  for (const NodeId a : p) logs.push_back(g.make(Op::log, a));
  out.terms.push_back(g.gather(logs, index));
  return out;
}

NodeId as_node(Graph& g, const Density& density) {
  const NodeId sum = sum_of(g, density.terms), all = all_of(g, density.conditions);
  return all == kNone ? sum : g.where(all, sum, g.constant(-kInf));
}

}  // namespace evident::formula
