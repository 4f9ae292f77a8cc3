// Problems whose data lie in a folder beside the project.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "evident/models/mixture/gaussian_mixture.hpp"
#include "evident/models/pet/compartments.hpp"
#include "evident/study/table.hpp"
#include "problems/problems.hpp"

namespace evident::problems {

/// Their evidences are known from long runs and other methods, to 0.02.
inline std::vector<Problem> with_data(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<Problem> out;
  if (fs::exists(folder + "/pet/time-activity.csv")) {
    const auto curve = study::Table::read(folder + "/pet/time-activity.csv");
    const auto plasma = study::Table::read(folder + "/pet/plasma-input.csv");
    const PetInput input(plasma.numbers("time"), plasma.numbers("CP"));
    const PetFrames frames{curve.numbers("time"), curve.numbers("dt")};
    out.push_back({"PET, 2 compartments",
                   std::make_shared<PetCompartments>(zhou2013_n(2), input, frames, curve.numbers("y")), -39.19});
  }
  if (fs::exists(folder + "/gmm/observations.csv"))
    out.push_back({"mixture, 4 components",
                   std::make_shared<GaussianMixture>(GaussianMixtureOptions{.components = 4},
                                                     study::Table::read(folder + "/gmm/observations.csv").numbers("y")),
                   -247.887});
  if (out.size() < 2) std::printf("some data are not in '%s': their problems are left out\n\n", folder.c_str());
  return out;
}

}  // namespace evident::problems
