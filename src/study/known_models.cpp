#include "evident/study/known_models.hpp"

#include <set>

namespace evident::study {

std::vector<Candidate> known_models(const Study& study, const Comparison& result) {
  std::vector<Candidate> out = study.candidates();
  if (!out.empty() || !study.family) return out;
  constexpr ModelIndex kMostTried = 4096;
  const std::shared_ptr<const ModelFamily> family = study.family->family;
  std::set<std::string> wanted;
  for (const ModelResult& m : result.models) wanted.insert(m.name);
  const auto add = [&](ModelIndex k, const std::string& name) {
    if (family->prior().has(k) && wanted.erase(name) > 0)
      out.push_back({name, 1, std::shared_ptr<const Model>(family, &family->model(k))});
  };
  for (const auto& [k, name] : study.family->listed) add(k, name);
  for (ModelIndex k = 0; k < kMostTried && !wanted.empty(); ++k)
    if (family->prior().has(k)) add(k, family->name(k));
  return out;
}

}  // namespace evident::study
