#include "compare/recipe.hpp"

#include "base/option.hpp"
#include "evident/base/error.hpp"

namespace evident {

Recipe find_recipe(std::string_view name) {
  if (name == "islands") return Recipe::islands;
  if (name == "adaptive") return Recipe::adaptive;
  throw InputError(option("recipe") + " must be islands or adaptive, was '" + std::string(name) + "'");
}

CompareOptions default_options(Method method, Recipe recipe) {
  CompareOptions out{.method = method};
  if (recipe == Recipe::adaptive || !out.with_islands()) out.islands = 0;
  out.smc = out.sampler();
  return out;
}

SmcOptions CompareOptions::sampler() const {
  if (smc) return *smc;
  return with_islands() ? frozen_defaults() : SmcOptions{};
}

void check_goal(const CompareOptions& options, const std::string& to_remove) {
  check(options.goal);
  if (!options.goal.asked()) return;
  if (options.method != Method::direct || !options.with_islands() || options.islands < 2)
    throw InputError("precision, decide and time need islands, 2 or more; remove " + to_remove);
}

}  // namespace evident
