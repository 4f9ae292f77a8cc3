// The [[model]] tables of a study, checked but not yet built.
#pragma once

#include <string>
#include <vector>

#include "study/kinds.hpp"

namespace evident::study {

/// A model whose table was checked, but that is not built yet.
struct Draft {
  Section section;
  const Kind* kind;
  std::string name;
  double weight;
};

/// The kind that a [[model]] or [family] names. Throws InputError with the nearest name.
const Kind& read_kind(const Section& section);
/// Throws InputError when there is none, or when names, kinds or weights are wrong.
std::vector<Draft> read_drafts(const Section& root);
/// Keeps the models that are named; none means all.
void keep_only(const std::vector<std::string>& wanted, std::vector<Draft>& drafts, const std::string& file);

}  // namespace evident::study
