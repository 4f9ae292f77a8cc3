#include "evident/path/trace.hpp"

namespace evident {

// Of r possible among n draws the relative variance is 1/r - 1/n. The run sees r among its N particles: 1/r - 1/N.
double FirstDraws::hidden_variance(std::size_t particles) const {
  if (made <= particles) return 0;
  return 1 / static_cast<double>(particles) - 1 / static_cast<double>(made);
}

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
