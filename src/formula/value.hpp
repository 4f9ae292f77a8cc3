// What a part of a formula can be: a value, a vector of values, a column of the data, or a distribution.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evident/formula/model.hpp"
#include "formula/graph.hpp"
#include "formula/law.hpp"

namespace evident::formula {

struct Value {
  enum Kind : std::uint8_t { scalar, vector, column, law } kind = scalar;
  NodeId node = kNone;           ///< of a scalar, or of a column of numbers
  std::vector<NodeId> items{};   ///< of a vector
  const Column* data = nullptr;  ///< of a column; of a vector, whose categories its entries are, if any
  std::shared_ptr<const Law> distribution{};

  static Value of(NodeId id) { return {.kind = scalar, .node = id}; }
  static Value of(std::vector<NodeId> list) { return {.kind = vector, .items = std::move(list)}; }
};

/// "a vector of 3", "a distribution", for messages.
std::string described(const Value& value);

/// The categories of a column: sorted, and for each row which one it is.
struct Categories {
  std::vector<std::string> labels;
  std::vector<std::uint32_t> codes;
};
Categories categories_of(const Column& column);

}  // namespace evident::formula
