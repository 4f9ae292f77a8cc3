#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/statistics.hpp"
#include "imaging/pet/maps/outputs.hpp"

namespace evident::imaging {
namespace {

std::string number(double v) { return std::isfinite(v) ? fmt::format("{:.6g}", v) : "n/a"; }

/// A name may hold anything but what separates cells.
std::string cell(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string curves_tsv(const PetPlan& plan, const FitTable& table) {
  std::string out = "region";
  for (const FitColumn& c : table.columns.all()) out += "\t" + c.model + (c.model.empty() ? "" : "_") + c.measure;
  out += "\n";
  for (std::size_t i = 0; i < table.size(); ++i) {
    out += cell(plan.regions[i]);
    for (const float v : table.row(i)) out += "\t" + number(v);
    out += "\n";
  }
  return out;
}

std::string atlas_tsv(const PetPlan& plan, const FitTable& table) {
  std::string out = "region\tvoxels\tVT\tVTsd";
  for (const std::string& name : plan.model_names()) out += "\t" + name + "_share";
  out += "\n";
  for (const RegionMean& r : region_means(plan, table)) {
    out += fmt::format("{}\t{}\t{}\t{}", cell(r.name), r.voxels, number(r.vt), number(r.vt_sd));
    for (const double share : r.order_shares) out += "\t" + number(share);
    out += "\n";
  }
  return out;
}

}  // namespace

std::vector<RegionMean> region_means(const PetPlan& plan, const FitTable& table) {
  std::vector<RegionMean> out;
  const std::map<std::int32_t, std::string>& names = plan.label_names;
  const std::size_t vt = table.columns.find("BMA", "VT");
  for (const std::int32_t label : plan.atlas.present) {
    const auto known = names.find(label);
    RegionMean r{.name = known == names.end() ? fmt::format("label {}", label) : known->second,
                 .order_shares = std::vector<double>(plan.models.size())};
    std::vector<double> volumes;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (plan.atlas.values[plan.curves.index[i]] != label || (table.status(i) & kFitted) == 0) continue;
      volumes.push_back(table.row(i)[vt]);
      for (std::size_t k = 0; k < plan.models.size(); ++k)
        if (static_cast<float>(plan.models[k].compartments) == table.row(i)[FitColumns::kOrder]) r.order_shares[k] += 1;
    }
    r.voxels = volumes.size();
    r.vt = volumes.empty() ? kNaN : mean(volumes);
    r.vt_sd = standard_deviation(volumes);
    for (double& s : r.order_shares) s /= static_cast<double>(r.voxels);
    out.push_back(std::move(r));
  }
  return out;
}

std::string regions_tsv(const PetPlan& plan, const FitTable& table) {
  return plan.is_image() ? atlas_tsv(plan, table) : curves_tsv(plan, table);
}

}  // namespace evident::imaging
