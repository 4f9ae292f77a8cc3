// The published simulated curve, when its files are at hand.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "models/pet/convolution_table.hpp"
#include "support/data_path.hpp"

namespace evident::testing {

struct PublishedPet {
  std::vector<double> blood_time, blood_activity;
  PetFrames frames;
  std::vector<double> activity;
};

inline std::vector<std::vector<double>> read_columns(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line, cell;
  std::vector<std::vector<double>> columns;
  std::getline(in, line);  // names
  while (std::getline(in, line)) {
    std::stringstream cells(line);
    for (std::size_t j = 0; std::getline(cells, cell, ','); ++j) {
      if (columns.size() <= j) columns.emplace_back();
      columns[j].push_back(std::stod(cell));
    }
  }
  return columns;
}

inline std::optional<PublishedPet> published_pet() {
  const auto folder = test::shared_data("pet");
  if (!folder) return {};
  const auto blood = read_columns(*folder / "plasma-input.csv");
  const auto curve = read_columns(*folder / "time-activity.csv");
  return PublishedPet{blood.at(0), blood.at(1), {curve.at(0), curve.at(1)}, curve.at(2)};
}

}  // namespace evident::testing
