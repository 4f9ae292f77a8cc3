// The lines of the algorithms on unions of models.
#pragma once

#include <cstdint>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/path/target.hpp"
#include "evident/path/trace.hpp"
#include "evident/smc/sampler.hpp"
#include "particles/union_population.hpp"
#include "smc/steps.hpp"

namespace evident {

/// Keys for particles (see particles/union_population.hpp).
std::vector<std::uint64_t> random_keys(std::size_t n, const Context& context, std::uint32_t step);
/// Models from their prior, parameters from the priors of the models.
UnionPopulation draw_initial(const ModelFamily& family, const SmcOptions& options, const Context& context,
                             EvaluationCount& count);
double choose_alpha(const Schedule& schedule, ScheduleView where, const UnionPopulation& x);
Step reweight(UnionPopulation& x, double alpha, double next);
bool resample_if_needed(const ModelFamily& family, UnionPopulation& x, const SmcOptions& options,
                        const Context& context, std::uint32_t step);

}  // namespace evident
