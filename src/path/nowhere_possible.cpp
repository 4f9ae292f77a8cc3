#include "path/nowhere_possible.hpp"

#include <fmt/format.h>

namespace evident {

std::string nowhere_possible(std::size_t draws, const EvaluationCount& count) {
  const std::size_t nan = count.nan, total = count.total;
  if (nan == 0)
    return fmt::format("the likelihood is zero (log likelihood -inf) at all {} draws from the prior", draws);
  if (nan == total) return fmt::format("the log likelihood is NaN at all {} draws from the prior", draws);
  return fmt::format("the log likelihood is NaN or -inf at all {} draws from the prior: NaN in {} of {} evaluations",
                     draws, nan, total);
}

}  // namespace evident
