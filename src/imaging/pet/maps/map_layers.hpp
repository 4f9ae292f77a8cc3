// Maps of an image as bytes for the report's viewer.
#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "imaging/fit/fit_table.hpp"
#include "imaging/pet/fit/plan.hpp"

namespace evident::imaging {

/// The voxels of the report: the box around the mask, and thinned when it is large.
struct MapBox {
  std::array<std::size_t, 3> first{}, shape{};
  std::size_t step = 1;
};
MapBox map_box(const PetPlan& plan);

/// Shape, voxel size and layers: best model, V_T, K1 and the probability of each model.
nlohmann::ordered_json map_layers(const PetPlan& plan, const FitTable& table);

/// Where a voxel lies in the image.
std::array<std::size_t, 3> voxel_of(const PetPlan& plan, std::size_t curve);

}  // namespace evident::imaging
