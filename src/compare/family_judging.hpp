// Judges the models that one run on their union serves.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "compare/model_runs.hpp"

namespace evident {

/// A model of a family, with what each run on the union says of it.
struct ModelOfUnion {
  ModelIndex index = 0;
  std::string name;
  std::vector<runs::Finished> finished = {};
  std::optional<Scouted> modes = {};       ///< that were looked for after the runs
  std::optional<JudgedModel> judged = {};  ///< nothing where too few particles ended

  double particles() const;  ///< of all runs, that ended here
};

/// Has those judged that enough particles of the islands ended in. The modes of each are looked for, and nested
/// sampling is asked, as for any model. `runs` are those on the union.
void judge_family(const ModelFamily& family, const CompareOptions& options, std::span<const Replicate> runs,
                  std::vector<ModelOfUnion>& models, const std::stop_token& stop);

/// Why a model was not judged after islands.
std::string few_particles_text(const ModelOfUnion& model, std::size_t particles);

}  // namespace evident
