#include <fmt/format.h>

#include <algorithm>

#include "imaging/pet/fit/run.hpp"
#include "report/text.hpp"

namespace evident::imaging {

std::string pet_summary(const PetPlan& plan, const FitTable& table) {
  const char* what = plan.is_image() ? "voxels" : "regions";
  const char* one = plan.is_image() ? "voxel" : "region";
  const std::size_t fitted = table.count(kFitted);
  std::string out = fmt::format("{} of {} {} fitted.\n", fitted, table.size(), table.size() == 1 ? one : what);
  const std::size_t width = 8;
  out += fmt::format("\n{:<{}} {:>12} {:>18}\n", "model", width, "best in", "mean probability");
  for (std::size_t m = 0; m < plan.models.size(); ++m) {
    std::size_t best = 0;
    double sum = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if ((table.status(i) & kFitted) == 0) continue;
      best += table.row(i)[FitColumns::kOrder] == static_cast<float>(plan.models[m].compartments) ? 1 : 0;
      sum += table.row(i)[table.columns.find(table.columns.name(m), "postprob")];
    }
    out += fmt::format("{:<{}} {:>12} {:>18.3f}\n", table.columns.name(m), width,
                       fmt::format("{} {}", best, best == 1 ? one : what),
                       fitted > 0 ? sum / static_cast<double>(fitted) : 0.0);
  }
  std::string odd;
  for (const StatusBit& s : status_bits())
    if (const std::size_t n = table.count(s.bit); s.bit != kFitted && n > 0)
      odd += fmt::format("  {} {}: {}\n", n, n == 1 ? one : what, s.meaning);
  return odd.empty() ? out : out + "\n" + odd;
}

std::string regions_table(const PetPlan& plan, const FitTable& table) {
  std::size_t width = 6;
  for (const std::string& r : plan.regions)
    width = std::max(width, std::min<std::size_t>(30, report::display_width(r)));
  std::string out = report::fitted("region", width) + "  best";
  for (const std::string& m : plan.model_names()) out += fmt::format("  {:>7}", "P(" + m.substr(0, 1) + ")");
  out += fmt::format("  {:>16}  {:>8}\n", "V_T", "K1");
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto value = [&](const std::string& model, const char* measure) {
      return table.row(i)[table.columns.find(model, measure)];
    };
    const auto order = static_cast<int>(table.row(i)[FitColumns::kOrder]);
    out += report::fitted(report::printable(plan.regions[i]), width) +
           fmt::format("  {:>4}", order > 0 ? fmt::format("{}TCM", order) : "-");
    for (const std::string& m : plan.model_names()) out += fmt::format("  {:>7.3f}", value(m, "postprob"));
    out += fmt::format("  {:>8.3f} \u00b1{:>6.3f}  {:>8.4f}\n", value("BMA", "VT"), value("BMA", "VTsd"),
                       value("BMA", "K1"));
  }
  return out;
}

}  // namespace evident::imaging
