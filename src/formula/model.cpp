#include "evident/formula/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evident/base/log_math.hpp"
#include "formula/build.hpp"
#include "formula/differentiate.hpp"
#include "formula/likelihood.hpp"
#include "formula/ode.hpp"
#include "formula/priors.hpp"
#include "formula/program.hpp"
#include "formula/run.hpp"
#include "formula/why_nan.hpp"
#include "model/explains_nan.hpp"

namespace evident::formula {
namespace {

class FormulaModel final : public Model, public ExplainsNan {
 public:
  explicit FormulaModel(const FormulaText& text) : text_(text) {
    Graph g;
    Builder builder(g, *text.data);
    add_parameters(text.parameters, builder, space_);
    if (space_.size() == 0) throw InputError("the model has no parameters; write them below [model.parameters]");
    const std::vector<bool> late = text.ode ? after_ode(*text.ode, text.let) : std::vector<bool>(text.let.size());
    for (std::size_t j = 0; j < late.size(); ++j)
      if (!late[j]) add_let(builder, text.let[j]);
    if (text.ode) add_ode(*text.ode, text.let, builder);
    for (std::size_t j = 0; j < late.size(); ++j)
      if (late[j]) add_let(builder, text.let[j]);
    Likelihood likelihood(builder, text, space_.size());
    for (const Definition& d : text.likelihood) likelihood.add(d);
    for (const Definition& d : text.log_likelihood) likelihood.add_free(d);
    if (likelihood.total() == kNone)
      throw InputError("the model has no likelihood; write one below [model.likelihood]");
    finish(g, likelihood);
  }

  const ParameterSpace& parameters() const override { return space_; }
  std::size_t observation_count() const override { return observations_; }
  bool has_gradient() const override { return true; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    double* rows[] = {out.data()};
    run(value_, theta, rows);
  }

  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override {
    space_.gradient(theta, d_log_prior);
    std::vector<double*> rows;
    for (std::size_t j = 0; j < space_.size(); ++j) rows.push_back(d_log_likelihood.row_data(j));
    run(gradient_, theta, rows);
  }

  std::string why_nan(std::span<const double> theta) const override { return formula::why_nan(text_, theta); }

  /// Observations are counted line by line: all rows of the first line, then those of the second.
  bool has_sequence() const override { return by_row_; }
  void log_likelihood_of(ConstBlock theta, std::size_t first, std::size_t count, std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Line& line : lines_) {
      const std::size_t some = first < line.rows() ? std::min(count, line.rows() - first) : 0;
      if (some > 0) line.add_log_density(theta, first, some, out);
      first -= std::min(first, line.rows());
      count -= some;
    }
  }

  std::vector<Observed> observed() const override {
    std::vector<Observed> out;
    for (const Line& line : lines_)
      if (line.can_draw()) out.push_back(line.observed());
    return out;
  }

  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override {
    std::vector<Stream> each;
    for (std::uint32_t i = 0; i < theta.size(); ++i)
      each.push_back(streams.at({.particle = first + i, .purpose = Purpose::simulate}));
    for_each_observed(out, [&](const Line& line, Block rows) { line.draw(theta, each, rows); });
  }

  void predict(ConstBlock theta, Block out) const override {
    for_each_observed(out, [&](const Line& line, Block rows) { line.predict(theta, rows); });
  }

  std::vector<std::string> derived_names() const override { return derived_names_; }
  void derive(ConstBlock theta, Block out) const override {
    std::vector<double*> rows;
    for (std::size_t j = 0; j < derived_names_.size(); ++j) rows.push_back(out.row_data(j));
    run(derived_, theta, rows);
  }

 private:
  void add_let(Builder& builder, const Definition& d) {
    Value value = builder.evaluate(d.formula);
    if (value.kind == Value::law)
      d.formula.fail(0, "a distribution cannot have a name; write it in [model.likelihood]");
    if (value.kind != Value::vector) note_derived(builder.graph(), d.key.text, value);
    builder.define(d.key, d.key.text, std::move(value));
  }

  /// f(line, its rows of `out`)
  template <class F>
  void for_each_observed(Block out, F f) const {
    std::size_t at = 0;
    for (const Line& line : lines_) {
      if (!line.can_draw()) continue;
      f(line, out.some_rows(at, line.rows()));
      at += line.rows();
    }
  }

  void note_derived(const Graph& g, const std::string& name, const Value& value) {
    if (value.node == kNone || g[value.node].fixed || g[value.node].dimension != 0) return;
    derived_names_.push_back(name);
    derived_nodes_.push_back(value.node);
  }

  void finish(Graph& g, Likelihood& likelihood) {
    const auto size = static_cast<std::uint32_t>(space_.size());
    const auto guarded = [&](NodeId a, double otherwise) {
      return likelihood.condition() == kNone ? a : g.where(likelihood.condition(), a, g.constant(otherwise));
    };
    const NodeId value = guarded(likelihood.total(), -kInf);
    value_ = compile(g, std::span(&value, 1), size);
    derived_ = compile(g, derived_nodes_, size);
    observations_ = likelihood.observations();
    by_row_ = likelihood.is_by_row();
    lines_ = likelihood.take_lines();
    std::vector<NodeId> slopes = differentiate(g, likelihood.total(), size);
    for (NodeId& s : slopes) s = guarded(s, 0);
    gradient_ = compile(g, slopes, size);
  }

  FormulaText text_;
  ParameterSpace space_;
  Program value_, gradient_, derived_;
  std::vector<std::string> derived_names_;
  std::vector<NodeId> derived_nodes_;
  std::vector<Line> lines_;
  std::size_t observations_ = 0;
  bool by_row_ = true;
};

}  // namespace

std::shared_ptr<const Model> make_formula_model(const FormulaText& text) {
  return std::make_shared<FormulaModel>(text);
}

}  // namespace evident::formula
