// Models that are written as formulas.
//
//   FormulaText text;
//   const Column t{.name = "t", .numbers = {0, 1, 2}}, y{.name = "y", .numbers = {9.1, 4.2, 1.3}};
//   text.data = std::make_shared<const DataSet>(DataSet{.table_rows = {3}, .columns = {t, y}});
//   text.parameters = {{{.text = "k"}, {.text = "gamma(shape=2, rate=1)"}}};
//   text.let = {{{.text = "mean"}, {.text = "9 * exp(-k * t)"}}};
//   text.likelihood = {{{.text = "y"}, {.text = "normal(mean, 1)"}}};
//   const std::shared_ptr<const Model> decay = make_formula_model(text);
//
// docs/formulas.md says what can be written. Everything that is wrong is a FormulaError, which points at the place:
//
//     study.toml:14:22: there is no name 'tt'; did you mean 't'?
//       A * exp(-k * tt)
//                    ^
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/model/model.hpp"

namespace evident::formula {

/// An InputError whose message already says where.
class FormulaError : public InputError {
 public:
  using InputError::InputError;
};

/// A formula, and where it stands.
struct Source {
  std::string file{};
  std::size_t line = 1, column = 1;  ///< of the first character of the text
  std::string text{};

  /// "study.toml:14:22": the place of character `at`.
  std::string where(std::size_t at) const;
  /// Throws FormulaError with file, line, column, the line of the formula and a caret under character `at`.
  [[noreturn]] void fail(std::size_t at, const std::string& what) const;
};

/// A name and its formula: `mean = "A * exp(-k * t)"`.
struct Definition {
  Source key{};  ///< its text is the name
  Source formula{};
};

/// A column of the data: numbers, or texts that stand for categories.
struct Column {
  std::string name{};
  std::size_t table = 0;             ///< which file it is of; columns of one file have the same rows
  std::vector<double> numbers{};     ///< empty when the column holds text
  std::vector<std::string> texts{};  ///< empty when it holds numbers
  std::string first_text{};          ///< where the first text is, for messages: "data.csv:3: 'control'"
};

struct Constant {
  std::string name{};
  std::vector<double> values{};
  bool is_list = false;
};

struct DataSet {
  std::vector<std::size_t> table_rows{};
  std::vector<Column> columns{};
  std::vector<Constant> constants{};
};

/// A state of a differential equation: where it starts, and its rate of change.
struct StateText {
  Source key{};  ///< its text is the name
  Source start{}, rate{};
};

/// [model.ode]: a system of differential equations, solved at the times of a column.
struct OdeText {
  Source time{};  ///< the column with the times, and the name of the running time in rates
  Source from{};  ///< when the start values hold; no text: 0
  double tolerance = 1e-6, absolute = 1e-12;
  std::size_t max_steps = 10'000;
  std::vector<StateText> states{};
};

struct FormulaText {
  std::shared_ptr<const DataSet> data{};
  std::vector<Definition> parameters{}, let{}, likelihood{}, log_likelihood{};
  std::optional<OdeText> ode{};
};

/// Throws FormulaError.
std::shared_ptr<const Model> make_formula_model(const FormulaText& text);

/// Names in a formula that are not functions: what it may need of the data. Throws FormulaError.
std::vector<std::string> names_in(const Source& source);

/// Functions and distributions, for the manual and for messages.
std::vector<std::string> function_names();
std::vector<std::string> distribution_names();

}  // namespace evident::formula
