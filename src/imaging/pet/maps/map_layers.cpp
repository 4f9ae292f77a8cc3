#include "imaging/pet/maps/map_layers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/statistics.hpp"

namespace evident::imaging {
namespace {

using Json = nlohmann::ordered_json;

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = three << 8U | (i + j < bytes.size() ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) out += i + j > bytes.size() ? '=' : kDigits[three >> (18U - 6U * j) & 63U];
  }
  return out;
}

/// Lowest and highest value but for the outer hundredths, which are often voxels at the edge of the mask.
std::array<double, 2> range_of(const FitTable& table, std::size_t column) {
  std::vector<double> values;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (std::isfinite(table.row(i)[column])) values.push_back(table.row(i)[column]);
  if (values.empty()) return {0, 1};
  const std::vector<double> ends = weighted_quantiles(values, std::vector(values.size(), 1.0), std::array{0.01, 0.99});
  return {ends[0], ends[1] > ends[0] ? ends[1] : ends[0] + 1};
}

std::string layer_bytes(const PetPlan& plan, const FitTable& table, const MapBox& box, std::size_t column, bool label,
                        std::array<double, 2> range) {
  std::vector<std::uint8_t> bytes(box.shape[0] * box.shape[1] * box.shape[2]);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const float value = table.row(i)[column];
    if (!std::isfinite(value)) continue;
    std::array<std::size_t, 3> at = voxel_of(plan, i);
    bool shown = true;
    for (std::size_t a = 0; a < 3; ++a) {
      at[a] -= box.first[a];
      shown = shown && at[a] % box.step == 0;
      at[a] /= box.step;
    }
    if (!shown) continue;
    const double scaled = std::clamp((value - range[0]) / (range[1] - range[0]), 0.0, 1.0);
    const double byte = label ? static_cast<double>(value) : 1 + std::round(254 * scaled);
    bytes[at[0] + box.shape[0] * (at[1] + box.shape[1] * at[2])] = static_cast<std::uint8_t>(byte);
  }
  return base64(bytes);
}

}  // namespace

std::array<std::size_t, 3> voxel_of(const PetPlan& plan, std::size_t curve) {
  const auto& shape = plan.geometry.shape;
  const std::size_t index = plan.curves.index[curve];
  return {index % shape[0], index / shape[0] % shape[1], index / (shape[0] * shape[1])};
}

MapBox map_box(const PetPlan& plan) {
  constexpr std::size_t kMost = 1200000;  // voxels a layer; more would make a report that opens slowly
  std::array<std::size_t, 3> low = plan.geometry.shape, high{};
  for (std::size_t i = 0; i < plan.curves.size(); ++i) {
    const auto at = voxel_of(plan, i);
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], at[a]);
      high[a] = std::max(high[a], at[a] + 1);
    }
  }
  MapBox box{.first = low};
  do {
    for (std::size_t a = 0; a < 3; ++a) box.shape[a] = (high[a] - low[a] + box.step - 1) / box.step;
  } while (box.shape[0] * box.shape[1] * box.shape[2] > kMost && ++box.step > 0);
  return box;
}

Json map_layers(const PetPlan& plan, const FitTable& table) {
  const MapBox box = map_box(plan);
  Json out;
  out["shape"] = box.shape;
  out["first"] = box.first;
  out["step"] = box.step;
  for (std::size_t a = 0; a < 3; ++a) {
    double square = 0;
    for (std::size_t r = 0; r < 3; ++r) square += plan.geometry.affine[r][a] * plan.geometry.affine[r][a];
    out["voxel_mm"].push_back(std::sqrt(square) * static_cast<double>(box.step));
  }
  const auto add = [&](const char* name, const std::string& label, const std::string& unit, std::size_t column,
                       bool is_label, std::array<double, 2> range) {
    Json layer{{"name", name}, {"label", label}, {"kind", is_label ? "labels" : "values"}, {"unit", unit}};
    if (is_label)
      for (int m = 1; m <= 3; ++m) layer["labels"].push_back(std::to_string(m) + "TCM");
    layer["min"] = range[0];
    layer["max"] = range[1];
    layer["bytes"] = layer_bytes(plan, table, box, column, is_label, range);
    out["layers"].push_back(std::move(layer));
  };
  add("order", "Most probable model", "", FitColumns::kOrder, true, {0, 255});
  const auto values = [&](const char* name, const std::string& label, const std::string& model,
                          const std::string& measure) {
    const std::size_t column = table.columns.find(model, measure);
    add(name, label, table.columns.all()[column].unit, column, false, range_of(table, column));
  };
  values("VT", "V_T, averaged over the models", "BMA", "VT");
  values("VTsd", "V_T, standard deviation", "BMA", "VTsd");
  values("K1", "K1, averaged over the models", "BMA", "K1");
  for (const std::string& m : plan.model_names())
    add(("p" + m).c_str(), "Probability of " + m, "", table.columns.find(m, "postprob"), false, {0, 1});
  return out;
}

}  // namespace evident::imaging
