#include "formula/why_nan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "formula/build.hpp"
#include "formula/ode.hpp"
#include "formula/priors.hpp"

namespace evident::formula {
namespace {

constexpr std::size_t kLongest = 80;   // characters of a formula in a sentence
constexpr std::size_t kMostShown = 4;  // entries of a vector, and columns

std::string text_of(double x) { return fmt::format("{:.4g}", x); }

std::vector<NodeId> nodes_of(const Value& v) {
  if (v.kind == Value::vector) return v.items;
  if (v.kind == Value::law || v.node == kNone) return {};
  return {v.node};
}

const char* symbol(StepKind kind) {
  switch (kind) {
    case StepKind::add:
      return " + ";
    case StepKind::sub:
      return " - ";
    case StepKind::mul:
      return " * ";
    case StepKind::div:
      return " / ";
    case StepKind::pow:
      return "^";
    default:
      return nullptr;
  }
}

/// Follows NaN through the formulas. What it knows of a value is a text: empty, or what made it NaN.
class NanFinder final : public StepWatcher {
 public:
  explicit NanFinder(Builder& builder) : b_(builder), g_(builder.graph()) { builder.watch(this); }

  void on_step(const Source& source, const Step& step, std::span<const Value> operands, const Value& result) override {
    std::string inherited;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!stack_.back().empty()) inherited = std::move(stack_.back());
      stack_.pop_back();
    }
    if (step.kind == StepKind::name) inherited = names_[step.name];
    const auto [is_nan, row] = find_nan(operands, result);
    if (result.kind == Value::law || (is_nan && row == kNoRow)) return stack_.push_back(std::move(inherited));
    stack_.push_back(is_nan ? described(source, step, operands, row) : "");
  }

  /// What is known of the formula that was evaluated last.
  std::string last() const { return stack_.empty() ? "" : stack_.back(); }
  void define(const std::string& name) { names_[name] = last(); }

  /// The first row in which a node is NaN; kNoRow when there is none.
  std::size_t nan_row(NodeId id) const {
    if (!g_[id].fixed) return kNoRow;
    for (std::size_t r = 0; r < rows(id); ++r)
      if (std::isnan(value(id, r))) return r;
    return kNoRow;
  }
  double value(NodeId id, std::size_t row) const { return g_.fixed_value(id, g_[id].dimension == 0 ? 0 : row); }
  std::size_t rows(NodeId id) const { return g_[id].dimension == 0 ? 1 : g_.rows(g_[id].dimension); }

  /// "row 3 of the data (t = 2), in 'A * exp(-k * t)' (study.toml:5:9)", without the row where there is one value.
  std::string place(const Source& source, std::size_t at, std::uint32_t dimension, std::size_t row) const {
    std::string formula = source.text.substr(0, kLongest) + (source.text.size() > kLongest ? "..." : "");
    std::ranges::replace_if(
        formula, [](unsigned char c) { return c < 32 || c == 127; }, ' ');
    std::string in = fmt::format("in '{}' ({})", formula, source.where(at));
    if (dimension == 0) return in;
    std::string columns;
    std::vector<std::string> names = names_in(source);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());  // Clang 14 cannot read subranges
    std::size_t shown = 0;
    for (const std::string& name : names) {
      const Column* c = b_.find_column(name);
      if (c == nullptr || c->numbers.empty() || b_.dimension_of(*c) != dimension || shown++ == kMostShown) continue;
      columns += fmt::format("{}{} = {}", columns.empty() ? "" : ", ", name, text_of(c->numbers[row]));
    }
    return fmt::format("in row {} of the data{}, {}", row + 1, columns.empty() ? "" : " (" + columns + ")", in);
  }

  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

 private:
  bool is_nan_at(const Value& v, std::size_t row) const {
    return std::ranges::any_of(nodes_of(v), [&](NodeId id) {
      return g_[id].fixed && (g_[id].dimension == 0 || row < rows(id)) && std::isnan(value(id, row));
    });
  }

  /// Is there any NaN, and in which row was it made of numbers?
  std::pair<bool, std::size_t> find_nan(std::span<const Value> operands, const Value& result) const {
    bool any = false;
    for (const NodeId id : nodes_of(result)) {
      if (!g_[id].fixed) continue;
      for (std::size_t r = 0; r < rows(id); ++r) {
        if (!std::isnan(value(id, r))) continue;
        any = true;
        if (operands.empty() || std::ranges::any_of(operands, [&](const Value& v) { return is_nan_at(v, r); }))
          continue;
        return {true, r};
      }
    }
    return {any, kNoRow};
  }

  std::string operand(const Value& v, std::size_t row) const {
    const std::vector<NodeId> nodes = nodes_of(v);
    if (nodes.empty()) return "...";
    std::string out;
    for (std::size_t k = 0; k < std::min(nodes.size(), kMostShown); ++k)
      out += (k > 0 ? ", " : "") + (g_[nodes[k]].fixed ? text_of(value(nodes[k], row)) : std::string("..."));
    if (v.kind != Value::vector) return out;
    return "[" + out + (nodes.size() > kMostShown ? ", ...]" : "]");
  }

  std::string described(const Source& source, const Step& step, std::span<const Value> x, std::size_t row) const {
    std::uint32_t dimension = 0;
    for (const Value& v : x)
      for (const NodeId id : nodes_of(v)) dimension = std::max(dimension, g_[id].dimension);
    std::string what;
    if (const char* sign = symbol(step.kind); sign != nullptr) {
      const auto in_brackets = [](const std::string& s) { return s.front() == '-' ? "(" + s + ")" : s; };
      const std::string left = operand(x[0], row), right = in_brackets(operand(x[1], row));
      what = (step.kind == StepKind::pow ? in_brackets(left) : left) + sign + right;
    } else {
      for (const Value& v : x) what += (what.empty() ? "" : ", ") + operand(v, row);
      what = (step.name.empty() ? "an operation" : step.name) + "(" + what + ")";
    }
    return fmt::format("{} is NaN {}", what, place(source, step.place, dimension, row));
  }

  Builder& b_;
  Graph& g_;
  std::vector<std::string> stack_;
  std::map<std::string, std::string> names_;
};

class Explainer {
 public:
  Explainer(const FormulaText& text, std::span<const double> theta) : text_(text), b_(g_, *text.data), finder_(b_) {
    g_.fix_parameters({theta.begin(), theta.end()});
  }

  std::string run() {
    ParameterSpace space;
    add_parameters(text_.parameters, b_, space);
    const std::vector<bool> late = text_.ode ? after_ode(*text_.ode, text_.let) : std::vector<bool>(text_.let.size());
    add_lets(late, false);
    if (text_.ode) add_ode(*text_.ode, text_.let, b_);
    add_lets(late, true);
    for (const Definition& d : text_.likelihood)
      if (std::string found = of_line(d); !found.empty()) return found;
    for (const Definition& d : text_.log_likelihood) {
      const Value value = b_.evaluate(d.formula);
      if (finder_.nan_row(value.node) != NanFinder::kNoRow) return finder_.last();
      add_up(value.node);
    }
    return std::isnan(total_) ? "its terms add up inf and -inf" : "";
  }

 private:
  void add_lets(const std::vector<bool>& late, bool which) {
    for (std::size_t j = 0; j < late.size(); ++j) {
      if (late[j] != which) continue;
      const Definition& d = text_.let[j];
      Value value = b_.evaluate(d.formula);
      finder_.define(d.key.text);
      b_.define(d.key, d.key.text, std::move(value));
    }
  }

  void add_up(NodeId id) {
    if (g_[id].fixed)
      for (std::size_t r = 0; r < finder_.rows(id); ++r) total_ += finder_.value(id, r);
  }

  /// What makes a line of the likelihood NaN: an argument of its distribution, or the density itself.
  std::string of_line(const Definition& d) {
    const Value observed = b_.look_up(d.key, 0, d.key.text), value = b_.evaluate(d.formula);
    const Law& law = *value.distribution;
    const bool categories = law.kind == Law::categorical || law.kind == Law::categorical_logit;
    const Density density =
        categories ? log_mass_of_category(g_, law, b_.index_of(*observed.data)) : log_density(g_, law, observed.node);
    for (const NodeId term : density.terms) {
      const std::size_t row = finder_.nan_row(term);
      if (row == NanFinder::kNoRow) {
        add_up(term);
        continue;
      }
      if (const std::string made = finder_.last(); !made.empty()) return made;
      std::string arguments;
      for (const NodeId a : law.arguments)
        if (g_[a].fixed) arguments += (arguments.empty() ? "" : ", ") + text_of(finder_.value(a, row));
      return fmt::format("the log density of {}({}) is NaN {}", law.name.empty() ? "the distribution" : law.name,
                         arguments, finder_.place(d.formula, 0, g_[term].dimension, row));
    }
    return "";
  }

  const FormulaText& text_;
  Graph g_;
  Builder b_;
  NanFinder finder_;
  double total_ = 0;
};

}  // namespace

std::string why_nan(const FormulaText& text, std::span<const double> theta) {
  try {
    return Explainer(text, theta).run();
  } catch (const InputError&) {  // what can be checked of numbers only says more than the model does
    return "";
  }
}

}  // namespace evident::formula
