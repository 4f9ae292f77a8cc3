#include "formula/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/suggest.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident::formula {

Builder::Builder(Graph& graph, const DataSet& data) : g_(graph), data_(data) {
  for (const std::size_t rows : data.table_rows) dimensions_.push_back(graph.add_table(rows));
  for (const Column& c : data.columns) {
    Value value{.kind = Value::column, .data = &c};
    if (c.texts.empty()) value.node = graph.data(dimensions_[c.table], c.numbers);
    names_.emplace(c.name, std::move(value));
  }
  for (const Constant& c : data.constants) {
    std::vector<NodeId> items;
    for (const double v : c.values) items.push_back(graph.constant(v));
    names_.emplace(c.name, c.is_list ? Value::of(std::move(items)) : Value::of(items.at(0)));
  }
  names_.emplace("pi", Value::of(graph.constant(std::numbers::pi)));
  names_.emplace("inf", Value::of(graph.constant(kInf)));
}

void Builder::define(const Source& key, const std::string& name, Value value) {
  if (name == "pi" || name == "inf") key.fail(0, fmt::format("'{}' is a number already", name));
  if (find_column(name) != nullptr) key.fail(0, fmt::format("'{}' is a column of the data already", name));
  if (!names_.emplace(name, std::move(value)).second) key.fail(0, fmt::format("'{}' is defined already", name));
}

const Column* Builder::find_column(const std::string& name) const {
  for (const Column& c : data_.columns)
    if (c.name == name) return &c;
  return nullptr;
}

const Categories& Builder::categories(const Column& column) {
  auto [at, is_new] = categories_.try_emplace(&column);
  if (is_new) at->second = categories_of(column);
  return at->second;
}

std::uint32_t Builder::index_of(const Column& column) {
  const auto [at, is_new] = indices_.try_emplace(&column, 0);
  if (is_new) at->second = g_.add_index(dimension_of(column), categories(column).codes);
  return at->second;
}

Value Builder::name_value(const std::string& name) const {
  if (const auto found = local_.find(name); found != local_.end()) return found->second;
  if (const auto found = names_.find(name); found != names_.end()) {
    if (scope_.empty() || !has_rows(found->second)) return found->second;
    throw InputError(fmt::format("'{}' has a value per row of the data; {} is formed without data", name, scope_));
  }
  std::vector<std::string_view> known;
  for (const auto& [k, v] : local_) known.push_back(k);
  for (const auto& [k, v] : names_)
    if (scope_.empty() || !has_rows(v)) known.push_back(k);
  throw InputError(fmt::format("there is no name '{}'{}", name, did_you_mean(name, known)));
}

bool Builder::has_rows(const Value& value) const {
  const auto rows = [&](NodeId id) { return id != kNone && g_[id].dimension != 0; };
  return value.kind == Value::column || rows(value.node) || std::ranges::any_of(value.items, rows);
}

void Builder::begin_scope(std::string what, std::map<std::string, Value> local) {
  scope_ = std::move(what);
  local_ = std::move(local);
}

Value Builder::look_up(const Source& source, std::size_t place, const std::string& name) {
  try {
    return name_value(name);
  } catch (const InputError& e) {
    source.fail(place, e.message());
  }
}

NodeId Builder::scalar(const Value& value, const char* what) const {
  if (value.kind == Value::scalar) return value.node;
  if (value.kind == Value::column) {
    if (value.node != kNone) return value.node;
    throw InputError(fmt::format("column '{}' holds text ({}); text can be an index, as in effect[{}], but no number",
                                 value.data->name, value.data->first_text, value.data->name));
  }
  if (value.kind == Value::law)
    throw InputError(
        fmt::format("a distribution is no number; it can stand alone in [model.likelihood] or [model.parameters]"));
  throw InputError(fmt::format("expected a single value {}, found {}; take an entry, as in v[1], or sum(v)", what,
                               described(value)));
}

std::vector<NodeId> Builder::items(const Value& value) const {
  if (value.kind == Value::vector) return value.items;
  return {scalar(value)};
}

Value Builder::element_wise(Op op, const Value& a) {
  if (a.kind != Value::vector) return Value::of(g_.make(op, scalar(a)));
  Value out = a;
  for (NodeId& item : out.items) item = g_.make(op, item);
  return out;
}

Value Builder::element_wise(Op op, const Value& a, const Value& b) {
  if (a.kind != Value::vector && b.kind != Value::vector) return Value::of(g_.make(op, scalar(a), scalar(b)));
  if (a.kind == Value::vector && b.kind == Value::vector && a.items.size() != b.items.size())
    throw InputError(fmt::format("vectors of {} and {} do not go together", a.items.size(), b.items.size()));
  Value out = a.kind == Value::vector ? a : b;
  const std::vector<NodeId> left = items(a), right = items(b);
  for (std::size_t k = 0; k < out.items.size(); ++k)
    out.items[k] = g_.make(op, left[left.size() == 1 ? 0 : k], right[right.size() == 1 ? 0 : k]);
  return out;
}

Value Builder::indexed(const Value& vector, const Value& index) {
  if (vector.kind != Value::vector)
    throw InputError(fmt::format("only a vector has entries; this is {}", described(vector)));
  const std::size_t size = vector.items.size();
  if (index.kind == Value::column && vector.data == index.data) {
    return Value::of(g_.gather(vector.items, index_of(*index.data)));
  }
  if (index.kind == Value::column && vector.data != nullptr)
    throw InputError(
        fmt::format("its entries are the categories of '{}', not of '{}'", vector.data->name, index.data->name));
  const NodeId at = scalar(index, "as an index");
  if (!g_[at].fixed) throw InputError("an index must be a number or a column of the data");
  std::vector<std::uint32_t> places;
  const std::size_t rows = g_.rows(g_[at].dimension);
  for (std::size_t r = 0; r < rows; ++r) {
    const double v = g_.fixed_value(at, r);
    if (!(v >= 1 && v <= static_cast<double>(size)) || v != std::floor(v))
      throw InputError(fmt::format("an index must be a whole number from 1 to {}, was {}{}", size, v,
                                   g_[at].dimension == 0 ? "" : fmt::format(" in row {} of the data", r + 1)));
    places.push_back(static_cast<std::uint32_t>(v) - 1);
  }
  if (g_[at].dimension == 0) return Value::of(vector.items[places[0]]);
  return Value::of(g_.gather(vector.items, g_.add_index(g_[at].dimension, std::move(places))));
}

Value Builder::run_step(const Step& step, std::vector<Value>& stack) {
  const auto pop = [&] {
    Value v = std::move(stack.back());
    stack.pop_back();
    return v;
  };
  const auto take = [&](std::size_t count) {
    std::vector<Value> out(std::make_move_iterator(stack.end() - static_cast<long>(count)),
                           std::make_move_iterator(stack.end()));
    stack.resize(stack.size() - count);
    return out;
  };
  switch (step.kind) {
    case StepKind::number:
      return Value::of(g_.constant(step.number));
    case StepKind::name:
      return name_value(step.name);
    case StepKind::call:
      return Calls(*this).call(step, take(step.count));
    case StepKind::neg:
      return element_wise(Op::neg, pop());
    case StepKind::logical_not:
      return element_wise(Op::logical_not, pop());
    case StepKind::list: {
      std::vector<NodeId> all;
      for (const Value& v : take(step.count)) {
        const std::vector<NodeId> some = items(v);
        all.insert(all.end(), some.begin(), some.end());
        if (all.size() > kMaxVector) throw InputError(fmt::format("a vector may have {} entries", kMaxVector));
      }
      return Value::of(std::move(all));
    }
    default:
      break;
  }
  const Value b = pop(), a = pop();
  switch (step.kind) {
    case StepKind::index:
      return indexed(a, b);
    case StepKind::add:
      return element_wise(Op::add, a, b);
    case StepKind::sub:
      return element_wise(Op::sub, a, b);
    case StepKind::mul:
      return element_wise(Op::mul, a, b);
    case StepKind::div:
      return element_wise(Op::div, a, b);
    case StepKind::pow:
      return element_wise(Op::pow, a, b);
    case StepKind::lt:
      return element_wise(Op::lt, a, b);
    case StepKind::le:
      return element_wise(Op::le, a, b);
    case StepKind::gt:
      return element_wise(Op::lt, b, a);
    case StepKind::ge:
      return element_wise(Op::le, b, a);
    case StepKind::eq:
      return element_wise(Op::eq, a, b);
    case StepKind::ne:
      return element_wise(Op::ne, a, b);
    case StepKind::logical_and:
      return element_wise(Op::logical_and, a, b);
    default:
      return element_wise(Op::logical_or, a, b);
  }
}

Value Builder::evaluate(const Source& source) {
  std::vector<Value> stack;
  for (const Step& step : parse(source)) {
    try {
      std::vector<Value> operands;
      if (watcher_ != nullptr) operands.assign(stack.end() - static_cast<long>(operand_count(step)), stack.end());
      Value v = run_step(step, stack);
      if (watcher_ != nullptr) watcher_->on_step(source, step, operands, v);
      stack.push_back(std::move(v));
    } catch (const FormulaError&) {
      throw;
    } catch (const InputError& e) {
      source.fail(step.place, e.message());
    }
  }
  return std::move(stack.back());
}

}  // namespace evident::formula
