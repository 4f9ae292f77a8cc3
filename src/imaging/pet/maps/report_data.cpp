#include "imaging/pet/maps/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/statistics.hpp"
#include "base/version.hpp"
#include "imaging/pet/fit/run.hpp"
#include "imaging/pet/maps/map_layers.hpp"
#include "report/html.hpp"

namespace evident::imaging {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const auto& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(std::isfinite(v) ? Json(v) : Json());
  return out;
}

Json input_json(const InputFunction& input) {
  Json out{{"time", numbers(input.time)}, {"plasma", numbers(input.plasma)}};
  if (input.blood_time == input.time) out["whole_blood"] = numbers(input.blood);
  const auto samples = [&](const BloodSeries& s, const char* kind) {
    for (std::size_t i = 0; i < s.size(); ++i)
      out["samples"].push_back({{"time", s.time[i]}, {"value", s.value[i]}, {"kind", kind}});
  };
  samples(input.plasma_samples, "plasma");
  samples(input.blood_samples, "whole blood");
  return out;
}

Json frames_json(const PetPlan& plan) {
  const ScanTiming& t = plan.scan.timing;
  Json out{{"start", numbers(t.start)}, {"duration", numbers(t.duration)}, {"mid", Json::array()}};
  for (std::size_t i = 0; i < t.size(); ++i) out["mid"].push_back(t.middle(i));
  return out;
}

Json model_json(const std::string& name, const FitTable& table, std::size_t row, std::span<const float> prediction) {
  const auto value = [&](const char* measure) {
    const double v = table.row(row)[table.columns.find(name, measure)];
    return std::isfinite(v) ? Json(v) : Json();
  };
  return {{"name", name},
          {"probability", value("postprob")},
          {"log_evidence", value("logZ")},
          {"log_evidence_se", value("logZse")},
          {"VT", value("VT")},
          {"VT_sd", value("VTsd")},
          {"fit", numbers(prediction)}};
}

Json curve_models(const PetPlan& plan, const FitTable& table, const KeptCurve& kept) {
  Json out = Json::array();
  for (std::size_t m = 0; m < plan.models.size(); ++m)
    out.push_back(model_json(table.columns.name(m), table, kept.number, kept.predictions[m]));
  return out;
}

Json mean_json(const PetPlan& plan, const CurveFit& fit) {
  FitTable one{plan.columns(), {}};
  one.values = one.columns.row(fit);
  KeptCurve kept{0, {}};
  for (const ModelFit& m : fit.models) kept.predictions.emplace_back(m.prediction.begin(), m.prediction.end());
  return {{"activity", numbers(plan.mean_curve)}, {"models", curve_models(plan, one, kept)}};
}

Json curves_json(const PetPlan& plan, const FitResults& results) {
  Json out = Json::array();
  const FitTable& table = results.table;
  const MapBox box = plan.is_image() ? map_box(plan) : MapBox{};
  for (const KeptCurve& kept : results.kept) {
    const auto order = static_cast<std::size_t>(table.row(kept.number)[FitColumns::kOrder]);
    Json c{{"activity", numbers(plan.curves.curve(kept.number))}, {"models", curve_models(plan, table, kept)}};
    if (order > 0) c["best"] = fmt::format("{}TCM", order);
    if (plan.is_image()) {
      const auto at = voxel_of(plan, kept.number);
      c["label"] = fmt::format("voxel {}, {}, {}", at[0], at[1], at[2]);
      c["voxel"] = {(at[0] - box.first[0]) / box.step, (at[1] - box.first[1]) / box.step,
                    (at[2] - box.first[2]) / box.step};
    } else {
      c["label"] = c["region"] = plan.regions[kept.number];
    }
    out.push_back(std::move(c));
  }
  return out;
}

/// (data - fit) in units of the noise model, scaled so that a curve's residuals have a mean square of 1.
std::vector<double> standardised(const PetFrames& frames, std::span<const double> y, std::span<const float> fit) {
  std::vector<double> r(y.size());
  double squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    r[i] = (y[i] - fit[i]) * std::sqrt(frames.dt[i] / std::max<double>(fit[i], 1e-12));
    squares += r[i] * r[i] / static_cast<double>(y.size());
  }
  for (double& v : r) v /= std::sqrt(squares);
  return r;
}

Json residuals_json(const PetPlan& plan, const CurveSetup& setup, const FitResults& results) {
  Json out = Json::array();
  for (std::size_t m = 0; m < plan.models.size(); ++m) {
    std::vector<std::vector<double>> by_frame(plan.curves.frames);
    for (const KeptCurve& kept : results.kept) {
      if (kept.predictions[m].empty()) continue;
      const auto r = standardised(setup.frames, plan.curves.curve(kept.number), kept.predictions[m]);
      for (std::size_t f = 0; f < r.size(); ++f) by_frame[f].push_back(r[f]);
    }
    if (by_frame.front().empty()) continue;
    std::vector<double> means, low, high;
    for (const std::vector<double>& v : by_frame) {
      const std::vector<double> ends = weighted_quantiles(v, std::vector(v.size(), 1.0), std::array{0.05, 0.95});
      means.push_back(mean(v));
      low.push_back(ends[0]);
      high.push_back(ends[1]);
    }
    out.push_back(
        {{"name", plan.columns().name(m)}, {"mean", numbers(means)}, {"q05", numbers(low)}, {"q95", numbers(high)}});
  }
  return out;
}

void add_histogram(Json& out, const std::string& name, const std::string& model, const FitTable& table,
                   std::size_t column) {
  constexpr std::size_t kBins = 30;
  std::vector<double> values;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (const double v = table.row(i)[column]; std::isfinite(v)) values.push_back(v);
  if (values.empty()) return;
  const auto [low, high] = std::ranges::minmax(values);
  const double width = high > low ? (high - low) / kBins : 1.0 / kBins;
  std::vector<double> edges(kBins + 1);
  for (std::size_t b = 0; b <= kBins; ++b) edges[b] = low + width * static_cast<double>(b);
  std::vector<std::size_t> counts(kBins);
  for (const double v : values) ++counts[std::min(kBins - 1, static_cast<std::size_t>((v - low) / width))];
  out.push_back({{"name", name}, {"model", model}, {"edges", edges}, {"counts", counts}});
}

Json histograms_json(const PetPlan& plan, const FitTable& table) {
  Json out = Json::array();
  for (const std::string& m : plan.model_names()) {
    add_histogram(out, "Tempering steps", m, table, table.columns.find(m, "steps"));
    add_histogram(out, "Acceptance", m, table, table.columns.find(m, "acceptance"));
    add_histogram(out, "Standard error of the log evidence", m, table, table.columns.find(m, "logZse"));
  }
  return out;
}

Json status_json(const FitTable& table) {
  Json out = Json::array();
  for (const StatusBit& s : status_bits())
    out.push_back({{"name", s.name}, {"count", table.count(s.bit)}, {"meaning", s.meaning}});
  return out;
}

Json settings_json(const PetPlan& plan) {
  Json out = Json::array();
  for (const std::string& line : plan.understood()) {
    if (line.starts_with("note:")) continue;  // the report has a place of its own for them
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos)
      out.push_back({"", line});
    else
      out.push_back(
          {line.substr(0, colon), line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size()))});
  }
  return out;
}

Json regions_json(const PetPlan& plan, const FitTable& table) {
  Json out = Json::array();
  for (const RegionMean& r : region_means(plan, table))
    out.push_back({{"name", r.name},
                   {"voxels", r.voxels},
                   {"VT", std::isfinite(r.vt) ? Json(r.vt) : Json()},
                   {"VT_sd", std::isfinite(r.vt_sd) ? Json(r.vt_sd) : Json()},
                   {"order_shares", numbers(r.order_shares)}});
  return out;
}

}  // namespace

std::string pet_report(const PetPlan& plan, const CurveSetup& setup, const FitResults& results,
                       const CurveFit& mean_fit) {
  const FitTable& table = results.table;
  const std::size_t fitted = table.count(kFitted);
  Json out;
  out["title"] = plan.request.prefix + ": PET model comparison";
  out["subject"] = plan.request.prefix;
  out["version"] = version();
  out["command"] = plan.request.command;
  out["seed"] = std::to_string(plan.request.seed);
  out["verdict"] =
      fmt::format("{} of {} {} fitted; {} with an uncertain answer, {} at a bound of the prior.", fitted, table.size(),
                  plan.is_image() ? "voxels" : "regions", table.count(kUncertain), table.count(kAtBound));
  out["settings"] = settings_json(plan);
  out["notes"] = plan.notes;
  out["warnings"] = plan.written_warnings();
  out["models"] = plan.model_names();
  out["unit"] = "kBq/mL";
  out["input"] = input_json(plan.input);
  out["frames"] = frames_json(plan);
  out["mean_curve"] = mean_json(plan, mean_fit);
  out["residuals"] = residuals_json(plan, setup, results);
  if (plan.is_image()) out["maps"] = map_layers(plan, table);
  out["histograms"] = histograms_json(plan, table);
  out["status"] = status_json(table);
  out["curves"] = curves_json(plan, results);
  if (!plan.atlas.present.empty()) out["regions"] = regions_json(plan, table);
  return report::html_page({.kind = "pet",
                            .title = plan.request.prefix + ": PET model comparison",
                            .json = out.dump(-1, ' ', false, Json::error_handler_t::replace),
                            .summary = pet_summary(plan, table)});
}

}  // namespace evident::imaging
