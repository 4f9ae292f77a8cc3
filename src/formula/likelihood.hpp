// The likelihood as it grows: line by line of [model.likelihood] and [model.log_likelihood].
//
//   Likelihood likelihood(builder, text, parameters);
//   for (const Definition& d : text.likelihood) likelihood.add(d);
//   NodeId log_likelihood = likelihood.total();      // where likelihood.condition() holds, else -inf
#pragma once

#include <vector>

#include "formula/build.hpp"
#include "formula/line.hpp"

namespace evident::formula {

class Likelihood {
 public:
  Likelihood(Builder& builder, const FormulaText& text, std::size_t parameters)
      : b_(builder), g_(builder.graph()), text_(text), parameters_(static_cast<std::uint32_t>(parameters)) {
    if (g_.ode() != nullptr) add_condition(g_.solved());
  }

  /// y = "normal(mean, sigma)". Throws FormulaError.
  void add(const Definition& d);
  /// An expression that is added to the log likelihood.
  void add_free(const Definition& d);

  NodeId total() const { return total_; }          ///< kNone when there is none
  NodeId condition() const { return condition_; }  ///< kNone when it always holds
  std::size_t observations() const { return observations_; }
  /// Do the lines make up the whole, each a sum over rows?
  bool is_by_row() const { return by_row_; }
  std::vector<Line> take_lines() { return std::move(lines_); }

 private:
  void add_law(const Definition& d, const Law& law, const Value& observed);
  void add_categories(const Definition& d, const Law& law, const Value& observed);
  void check_fixed(const Definition& d, const Density& density, NodeId y) const;
  void add_rows(const Density& density, LineText line);
  void add_term(NodeId term) { total_ = total_ == kNone ? term : g_.add(total_, term); }
  void add_condition(NodeId c);
  /// What to draw the observations against: a column that the line's formulas need.
  void find_axis(const Definition& d, const Column* own, std::uint32_t dimension, Observed& to) const;

  Builder& b_;
  Graph& g_;
  const FormulaText& text_;
  std::uint32_t parameters_;
  std::vector<Line> lines_;
  NodeId total_ = kNone, condition_ = kNone;
  std::size_t observations_ = 0;
  bool by_row_ = true;
};

}  // namespace evident::formula
