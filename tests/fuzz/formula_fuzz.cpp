// Formulas from random bytes: whatever they are, the answer is a model or an InputError.
//
// The first byte says where the text stands: as a formula, a likelihood, a prior, or the name of a parameter.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "evident/base/error.hpp"
#include "evident/formula/model.hpp"

namespace {

using evident::formula::DataSet;
using evident::formula::Definition;

std::shared_ptr<const DataSet> data() {
  static const auto shared = std::make_shared<const DataSet>(
      DataSet{.table_rows = {4, 2},
              .columns = {{.name = "x", .numbers = {-1, 0, 0.5, 3}},
                          {.name = "y", .numbers = {0, 1, 1, 2}},
                          {.name = "g", .texts = {"b", "a", "b", "c"}, .first_text = "d.csv:2: 'b'"},
                          {.name = "u", .table = 1, .numbers = {0.2, 0.7}}},
              .constants = {{"k", {2}, false}, {"w", {0.5, 0.5}, true}}});
  return shared;
}

Definition line(const std::string& key, const std::string& text) { return {{"s", 1, 1, key}, {"s", 1, 1, text}}; }

evident::formula::FormulaText place(unsigned where, const std::string& text) {
  evident::formula::FormulaText out{.data = data()};
  out.parameters = {line("a", "normal(0, 1)"), line("b", "half-normal(1)"), line("v[3]", "normal(a, b)"),
                    line("e[g]", "normal(0, b)"), line("s[2]", "dirichlet(1)")};
  switch (where % 4) {
    case 0:
      out.log_likelihood = {line("f", text)};
      break;
    case 1:
      out.likelihood = {line("y", text)};
      break;
    case 2:
      out.parameters.push_back(line("p", text));
      out.log_likelihood = {line("f", "p")};
      break;
    default:
      out.parameters.push_back(line(text, "normal(0, 1)"));
      out.log_likelihood = {line("f", "a")};
      break;
  }
  return out;
}

/// v[1000]: a vector of that many parameters takes a thousand times as long as the others do.
bool names_a_long_vector(const std::string& text) {
  std::size_t digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 2) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const bool is_name = bytes[0] % 4 == 3;
  if (is_name && bytes[0] / 4 % 32 != 0 && names_a_long_vector(text)) return 0;  // some of them will do
  try {
    if (!is_name) evident::formula::names_in({"s", 1, 1, text});  // most texts are no formulas: quickly done
    const auto model = evident::formula::make_formula_model(place(bytes[0], text));
    const std::size_t rows = model->parameters().size();
    evident::BlockStorage theta(rows, 8), prior(rows, 8), slopes(rows, 8);
    model->draw_prior(evident::Streams({.seed = 1}), 0, theta);
    std::vector<double> out(8);
    model->log_likelihood(theta, out);
    model->gradient(theta, prior, slopes);
    std::size_t seen = 0;
    for (const evident::Observed& o : model->observed()) seen += o.values.size();
    evident::BlockStorage drawn(seen, 8);
    model->draw_observations(theta, evident::Streams({.seed = 1}), 0, drawn);
    model->predict(theta, drawn);
    if (model->has_sequence()) model->log_likelihood_of(theta, 0, model->observation_count(), out);
  } catch (const evident::InputError&) {
  }
  return 0;
}
