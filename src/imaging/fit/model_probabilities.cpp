#include "imaging/fit/model_probabilities.hpp"

#include <cmath>
#include <cstddef>

#include "evidence/probabilities.hpp"

namespace evident::imaging {

// Three points of Gauss and Hermite for each model.
void assign_probabilities(std::vector<ModelFit>& models) {
  constexpr double kNode = 1.7320508075688772, kMiddle = 2.0 / 3, kSide = 1.0 / 6;
  std::vector<ModelFit*> known;
  std::size_t points = 1;
  for (ModelFit& m : models) {
    m.probability = 0;
    if (!std::isfinite(m.log_evidence)) continue;
    known.push_back(&m);
    points *= 3;
  }
  std::vector<double> logs(known.size());
  for (std::size_t point = 0; point < points && !known.empty(); ++point) {
    double weight = 1;
    for (std::size_t k = 0, left = point; k < known.size(); ++k, left /= 3) {
      const double error = std::isfinite(known[k]->log_evidence_se) ? known[k]->log_evidence_se : 0.0;
      logs[k] = known[k]->log_evidence + (static_cast<double>(left % 3) - 1) * kNode * error;
      weight *= left % 3 == 1 ? kMiddle : kSide;
    }
    const double total = log_sum_exp(logs);
    for (std::size_t k = 0; k < known.size(); ++k) known[k]->probability += weight * std::exp(logs[k] - total);
  }
  double sum = 0;
  for (const ModelFit* m : known) sum += m->probability;
  for (ModelFit& m : models) m.probability = known.empty() ? kNaN : m.probability / sum;
}

}  // namespace evident::imaging
