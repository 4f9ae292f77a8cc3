// Problems on the data of the paper, for benches; left out when the data are not there.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "problems/registry.hpp"

namespace evident::bench {

/// Those whose evidence is known well enough to measure errors against.
inline std::vector<problems::Problem> problems_with_data(const std::string& folder) {
  const std::vector<std::string_view> names = {"PET, 1 compartment", "PET, 2 compartments", "mixture, 4 components",
                                               "Goodwin, 3 components"};
  auto out = problems::problems_with_data(folder, names);
  if (out.size() < names.size())
    std::printf("some data are not in '%s': their problems are left out\n\n", folder.c_str());
  return out;
}

}  // namespace evident::bench
