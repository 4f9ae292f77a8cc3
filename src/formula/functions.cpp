// Functions that a formula can call.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "base/suggest.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "formula/build.hpp"

namespace evident::formula {
namespace {

const std::map<std::string_view, Op>& one_argument() {
  static const std::map<std::string_view, Op> table = {{"exp", Op::exp},
                                                       {"log", Op::log},
                                                       {"log1p", Op::log1p},
                                                       {"expm1", Op::expm1},
                                                       {"sqrt", Op::sqrt},
                                                       {"abs", Op::abs},
                                                       {"sin", Op::sin},
                                                       {"cos", Op::cos},
                                                       {"tan", Op::tan},
                                                       {"tanh", Op::tanh},
                                                       {"atan", Op::atan},
                                                       {"erf", Op::erf},
                                                       {"erfc", Op::erfc},
                                                       {"lgamma", Op::log_gamma},
                                                       {"inv_logit", Op::inv_logit},
                                                       {"log1p_exp", Op::log1p_exp},
                                                       {"log_normal_cdf", Op::log_normal_cdf},
                                                       {"sign", Op::sign},
                                                       {"floor", Op::floor}};
  return table;
}

// Made of others, or with other arguments.
constexpr std::array<std::string_view, 11> kMore = {"logit", "log10", "normal_cdf", "where",       "min",   "max",
                                                    "sum",   "mean",  "dot",        "log_sum_exp", "length"};

bool is_function(std::string_view name) {
  return one_argument().contains(name) || std::ranges::find(kMore, name) != kMore.end();
}

void expect(const std::string& name, std::size_t found, std::size_t wanted) {
  if (found != wanted)
    throw InputError(fmt::format("{} takes {} argument{}, found {}", name, wanted, wanted == 1 ? "" : "s", found));
}

}  // namespace

std::vector<std::string> function_names() {
  std::vector<std::string> out(kMore.begin(), kMore.end());
  for (const auto& [name, op] : one_argument()) out.emplace_back(name);
  std::ranges::sort(out);
  return out;
}

std::vector<std::string> distribution_names() {
  const std::vector<std::string_view> names = law_names();
  std::vector<std::string> out(names.begin(), names.end());
  std::ranges::sort(out);
  return out;
}

Value Calls::call(const Step& step, std::vector<Value> x) {
  std::string name = step.name;
  std::string hyphens = name;
  std::ranges::replace(hyphens, '_', '-');
  const std::vector<std::string_view> laws = law_names();
  const bool is_law = std::ranges::find(laws, hyphens) != laws.end() || hyphens == "dirichlet" ||
                      hyphens == "ordered" || hyphens == "multivariate-normal";
  if (is_law) return distribution(step, hyphens, x);
  if (!is_function(name)) {
    const std::vector<std::string> functions = function_names();
    std::vector<std::string_view> known(functions.begin(), functions.end());
    known.insert(known.end(), laws.begin(), laws.end());
    known.insert(known.end(), {"dirichlet", "ordered", "multivariate-normal"});
    const std::string hint = did_you_mean(name, known);
    throw InputError(fmt::format("there is no function or distribution '{}'{}", name,
                                 hint.empty() ? "; for a product write *" : hint));
  }
  for (const std::string& given : step.argument_names)
    if (!given.empty()) throw InputError(fmt::format("'{}' takes its arguments by position, not by name", name));
  return function(name, x);
}

Value Calls::function(const std::string& name, const std::vector<Value>& x) {
  if (const auto op = one_argument().find(name); op != one_argument().end()) {
    expect(name, x.size(), 1);
    return b_.element_wise(op->second, x[0]);
  }
  if (name == "logit") {
    expect(name, x.size(), 1);
    return b_.element_wise(Op::sub, b_.element_wise(Op::log, x[0]),
                           b_.element_wise(Op::log1p, b_.element_wise(Op::neg, x[0])));
  }
  if (name == "log10") {
    expect(name, x.size(), 1);
    return b_.element_wise(Op::mul, Value::of(g_.constant(std::numbers::log10e)), b_.element_wise(Op::log, x[0]));
  }
  if (name == "normal_cdf") {
    expect(name, x.size(), 1);
    const Value z = b_.element_wise(Op::mul, Value::of(g_.constant(-std::numbers::sqrt2 / 2)), x[0]);
    return b_.element_wise(Op::mul, Value::of(g_.constant(0.5)), b_.element_wise(Op::erfc, z));
  }
  if (name == "where") {
    expect(name, x.size(), 3);
    std::size_t size = 0;
    for (const Value& v : x) size = std::max(size, v.kind == Value::vector ? v.items.size() : 0);
    if (size == 0) return Value::of(g_.where(b_.scalar(x[0]), b_.scalar(x[1]), b_.scalar(x[2])));
    std::vector<NodeId> out;
    for (std::size_t k = 0; k < size; ++k) {
      NodeId part[3] = {};
      for (std::size_t j = 0; j < 3; ++j) {
        const bool is_vector = x[j].kind == Value::vector;
        if (is_vector && x[j].items.size() != size) throw InputError("the vectors in where differ in length");
        part[j] = is_vector ? x[j].items[k] : b_.scalar(x[j]);
      }
      out.push_back(g_.where(part[0], part[1], part[2]));
    }
    return Value::of(std::move(out));
  }
  if (name == "dot") {
    expect(name, x.size(), 2);
    return reduce("sum", b_.element_wise(Op::mul, x[0], x[1]));
  }
  if (name == "min" || name == "max") return extreme(name, x);
  if (name == "log_sum_exp" && x.size() > 1) {
    std::vector<NodeId> all;
    for (const Value& v : x) all.push_back(b_.scalar(v));
    return Value::of(g_.make(Op::log_sum_exp, all));
  }
  expect(name, x.size(), 1);
  return reduce(name, x[0]);
}

/// Over the entries of a vector, or over the rows of a column.
Value Calls::reduce(const std::string& name, const Value& x) {
  if (x.kind == Value::vector) {
    const auto size = static_cast<double>(x.items.size());
    if (name == "length") return Value::of(g_.constant(size));
    if (name == "log_sum_exp") return Value::of(g_.make(Op::log_sum_exp, x.items));
    NodeId sum = x.items[0];
    for (std::size_t k = 1; k < x.items.size(); ++k) sum = g_.add(sum, x.items[k]);
    return Value::of(name == "mean" ? g_.div(sum, g_.constant(size)) : sum);
  }
  const NodeId a = b_.scalar(x);
  const std::uint32_t dimension = g_[a].dimension;
  if (dimension == 0) throw InputError(fmt::format("{} takes a vector or a column; this is a single number", name));
  const auto rows = static_cast<double>(g_.rows(dimension));
  if (name == "length") return Value::of(g_.constant(rows));
  if (name == "log_sum_exp") {
    const NodeId top = g_.extreme_rows(Op::max_rows, a);
    return Value::of(g_.add(top, g_.make(Op::log, g_.sum_rows(g_.make(Op::exp, g_.sub(a, top)), dimension))));
  }
  const NodeId sum = g_.sum_rows(a, dimension);
  return Value::of(name == "mean" ? g_.div(sum, g_.constant(rows)) : sum);
}

Value Calls::extreme(const std::string& name, const std::vector<Value>& x) {
  const Op op = name == "min" ? Op::min : Op::max;
  if (x.empty()) throw InputError(fmt::format("{} needs an argument", name));
  if (x.size() == 1 && x[0].kind != Value::vector) {
    const NodeId a = b_.scalar(x[0]);
    if (g_[a].dimension == 0)
      throw InputError(fmt::format("{} of a single number; give two, a vector or a column", name));
    return Value::of(g_.extreme_rows(op == Op::min ? Op::min_rows : Op::max_rows, a));
  }
  if (x.size() > 1) {
    Value out = x[0];
    for (std::size_t k = 1; k < x.size(); ++k) out = b_.element_wise(op, out, x[k]);
    return out;
  }
  NodeId best = x[0].items[0];
  for (const NodeId a : x[0].items) best = a == best ? best : g_.make(op, best, a);
  return Value::of(best);
}

}  // namespace evident::formula
