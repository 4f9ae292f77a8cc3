// How heavy the tail of importance weights is: the shape k of the generalised Pareto distribution fitted to the largest
// of them (Zhang and Stephens 2009; Vehtari et al. 2024). Above 0.7 an importance estimate cannot be relied on.
#pragma once

#include <span>

namespace evident {

/// `log_weights` may hold -inf. Infinite when too few weights are positive to tell.
double pareto_shape(std::span<const double> log_weights);

}  // namespace evident
