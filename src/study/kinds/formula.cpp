// Kind "formula": a model that is written down in the study.
#include "evident/formula/model.hpp"

#include <fmt/format.h>

#include <array>

#include "study/formula_names.hpp"
#include "study/kinds/all.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

using formula::Definition;
using formula::Source;

constexpr std::array<Field, 5> kFields = {{
    {"parameters", "table", "", "[model.parameters]: name = \"prior\"; \"theta[8]\" and \"effect[group]\" are vectors"},
    {"let", "table", "none", "[model.let]: name = \"formula\", for use below it"},
    {"ode", "table", "none",
     "[model.ode]: time = \"column\", and each state as n = { start = \"n0\", rate = \"r * n\" }"},
    {"likelihood", "table", "", "[model.likelihood]: column = \"distribution\", one line or several"},
    {"log_likelihood", "table", "none", "[model.log_likelihood]: name = \"formula\", added to the log likelihood"},
}};

/// The text of a value with its place; a number may stand for a formula.
Source source_of(const Section& section, const Entry& entry) {
  const Value& v = entry.value;
  if (const auto* s = std::get_if<std::string>(&v.data)) return {section.file(), v.text_line, v.text_column, *s};
  if (const auto* d = std::get_if<double>(&v.data)) return {section.file(), v.line, v.column, fmt::format("{}", *d)};
  if (const auto* i = std::get_if<std::int64_t>(&v.data)) return {section.file(), v.line, v.column, std::to_string(*i)};
  section.fail(entry.key, "must be a formula in quotes");
}

std::vector<Definition> definitions(const Section& model, std::string_view key) {
  const auto table = model.section(key, fmt::format("[model.{}]", key));
  std::vector<Definition> out;
  if (!table) return out;
  for (const Entry& entry : table->entries())
    out.push_back({{table->file(), entry.line, entry.column, entry.key}, source_of(*table, entry)});
  return out;
}

/// `n = { start = "n0", rate = "r * n" }`
formula::StateText state_of(const Section& ode, const Entry& entry) {
  formula::StateText out{.key = {ode.file(), entry.line, entry.column, entry.key}};
  const auto* table = std::get_if<Value::Table>(&entry.value.data);
  constexpr const char* kExample = "{ start = \"n0\", rate = \"r * n\" }";
  if (table == nullptr)
    out.key.fail(0, fmt::format("a state needs a start value and a rate: {} = {}", entry.key, kExample));
  for (const Entry& part : *table) {
    const Section state(ode.file(), fmt::format("state '{}' of [model.ode]", entry.key), entry.line, *table);
    if (part.key == "start")
      out.start = source_of(state, part);
    else if (part.key == "rate")
      out.rate = source_of(state, part);
    else
      Source{ode.file(), part.line, part.column, part.key}.fail(
          0, fmt::format("a state has 'start' and 'rate', no '{}'", part.key));
  }
  for (const auto& [what, given] : {std::pair("start", &out.start), std::pair("rate", &out.rate)})
    if (given->text.empty())
      out.key.fail(0, fmt::format("state '{}' has no {}: {} = {}", entry.key, what, entry.key, kExample));
  return out;
}

std::optional<formula::OdeText> ode_of(const Section& model) {
  const auto table = model.section("ode", "[model.ode]");
  if (!table) return std::nullopt;
  formula::OdeText out;
  for (const Entry& entry : table->entries()) {
    if (entry.key == "time")
      out.time = source_of(*table, entry);
    else if (entry.key == "from")
      out.from = source_of(*table, entry);
    else if (entry.key != "tolerance" && entry.key != "absolute" && entry.key != "max_steps")
      out.states.push_back(state_of(*table, entry));
  }
  if (out.time.text.empty()) table->fail("[model.ode] needs the column with the times: time = \"t\"");
  out.tolerance = table->number("tolerance", between(1e-12, 0.1)).value_or(out.tolerance);
  out.absolute = table->number("absolute", above(0)).value_or(out.absolute);
  out.max_steps = table->integer("max_steps", 1, 10'000'000).value_or(out.max_steps);
  return out;
}

/// Messages about a formula already say where.
template <class F>
auto placed(F&& f) {
  try {
    return f();
  } catch (const formula::FormulaError& e) {
    throw CaretError(e.message());
  }
}

std::shared_ptr<const Model> make(const Section& section, DataFiles& files) {
  if (!section.has("likelihood") && !section.has("log_likelihood"))
    section.fail(
        "[[model]] of kind \"formula\" needs a likelihood; below it write, for example, [model.likelihood] and y = "
        "\"normal(mu, 1)\"");
  formula::FormulaText text;
  text.parameters = definitions(section, "parameters");
  text.let = definitions(section, "let");
  text.likelihood = definitions(section, "likelihood");
  text.log_likelihood = definitions(section, "log_likelihood");
  text.data = files.data_set();
  return placed([&] {
    text.ode = ode_of(section);
    return formula::make_formula_model(text);
  });
}

}  // namespace

std::vector<std::string> names_in_formulas(const Section& model) {
  std::vector<std::string> out;
  for (const Field& field : kFields) {
    if (field.name == "ode") continue;
    for (const Definition& d : definitions(model, field.name)) {
      out.push_back(d.key.text);
      const std::size_t open = d.key.text.find('[');  // effect[group]
      if (open != std::string::npos && d.key.text.back() == ']')
        out.push_back(d.key.text.substr(open + 1, d.key.text.size() - open - 2));
      for (std::string& name : placed([&] { return formula::names_in(d.formula); })) out.push_back(std::move(name));
    }
  }
  const auto ode = placed([&] { return ode_of(model); });
  if (!ode) return out;
  out.push_back(ode->time.text);
  const auto add = [&](const Source& formula) {
    for (std::string& name : placed([&] { return formula::names_in(formula); })) out.push_back(std::move(name));
  };
  if (!ode->from.text.empty()) add(ode->from);
  for (const formula::StateText& s : ode->states) {
    add(s.start);
    add(s.rate);
  }
  return out;
}

const Kind kFormula = {"formula", "A model of your own, written as formulas in the study", kFields, make};

}  // namespace evident::study
