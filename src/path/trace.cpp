#include "evident/path/trace.hpp"

namespace evident {

std::size_t Trace::resamplings() const {
  std::size_t count = 0;
  for (const Step& s : steps) count += s.resampled ? 1 : 0;
  return count;
}

double Trace::mean_acceptance() const {
  double sum = 0;
  std::size_t moves = 0;
  for (std::size_t t = 1; t < steps.size(); ++t) {
    if (steps[t].evaluations == 0 && steps[t].acceptance == 0) continue;  // a step that moved nothing
    sum += steps[t].acceptance;
    ++moves;
  }
  return moves > 0 ? sum / static_cast<double>(moves) : 0;
}

}  // namespace evident
