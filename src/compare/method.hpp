// The methods of model comparison, and what each declares of itself.
//
//   for (const MethodInfo& m : methods()) std::puts(m.name);
//   Method method = find_method("all-in-one");
#pragma once

#include <span>
#include <string_view>

#include "evident/compare/compare.hpp"

namespace evident {

/// Whether a method has a strength.
enum class Strength { no, partly, yes };

/// What a method says of itself, declared beside the code that runs it (src/compare/runs).
struct MethodInfo {
  Method method;
  std::string_view name;     ///< as in --method
  std::string_view title;    ///< "Direct evidence (SMC2)"
  std::string_view summary;  ///< one line
  bool union_of_models;      ///< one run for all the models; needs jumps between them
  // The paper's strengths.
  bool countable;       ///< can deal with a countable set of models
  bool between_models;  ///< can exploit relations between models
  bool improbable;      ///< characterises improbable models
  bool no_pairs;        ///< needs no reversible pairs of moves
  bool no_mixing;       ///< needs no mixing between models
  Strength parallel;    ///< runs in parallel without ado
  bool no_ergodicity;   ///< does not rest on ergodicity
  /// Why nothing can be said of its evidences where its runs are no islands; empty: they are judged all the same.
  std::string_view unjudged = {};
};

/// One of the strengths: its words, its name in documents, and whether a method has it.
struct StrengthRow {
  std::string_view title, key;
  Strength (*of)(const MethodInfo& info);
};
std::span<const StrengthRow> strengths();

/// All methods, in the order of the documentation.
std::span<const MethodInfo> methods();
const MethodInfo& info(Method method);

}  // namespace evident
