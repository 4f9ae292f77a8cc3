#include "formula/likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "evident/base/log_math.hpp"

namespace evident::formula {
namespace {

bool is_categorical(const Law& law) { return law.kind == Law::categorical || law.kind == Law::categorical_logit; }

std::vector<double> values_of(const Graph& g, NodeId y) {
  std::vector<double> out;
  for (std::size_t r = 0; r < g.rows(g[y].dimension); ++r) out.push_back(g.fixed_value(y, r));
  return out;
}

/// Columns whose categories are the entries of a parameter: effect[group].
std::set<std::string> index_names(const std::vector<Definition>& parameters) {
  std::set<std::string> out;
  for (const Definition& d : parameters)
    if (const std::size_t open = d.key.text.find('['); open != std::string::npos && d.key.text.back() == ']')
      out.insert(d.key.text.substr(open + 1, d.key.text.size() - open - 2));
  return out;
}

/// Names in a formula, and in those that its names stand for.
std::set<std::string> all_names(const Source& formula, const std::vector<Definition>& let) {
  std::map<std::string, const Source*> meaning;
  for (const Definition& d : let) meaning.emplace(d.key.text, &d.formula);
  std::set<std::string> out;
  std::vector<const Source*> open = {&formula};
  while (!open.empty()) {
    const Source* source = open.back();
    open.pop_back();
    for (const std::string& name : names_in(*source))
      if (out.insert(name).second && meaning.contains(name)) open.push_back(meaning.at(name));
  }
  return out;
}

}  // namespace

void Likelihood::find_axis(const Definition& d, const Column* own, std::uint32_t dimension, Observed& to) const {
  const std::set<std::string> indices = index_names(text_.parameters);
  std::vector<const Column*> found;
  std::set<std::string> names = all_names(d.formula, text_.let);
  if (text_.ode && std::ranges::any_of(text_.ode->states, [&](const auto& s) { return names.contains(s.key.text); }))
    names.insert(text_.ode->time.text);
  for (const std::string& name : names) {
    const Column* column = b_.find_column(name);
    if (column == nullptr || column == own || !column->texts.empty() || indices.contains(name)) continue;
    if (b_.dimension_of(*column) == dimension) found.push_back(column);
  }
  const Column* axis = found.size() == 1 ? found[0] : nullptr;
  for (const char* name : {"x", "time", "t"})
    for (const Column* c : found)
      if (c->name == name) axis = c;
  if (axis == nullptr) return;
  to.axis_name = axis->name;
  to.axis = axis->numbers;
}

void Likelihood::add(const Definition& d) {
  const Value observed = b_.look_up(d.key, 0, d.key.text);
  const bool is_data = observed.kind == Value::column ||
                       (observed.kind == Value::scalar && g_[observed.node].fixed && g_[observed.node].dimension != 0);
  if (!is_data)
    d.key.fail(0, fmt::format("'{}' is no column of the data, nor computed from columns alone", d.key.text));
  const Value value = b_.evaluate(d.formula);
  if (value.kind != Value::law)
    d.formula.fail(0,
                   "a likelihood is a distribution, for example normal(mean, sigma); a log density goes into "
                   "[model.log_likelihood]");
  try {
    add_law(d, *value.distribution, observed);
  } catch (const FormulaError&) {
    throw;
  } catch (const InputError& e) {
    d.formula.fail(0, e.message());
  }
}

void Likelihood::add_law(const Definition& d, const Law& law, const Value& observed) {
  if (vector_size(law) > 0)
    throw InputError("an observation needs single values as arguments; index the vector, as in theta[group]");
  if (is_categorical(law)) return add_categories(d, law, observed);
  if (observed.node == kNone)
    d.key.fail(0, fmt::format("'{}' holds text ({}); only categorical distributions are for text", d.key.text,
                              observed.data->first_text));
  const Density density = log_density(g_, law, observed.node);
  check_fixed(d, density, observed.node);
  const std::uint32_t dimension = g_[observed.node].dimension;
  Observed seen{.name = d.key.text, .values = values_of(g_, observed.node), .discrete = is_discrete(law)};
  find_axis(d, observed.data, dimension, seen);
  add_rows(density, {.law = law, .dimension = dimension, .observed = std::move(seen)});
}

void Likelihood::add_categories(const Definition& d, const Law& law, const Value& observed) {
  if (observed.kind != Value::column) d.key.fail(0, "a categorical distribution is for a column of the data");
  const Column& column = *observed.data;
  const Categories& c = b_.categories(column);
  if (c.labels.size() > law.arguments.size())
    d.formula.fail(0, fmt::format("column '{}' has {} categories, but there are {} probabilities", d.key.text,
                                  c.labels.size(), law.arguments.size()));
  LineText line{.law = law, .dimension = b_.dimension_of(column), .observed = {.name = d.key.text, .discrete = true}};
  // Numbers stand for themselves, texts for their places in order; a category that never occurs has a place, too.
  if (column.texts.empty()) {
    const std::set<double> different(column.numbers.begin(), column.numbers.end());
    line.levels.assign(different.begin(), different.end());
  }
  while (line.levels.size() < law.arguments.size())
    line.levels.push_back(line.levels.empty() ? 1 : line.levels.back() + 1);
  for (const std::uint32_t code : c.codes) line.observed.values.push_back(line.levels[code]);
  find_axis(d, &column, line.dimension, line.observed);
  const Density density = log_mass_of_category(g_, law, b_.index_of(column));
  add_rows(density, std::move(line));
}

/// A condition on data alone that fails would make every likelihood zero.
void Likelihood::check_fixed(const Definition& d, const Density& density, NodeId y) const {
  for (const NodeId c : density.conditions) {
    if (!g_[c].fixed) continue;
    for (std::size_t r = 0; r < g_.rows(g_[c].dimension); ++r)
      if (g_.fixed_value(c, r) == 0)
        d.formula.fail(0, g_[c].dimension == 0 ? std::string("an argument is outside its range")
                                               : fmt::format("{} in row {} of '{}' cannot come from this distribution",
                                                             g_.fixed_value(y, r), r + 1, d.key.text));
  }
}

void Likelihood::add_condition(NodeId c) {
  if (g_.is_constant(c, 1)) return;
  condition_ = condition_ == kNone ? c : g_.make(Op::logical_and, condition_, c);
}

void Likelihood::add_rows(const Density& density, LineText line) {
  for (const NodeId t : density.terms) add_term(g_.sum_rows(t, line.dimension));
  for (const NodeId c : density.conditions)
    if (!g_[c].fixed) add_condition(g_[c].dimension == 0 ? c : g_.extreme_rows(Op::min_rows, c));
  observations_ += g_.rows(line.dimension);
  line.density = as_node(g_, density);
  if (g_.ode() != nullptr) line.density = g_.where(g_.solved(), line.density, g_.constant(-kInf));
  lines_.emplace_back(g_, std::move(line), parameters_);
}

void Likelihood::add_free(const Definition& d) {
  const Value value = b_.evaluate(d.formula);
  if (value.kind == Value::law)
    d.formula.fail(0, "a distribution belongs into [model.likelihood]; here a number is needed");
  if (value.kind == Value::vector || value.node == kNone) d.formula.fail(0, "expected a number, or one number per row");
  const std::uint32_t dimension = g_[value.node].dimension;
  add_term(dimension == 0 ? value.node : g_.sum_rows(value.node, dimension));
  by_row_ = by_row_ && dimension != 0;
  if (dimension == 0) return;
  observations_ += g_.rows(dimension);
  lines_.emplace_back(g_, value.node, dimension, parameters_);
}

}  // namespace evident::formula
