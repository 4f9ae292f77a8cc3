#include "report/document_parts.hpp"
#include "report/predictive.hpp"
#include "report/short_number.hpp"

namespace evident::report {
namespace {

Json band_json(const Band& b) {
  return {{"q05", short_numbers(b.q05)},
          {"q25", short_numbers(b.q25)},
          {"q50", short_numbers(b.q50)},
          {"q75", short_numbers(b.q75)},
          {"q95", short_numbers(b.q95)}};
}

Json series_json(const PredictedSeries& s) {
  Json out = {{"name", s.observed.name},
              {"count", s.count},
              {"discrete", s.observed.discrete},
              {"axis_name", s.observed.axis_name},
              {"axis", short_numbers(s.observed.axis)},
              {"values", short_numbers(s.observed.values)},
              {"mean", short_numbers(s.mean)},
              {"mean_q05", short_numbers(s.mean_q05)},
              {"mean_q95", short_numbers(s.mean_q95)},
              {"band", band_json(s.band)}};
  Json replicates = Json::array();
  for (const std::vector<double>& r : s.replicates) replicates.push_back(short_numbers(r));
  out["replicates"] = std::move(replicates);
  out["histogram"] = {{"edges", short_numbers(s.histogram.edges)},
                      {"observed", short_numbers(s.histogram.observed)},
                      {"band", band_json(s.histogram.band)}};
  return out;
}

}  // namespace

Json predictive_json(const Predictive& p) {
  Json series = Json::array(), checks = Json::array();
  for (const PredictedSeries& s : p.series) series.push_back(series_json(s));
  for (const PredictiveCheck& c : p.checks)
    checks.push_back({{"observed", c.observed},
                      {"statistic", c.statistic},
                      {"value", short_number(c.value)},
                      {"q05", short_number(c.q05)},
                      {"q50", short_number(c.q50)},
                      {"q95", short_number(c.q95)},
                      {"p_value", short_number(c.p_value)}});
  return {{"draws", p.draws}, {"series", std::move(series)}, {"checks", std::move(checks)}};
}

}  // namespace evident::report
