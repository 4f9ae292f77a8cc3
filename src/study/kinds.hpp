// Kinds of models that a study can name, and the fields that each of them takes.
//
//   [[model]]
//   name = "three"
//   kind = "gaussian-mixture"     # the kind
//   components = 3                # one of its fields
//
// A new kind is one file in src/study/kinds and one line in registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "evident/compare/compare.hpp"
#include "evident/model/model.hpp"
#include "study/data_files.hpp"
#include "study/section.hpp"

namespace evident::study {

/// A field of a kind, as the manual shows it.
struct Field {
  std::string_view name;
  std::string_view type;      ///< "whole number", "list of numbers", "file", ...
  std::string_view fallback;  ///< the default, as text; empty when the field is required
  std::string_view meaning;
};

/// Standard deviation of the proposal of coordinate j at alpha, for scale_rule = "manual".
using ManualScale = std::function<double(std::size_t j, double alpha)>;

/// A [[model]] that is to be one of a family.
struct ListedModel {
  Section section;
  std::string name;
  double weight;
};

/// Jumps between the models of a kind, for the methods that run on the union of the models.
struct FamilyKind {
  std::string_view varying;       ///< the one field in which the models of a family differ
  std::span<const Field> fields;  ///< fields of [family] that [[model]] does not have, or has with another meaning
  /// The family of the listed models, which differ in `varying` alone. Throws InputError.
  FamilyCandidate (*from_models)(std::span<const ListedModel> models, DataFiles& files);
  /// The family of a [family] table. Throws InputError.
  FamilyCandidate (*from_table)(const Section& section, DataFiles& files);
};

struct Kind {
  std::string_view name;
  std::string_view summary;
  std::span<const Field> fields;
  /// Builds the model from the [[model]] table and the data. Throws InputError.
  std::shared_ptr<const Model> (*make)(const Section& section, DataFiles& files);
  /// Hand-set proposal scales of the model that `make` built; null when the kind defines none.
  ManualScale (*manual_scale)(const Section& section, const Model& model) = nullptr;
  /// Null when there are no jumps between models of this kind.
  const FamilyKind* family = nullptr;
  /// `make` runs code of the user.
  bool runs_code = false;
};

/// All kinds, in the order of the documentation.
std::span<const Kind* const> kinds();
/// Null when there is none of that name.
const Kind* find_kind(std::string_view name);
/// The names of all kinds.
std::span<const std::string_view> kind_names();

}  // namespace evident::study
