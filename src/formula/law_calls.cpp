// Calls of distributions: normal(mean, sd), gamma(shape=2, rate=1), mixture(w, d1, d2), censored(d, upper=10).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/suggest.hpp"
#include "evident/base/error.hpp"
#include "formula/build.hpp"

namespace evident::formula {
namespace {

Value as_value(Law law) { return {.kind = Value::law, .distribution = std::make_shared<const Law>(std::move(law))}; }

const Law& law_of(const Value& v, const char* where) {
  if (v.kind != Value::law)
    throw InputError(fmt::format("{} needs a distribution here, found {}", where, described(v)));
  return *v.distribution;
}

/// The arguments in the order of their names. Those that are missing are null.
std::vector<const Value*> in_order(const Step& step, const std::string& law, std::span<const std::string_view> names,
                                   const std::vector<Value>& x) {
  std::vector<const Value*> out(names.size(), nullptr);
  bool named = false;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::string& given = step.argument_names[k];
    if (given.empty() && named) throw InputError("an unnamed argument may not follow a named one");
    named = named || !given.empty();
    std::size_t slot = k;
    if (named) slot = static_cast<std::size_t>(std::ranges::find(names, given) - names.begin());
    if (slot >= names.size()) {
      if (named) {
        const std::string hint = did_you_mean(given, names);
        throw InputError(fmt::format("{} has no argument '{}'{}", law, given,
                                     hint.empty() ? fmt::format("; it has {}", fmt::join(names, ", ")) : hint));
      }
      throw InputError(fmt::format("one argument too many: {} takes {}", law, fmt::join(names, ", ")));
    }
    if (out[slot] != nullptr) throw InputError(fmt::format("argument '{}' is given twice", names[slot]));
    out[slot] = &x[k];
  }
  return out;
}

/// A bound at infinity is none.
NodeId bound(const Graph& g, NodeId id) { return g.is_constant(id) && std::isinf(g[id].value) ? kNone : id; }

std::string which_gamma(const Step& step) {
  const auto has = [&](const char* name) {
    return std::ranges::find(step.argument_names, name) != step.argument_names.end();
  };
  if (has("rate") && has("scale")) throw InputError("gamma takes a rate or a scale, not both: the scale is 1 / rate");
  if (has("rate")) return "gamma-rate";
  if (has("scale")) return "gamma-scale";
  throw InputError(
      "gamma takes a shape and a rate or a scale; say which: gamma(shape=2, rate=1) or gamma(shape=2, scale=1)");
}

}  // namespace

Value Calls::distribution(const Step& step, std::string name, const std::vector<Value>& x) {
  if (name == "gamma") name = which_gamma(step);
  if (name == "mixture") return mixture(x);
  if (name == "censored") return bounded(step, Law::censored, x);
  if (name == "truncated") return bounded(step, Law::truncated, x);
  if (name == "categorical") return of_vector(Law::categorical, x);
  if (name == "categorical-logit") return of_vector(Law::categorical_logit, x);
  if (name == "dirichlet") return of_vector(Law::dirichlet, x);
  if (name == "multivariate-normal") {
    const Value out = plain(step, "normal", x);
    if (vector_size(*out.distribution) == 0)
      throw InputError(
          "multivariate-normal takes vectors: multivariate-normal([0, 1], [1, 2]); the entries are independent");
    return out;
  }
  if (name == "ordered") {
    if (x.size() != 1) throw InputError("ordered takes one distribution: ordered(normal(0, 10))");
    return as_value({.kind = Law::ordered, .parts = {law_of(x[0], "ordered")}});
  }
  return plain(step, name, x);
}

Value Calls::plain(const Step& step, const std::string& name, const std::vector<Value>& x) {
  constexpr std::array<std::string_view, 4> four = {"mean", "sd", "lower", "upper"};
  const bool cut = name == "truncated-normal";
  const std::vector<std::string_view> names =
      cut ? std::vector<std::string_view>(four.begin(), four.end()) : law_arguments(name);
  const std::vector<const Value*> found = in_order(step, name, names, x);
  Law law{.name = cut ? "normal" : name};
  std::vector<NodeId> bounds;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (found[k] == nullptr)
      throw InputError(fmt::format("argument '{}' is missing: {} takes {}", names[k], name, fmt::join(names, ", ")));
    const bool is_vector = found[k]->kind == Value::vector;
    if (cut && k >= 2) {
      bounds.push_back(bound(g_, b_.scalar(*found[k])));
      continue;
    }
    law.arguments.push_back(is_vector ? found[k]->items[0] : b_.scalar(*found[k]));
    law.vectors.push_back(is_vector ? found[k]->items : std::vector<NodeId>{});
  }
  const std::size_t size = vector_size(law);
  for (const auto& v : law.vectors)
    if (!v.empty() && v.size() != size) throw InputError(fmt::format("the vectors in {} differ in length", name));
  if (cut) need_order(name, bounds[0], bounds[1], Op::lt);
  if (!cut && names.size() == 2 && names[0] == "lower")  // uniform and its like
    for (std::size_t k = 0; k < std::max<std::size_t>(size, 1); ++k) {
      const std::vector<NodeId> both = size == 0 ? law.arguments : entry(law, k).arguments;
      need_order(name, both[0], both[1], Op::lt);
    }
  if (!cut || (bounds[0] == kNone && bounds[1] == kNone)) return as_value(std::move(law));
  return as_value({.kind = Law::truncated, .parts = {std::move(law)}, .lower = bounds[0], .upper = bounds[1]});
}

/// Bounds that are numbers or data: no parameter can set them right. Of the others those that cross are impossible,
/// draw by draw.
void Calls::need_order(std::string_view law, NodeId lower, NodeId upper, Op order) {
  if (lower == kNone || upper == kNone) return;
  const NodeId holds = g_.make(order, lower, upper);
  if (!g_[holds].fixed) return;
  for (std::size_t r = 0; r < g_.rows(g_[holds].dimension); ++r)
    if (g_.fixed_value(holds, r) == 0)
      throw InputError(fmt::format("{} needs lower {} upper, but {}lower is {} and upper is {}", law,
                                   order == Op::le ? "<=" : "<",
                                   g_[holds].dimension == 0 ? "" : fmt::format("in row {} of the data ", r + 1),
                                   g_.fixed_value(lower, r), g_.fixed_value(upper, r)));
}

Value Calls::mixture(const std::vector<Value>& x) {
  if (x.size() < 2 || x[0].kind != Value::vector)
    throw InputError(
        "mixture takes weights and distributions: mixture([w, 1 - w], normal(a, s), normal(b, s)), or mixture(w, "
        "normal(mu, s)) with a vector mu");
  Law out{.kind = Law::mixture, .arguments = x[0].items};
  const std::size_t size = x[0].items.size();
  if (x.size() == 2) {  // one distribution, whose vectors give the components
    const Law& law = law_of(x[1], "mixture");
    if (vector_size(law) != size)
      throw InputError(
          fmt::format("mixture has {} weights but its distribution has vectors of {}", size, vector_size(law)));
    for (std::size_t k = 0; k < size; ++k) out.parts.push_back(entry(law, k));
    return as_value(std::move(out));
  }
  if (x.size() - 1 != size)
    throw InputError(fmt::format("mixture has {} weights for {} distributions", size, x.size() - 1));
  for (std::size_t k = 1; k < x.size(); ++k) {
    out.parts.push_back(law_of(x[k], "mixture"));
    if (vector_size(out.parts.back()) > 0)
      throw InputError("a component of a mixture takes single values; take an entry, as in mu[1]");
    if (is_discrete(out.parts.back()) != is_discrete(out.parts.front()))
      throw InputError("a mixture of counts and of continuous values has no density");
  }
  return as_value(std::move(out));
}

Value Calls::bounded(const Step& step, Law::Kind kind, const std::vector<Value>& x) {
  constexpr std::array<std::string_view, 3> names = {"distribution", "lower", "upper"};
  const char* what = kind == Law::censored ? "censored" : "truncated";
  const std::vector<const Value*> found = in_order(step, what, names, x);
  if (found[0] == nullptr)
    throw InputError(fmt::format("{} takes a distribution and bounds: {}(normal(m, s), upper=10)", what, what));
  if (found[1] == nullptr && found[2] == nullptr)
    throw InputError(fmt::format("{} needs lower=..., upper=... or both", what));
  Law out{.kind = kind, .parts = {law_of(*found[0], what)}};
  if (vector_size(out.parts[0]) > 0) throw InputError(fmt::format("{} takes a distribution of single values", what));
  if (found[1] != nullptr) out.lower = bound(g_, b_.scalar(*found[1]));
  if (found[2] != nullptr) out.upper = bound(g_, b_.scalar(*found[2]));
  if (out.lower == kNone && out.upper == kNone) return as_value(std::move(out.parts[0]));
  // Counts between 3 and 3 are 3; of censored ones both would stand for a whole tail.
  const bool may_meet = kind == Law::truncated && is_discrete(out.parts[0]);
  need_order(what, out.lower, out.upper, may_meet ? Op::le : Op::lt);
  // Says at once when the distribution has no such form.
  const NodeId probe = out.lower != kNone ? out.lower : out.upper;
  log_cdf(g_, out.parts[0], probe);
  return as_value(std::move(out));
}

Value Calls::of_vector(Law::Kind kind, const std::vector<Value>& x) {
  if (x.empty()) throw InputError("expected a vector, or its entries");
  Law out{.kind = kind};
  for (const Value& v : x) {
    const std::vector<NodeId> some = b_.items(v);
    out.arguments.insert(out.arguments.end(), some.begin(), some.end());
  }
  return as_value(std::move(out));
}

}  // namespace evident::formula
