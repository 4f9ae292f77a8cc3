// Problems on the data of the paper, for benches; left out when the data are not there.
//
//   for (Problem& p : bench::problems_with_data(bench::data_folder())) all.push_back(std::move(p));
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "problems/registry.hpp"

namespace evident::bench {

/// The folder that EVIDENT_DATA names; empty when it names none.
inline std::string data_folder() {
  const char* named = std::getenv("EVIDENT_DATA");
  return named != nullptr ? named : "";
}

/// Those whose evidence is known well enough to measure errors against.
inline std::vector<problems::Problem> problems_with_data(const std::string& folder) {
  const std::vector<std::string_view> names = {"PET, 1 compartment", "PET, 2 compartments", "mixture, 4 components",
                                               "Goodwin, 3 components"};
  if (folder.empty()) {
    std::printf("no folder of data is named (EVIDENT_DATA): problems with data are left out\n\n");
    return {};
  }
  auto out = problems::problems_with_data(folder, names);
  if (out.size() < names.size())
    std::printf("some data are not in '%s': their problems are left out\n\n", folder.c_str());
  return out;
}

}  // namespace evident::bench
