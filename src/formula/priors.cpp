#include "formula/priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "formula/computed_prior.hpp"
#include "model/ordered.hpp"

namespace evident::formula {
namespace {

constexpr std::size_t kMaxParameters = 10'000;

/// "theta[8]" or "effect[group]": the name and how many entries; 0 for a single parameter.
struct Shape {
  std::string name;
  std::size_t size = 0;
  const Column* column = nullptr;
  std::vector<std::string> labels{};  ///< of the entries
};

void check_name(const Source& key, const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || !letter(name[0])) key.fail(0, "a name begins with a letter");
  for (std::size_t k = 0; k < name.size(); ++k)
    if (!letter(name[k]) && !(name[k] >= '0' && name[k] <= '9') && name[k] != '.')
      key.fail(k,
               "a name is made of letters, digits, '_' and '.'; a vector is written \"theta[8]\" or \"effect[group]\"");
  if (name == "and" || name == "or" || name == "not") key.fail(0, fmt::format("'{}' has a meaning of its own", name));
}

Shape read_shape(const Source& key, Builder& builder) {
  const std::string& text = key.text;
  const std::size_t open = text.find('[');
  Shape out{.name = text.substr(0, open)};
  check_name(key, out.name);
  if (open == std::string::npos) return out;
  if (text.back() != ']' || text.size() < open + 3)
    key.fail(open, "expected a size or a column in brackets, as in \"theta[8]\" or \"effect[group]\"");
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  const auto [end, status] = std::from_chars(inside.data(), inside.data() + inside.size(), out.size);
  if (status == std::errc{} && end == inside.data() + inside.size()) {
    if (out.size < 1 || out.size > kMaxVector)
      key.fail(open + 1, fmt::format("a vector has from 1 to {} entries", kMaxVector));
  } else if (const Column* column = builder.find_column(inside)) {
    out.column = column;
    out.labels = builder.categories(*column).labels;
    out.size = out.labels.size();
    if (out.size > kMaxVector)
      key.fail(open + 1, fmt::format("column '{}' has {} different values; a vector may have {} entries", inside,
                                     out.size, kMaxVector));
    return out;
  } else {
    key.fail(open + 1, fmt::format("'{}' is neither a whole number nor a column of the data", inside));
  }
  for (std::size_t k = 0; k < out.size; ++k) out.labels.push_back(std::to_string(k + 1));
  return out;
}

class Adder {
 public:
  Adder(Builder& builder, ParameterSpace& space) : b_(builder), g_(builder.graph()), space_(space) {}

  void add(const Definition& d) {
    Shape shape = read_shape(d.key, b_);
    const Value value = b_.evaluate(d.formula);
    if (value.kind != Value::law) d.formula.fail(0, "a parameter needs a prior distribution, for example normal(0, 1)");
    const Law& law = *value.distribution;
    try {
      add(d, shape, law);
    } catch (const FormulaError&) {
      throw;
    } catch (const InputError& e) {
      d.formula.fail(0, e.message());
    }
  }

 private:
  void add(const Definition& d, Shape& shape, const Law& law) {
    const std::size_t entries = law.kind == Law::dirichlet ? law.arguments.size() : vector_size(law);
    if (entries > 1 && shape.size == 0) {  // its arguments say how long it is
      shape.size = entries;
      for (std::size_t k = 0; k < entries; ++k) shape.labels.push_back(std::to_string(k + 1));
    }
    if (entries > 1 && entries != shape.size)
      d.formula.fail(0, fmt::format("'{}' has {} entries, but its prior has {}", shape.name, shape.size, entries));
    if (space_.size() + std::max<std::size_t>(shape.size, 1) > kMaxParameters)
      d.key.fail(0, fmt::format("with this there are {} parameters; a model may have {}",
                                space_.size() + std::max<std::size_t>(shape.size, 1), kMaxParameters));
    const auto first = static_cast<std::uint32_t>(space_.size());
    Sign sign = Sign::any;
    if (law.kind == Law::dirichlet) {
      if (shape.size < 2)
        d.formula.fail(0, "a dirichlet vector needs at least two entries, as in \"w[3]\" = \"dirichlet(1)\"");
      space_.add_simplex(shape.name, concentrations(law, shape.size));
      sign = Sign::positive;
    } else if (law.kind == Law::ordered) {
      if (shape.size < 2)
        d.formula.fail(0, "an ordered vector needs at least two entries, as in \"mu[3]\" = \"ordered(normal(0, 10))\"");
      if (entries > 0)
        d.formula.fail(0, "the entries of an ordered vector have one prior; its arguments are single values");
      const Distribution prior = distribution(law.parts[0]);
      sign = sign_of(prior);
      add_ordered(space_, shape.name, prior, shape.size);
    } else {
      for (std::size_t k = 0; k < std::max<std::size_t>(shape.size, 1); ++k)
        sign = add_single(shape.size == 0 ? shape.name : fmt::format("{}[{}]", shape.name, shape.labels[k]),
                          vector_size(law) > 0 ? entry(law, k) : law, d.formula.text);
    }
    if (shape.size == 0) return b_.define(d.key, shape.name, Value::of(g_.parameter(first, sign)));
    Value vector{.kind = Value::vector, .data = shape.column};
    for (std::uint32_t k = 0; k < shape.size; ++k) vector.items.push_back(g_.parameter(first + k, sign));
    b_.define(d.key, shape.name, std::move(vector));
  }

  /// A parameter of its own; the sign that its values have.
  Sign add_single(const std::string& name, const Law& law, const std::string& text) {
    const Plain plain = plain_of(law);
    const auto is_simple = [&](NodeId a) { return g_.is_constant(a) || g_[a].op == Op::parameter; };
    if (std::ranges::all_of(plain.arguments, is_simple)) {
      const Distribution prior = distribution(law);
      space_.add(name, prior);
      return sign_of(prior);
    }
    for (const NodeId a : plain.arguments)
      if (g_[a].dimension != 0)
        throw InputError(
            "an argument of a prior may not change from row to row of the data; index a vector of "
            "parameters, or take its mean");
    const auto item = std::make_shared<ComputedPrior>(g_, *plain.family, plain.arguments,
                                                      static_cast<std::uint32_t>(space_.size()), text);
    ParameterSpace::Item::append(space_, {name}, item);
    return item->support().lower >= 0 ? Sign::positive : Sign::any;
  }

  static Sign sign_of(const Distribution& prior) {
    std::vector<double> values;
    for (const Argument& a : prior.arguments()) values.push_back(a.is_constant() ? a.value : std::nan(""));
    return prior.family().support(values.data()).lower >= 0 ? Sign::positive : Sign::any;
  }

  std::vector<double> concentrations(const Law& law, std::size_t size) const {
    std::vector<double> out;
    for (const NodeId a : law.arguments) {
      if (!g_.is_constant(a)) throw InputError("the concentrations of a dirichlet must be numbers");
      out.push_back(g_[a].value);
    }
    if (out.size() == 1) out.resize(size, out[0]);
    return out;
  }

  Argument argument(NodeId id) const {
    if (g_.is_constant(id)) return g_[id].value;
    if (g_[id].op == Op::parameter) return space_.names()[g_[id].which];
    throw InputError("the prior of an ordered vector takes numbers and earlier parameters, no expressions");
  }

  struct Plain {
    const Family* family = nullptr;
    std::vector<NodeId> arguments{};
  };

  Plain plain_of(const Law& law) const {
    if (law.kind == Law::truncated && law.parts[0].kind == Law::plain && law.parts[0].name == "normal") {
      const std::vector<NodeId>& inner = law.parts[0].arguments;
      return {&family("truncated-normal"),
              {inner[0], inner[1], law.lower == kNone ? g_.constant(-kInf) : law.lower,
               law.upper == kNone ? g_.constant(kInf) : law.upper}};
    }
    if (law.kind != Law::plain)
      throw InputError("this distribution cannot be a prior; 'evident models formula' lists those that can");
    if (is_discrete(law))
      throw InputError(fmt::format("'{}' is a distribution of counts; a parameter moves continuously", law.name));
    return {&family(law.name), law.arguments};
  }

  Distribution distribution(const Law& law) const {
    const Plain plain = plain_of(law);
    std::vector<Argument> arguments;
    for (const NodeId a : plain.arguments) arguments.push_back(argument(a));
    return {*plain.family, std::move(arguments)};
  }

  Builder& b_;
  Graph& g_;
  ParameterSpace& space_;
};

}  // namespace

void add_parameters(const std::vector<Definition>& parameters, Builder& builder, ParameterSpace& space) {
  for (const Definition& d : parameters) Adder(builder, space).add(d);
}

}  // namespace evident::formula
