#include <algorithm>
#include <cmath>

#include "compare/model_check_parts.hpp"
#include "model/explains_nan.hpp"
#include "path/place.hpp"

namespace evident {
namespace {

constexpr std::size_t kMostPlaces = 4;

}  // namespace

void look_for_nan(const Model& model, ConstBlock theta, std::span<const double> log_likelihood, NanOfPrior& found) {
  found.draws += log_likelihood.size();
  const auto* explains = dynamic_cast<const ExplainsNan*>(&model);
  for (std::size_t i = 0; i < log_likelihood.size(); ++i) {
    if (!std::isnan(log_likelihood[i])) continue;
    ++found.nan;
    if (found.places.size() == kMostPlaces) continue;
    NanPlace place;
    for (std::size_t j = 0; j < theta.rows(); ++j) place.at.push_back(theta(j, i));
    if (explains != nullptr) place.why = explains->why_nan(place.at);
    const bool is_first_told =
        !place.why.empty() && std::ranges::all_of(found.places, [](const NanPlace& p) { return p.why.empty(); });
    if (found.places.empty() || is_first_told) found.shown = nan_text(model, place.at);
    found.places.push_back(std::move(place));
  }
}

}  // namespace evident
