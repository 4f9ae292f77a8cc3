// Group means around a common one: mu ~ N(0, mean_sd^2), tau, group_j ~ N(mu, tau^2), y_j ~ N(group_j, errors_j^2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problems/problems.hpp"

namespace evident::problems {

struct Groups {
  std::vector<double> y, errors;
  double mean_sd;
  Distribution tau_prior;
};

/// The parameters as above, mu and tau first. Has a gradient.
Problem centred_groups(const std::string& name, const Groups& groups);
/// A hundred of them, drawn for each instance.
Problem hundred_groups(std::uint64_t instance);

}  // namespace evident::problems
