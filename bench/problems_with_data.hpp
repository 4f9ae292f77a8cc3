// Problems on the data of the paper, for benches; left out when the data are not there.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "evident/models/goodwin/goodwin.hpp"
#include "evident/models/mixture/gaussian_mixture.hpp"
#include "evident/models/pet/compartments.hpp"
#include "evident/study/table.hpp"
#include "problems/problems.hpp"

namespace evident::bench {

/// Evidences are known from grids, importance sampling and long runs: PET with one compartment to 1e-4, the others to
/// 0.001 (PET), 0.003 (mixture) and 0.02 (Goodwin).
inline std::vector<problems::Problem> problems_with_data(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<problems::Problem> out;
  if (fs::exists(folder + "/pet/time-activity.csv")) {
    const auto curve = study::Table::read(folder + "/pet/time-activity.csv");
    const auto plasma = study::Table::read(folder + "/pet/plasma-input.csv");
    const PetInput input(plasma.numbers("time"), plasma.numbers("CP"));
    const PetFrames frames{curve.numbers("time"), curve.numbers("dt")};
    const auto pet = [&](std::size_t m) {
      return std::make_shared<PetCompartments>(zhou2013_n(m), input, frames, curve.numbers("y"));
    };
    out.push_back({"PET, 1 compartment", pet(1), -40.8739});
    out.push_back({"PET, 2 compartments", pet(2), -39.187});
  }
  if (fs::exists(folder + "/gmm/observations.csv"))
    out.push_back(
        {"mixture, 4 components",
         std::make_shared<GaussianMixture>(GaussianMixtureOptions{.components = 4, .labels = MixtureLabels::ordered},
                                           study::Table::read(folder + "/gmm/observations.csv").numbers("y")),
         -247.887});
  if (fs::exists(folder + "/goodwin/simple.csv")) {
    const auto table = study::Table::read(folder + "/goodwin/simple.csv");
    const GoodwinData data{table.numbers("time"), {0, 1}, {table.numbers("x1"), table.numbers("x2")}};
    out.push_back({"Goodwin, 3 components", std::make_shared<Goodwin>(data, GoodwinOptions{.components = 3}), -5.2176});
  }
  if (out.size() < 4) std::printf("some data are not in '%s': their problems are left out\n\n", folder.c_str());
  return out;
}

}  // namespace evident::bench
