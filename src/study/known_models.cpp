#include "study/known_models.hpp"

namespace evident::study {

std::vector<Candidate> known_models(const Study& study, const Comparison& result) {
  std::vector<Candidate> out = study.candidates();
  if (!out.empty() || !study.family) return out;
  const std::shared_ptr<const ModelFamily> family = study.family->family;
  for (const ModelResult& m : result.models)
    if (m.index) out.push_back({m.name, 1, std::shared_ptr<const Model>(family, &family->model(*m.index))});
  return out;
}

}  // namespace evident::study
