#include "report/document_parts.hpp"
#include "report/json_fields.hpp"
#include "report/predictive_fields.hpp"
#include "report/short_number.hpp"

namespace evident::report {
namespace {

Json series_json(const PredictedSeries& s) {
  return {{"name", s.observed.name},
          {"count", s.count},
          {"discrete", s.observed.discrete},
          {"axis_name", s.observed.axis_name},
          {"axis", short_numbers(s.observed.axis)},
          {"values", short_numbers(s.observed.values)},
          {"mean", short_numbers(s.mean)},
          {"mean_q05", short_numbers(s.mean_q05)},
          {"mean_q95", short_numbers(s.mean_q95)},
          {"band", json_of(s.band, short_number)},
          {"replicates", json_of(s.replicates, short_number)},
          {"histogram", json_of(s.histogram, short_number)}};
}

}  // namespace

Json predictive_json(const Predictive& p) {
  Json series = Json::array();
  for (const PredictedSeries& s : p.series) series.push_back(series_json(s));
  return {{"draws", p.draws}, {"series", std::move(series)}, {"checks", json_of(p.checks, short_number)}};
}

}  // namespace evident::report
