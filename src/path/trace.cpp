#include "evident/path/trace.hpp"

namespace evident {

std::size_t Trace::resamplings() const {
  std::size_t count = 0;
  for (const Step& s : steps) count += s.resampled ? 1 : 0;
  return count;
}

double Trace::mean_acceptance() const {
  double sum = 0;
  for (std::size_t t = 1; t < steps.size(); ++t) sum += steps[t].acceptance;
  return steps.size() > 1 ? sum / static_cast<double>(steps.size() - 1) : 0;
}

}  // namespace evident
