// From text to nodes: looks names up, calls functions, makes distributions.
//
//   Builder builder(graph, data);
//   builder.define("k", Value::of(graph.parameter(0)), source);
//   const Value mean = builder.evaluate({.text = "A * exp(-k * t)"});
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "evident/formula/model.hpp"
#include "formula/parse.hpp"
#include "formula/value.hpp"

namespace evident::formula {

inline constexpr std::size_t kMaxVector = 10'000;  ///< entries of one vector

/// Sees every step of every formula.
class StepWatcher {
 public:
  virtual ~StepWatcher() = default;
  virtual void on_step(const Source& source, const Step& step, std::span<const Value> operands,
                       const Value& result) = 0;
};

class Builder {
 public:
  Builder(Graph& graph, const DataSet& data);
  void watch(StepWatcher* watcher) { watcher_ = watcher; }

  Graph& graph() { return g_; }
  /// Makes a name known; fails when it is taken.
  void define(const Source& key, const std::string& name, Value value);
  /// The value of a formula. Throws FormulaError.
  Value evaluate(const Source& source);
  /// The value of a name; fails, with the nearest name, when there is none.
  Value look_up(const Source& source, std::size_t place, const std::string& name);
  /// From here on `local` names come first, and names with one value per row are refused; `what` is formed by the
  /// formula, "a rate" say.
  void begin_scope(std::string what, std::map<std::string, Value> local);
  void add_local(const std::string& name, Value value) { local_.insert_or_assign(name, std::move(value)); }
  void end_scope() { begin_scope({}, {}); }
  /// Dimension of a column in the graph.
  std::uint32_t dimension_of(const Column& column) const { return dimensions_[column.table]; }
  const Categories& categories(const Column& column);
  /// The index column that says in which category each row is.
  std::uint32_t index_of(const Column& column);
  bool knows(const std::string& name) const { return names_.contains(name); }
  /// Does a name stand for a column of the data?
  const Column* find_column(const std::string& name) const;

 private:
  friend class Calls;
  Value run_step(const Step& step, std::vector<Value>& stack);
  Value name_value(const std::string& name) const;
  bool has_rows(const Value& value) const;
  Value indexed(const Value& vector, const Value& index);
  Value element_wise(Op op, const Value& a);
  Value element_wise(Op op, const Value& a, const Value& b);
  /// A scalar node; throws InputError for anything else.
  NodeId scalar(const Value& value, const char* what = "here") const;
  std::vector<NodeId> items(const Value& value) const;

  Graph& g_;
  const DataSet& data_;
  std::vector<std::uint32_t> dimensions_;
  std::map<std::string, Value> names_, local_;
  std::string scope_;  ///< what is formed without data; empty: anything
  std::map<const Column*, Categories> categories_;
  std::map<const Column*, std::uint32_t> indices_;
  StepWatcher* watcher_ = nullptr;
};

/// Functions and distributions that a formula can call.
class Calls {
 public:
  explicit Calls(Builder& builder) : b_(builder), g_(builder.graph()) {}
  /// Throws InputError.
  Value call(const Step& step, std::vector<Value> arguments);

 private:
  Value function(const std::string& name, const std::vector<Value>& x);
  Value reduce(const std::string& name, const Value& x);
  Value extreme(const std::string& name, const std::vector<Value>& x);
  Value distribution(const Step& step, std::string name, const std::vector<Value>& x);
  Value plain(const Step& step, const std::string& name, const std::vector<Value>& x);
  Value mixture(const std::vector<Value>& x);
  void need_order(std::string_view law, NodeId lower, NodeId upper, Op order);
  Value bounded(const Step& step, Law::Kind kind, const std::vector<Value>& x);
  Value of_vector(Law::Kind kind, const std::vector<Value>& x);

  Builder& b_;
  Graph& g_;
};

}  // namespace evident::formula
