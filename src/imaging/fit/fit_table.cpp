#include "imaging/fit/fit_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace evident::imaging {
namespace {

void add_quantity(std::vector<FitColumn>& out, const std::string& model, const std::string& name,
                  const std::string& what, const std::string& unit) {
  out.push_back({model, name, "posterior mean of " + what, unit});
  out.push_back({model, name + "sd", "posterior standard deviation of " + what, unit});
  out.push_back({model, name + "q025", "2.5 % quantile of " + what, unit});
  out.push_back({model, name + "q50", "posterior median of " + what, unit});
  out.push_back({model, name + "q975", "97.5 % quantile of " + what, unit});
}

void add_both(std::vector<FitColumn>& out, const std::string& model) {
  add_quantity(out, model, "VT", "the volume of distribution", "mL/cm3");
  add_quantity(out, model, "K1", "the influx rate K1", "mL/cm3/min");
}

void put(std::vector<float>& row, const Quantity& q, double factor = 1) {
  for (const double v : {q.mean, q.sd, q.q025, q.q50, q.q975}) row.push_back(static_cast<float>(v * factor));
}

constexpr double kPerMinute = 60;

}  // namespace

FitColumns::FitColumns(std::vector<std::string> names, std::vector<std::size_t> orders)
    : names_(std::move(names)), orders_(std::move(orders)) {
  columns_.push_back({"", "status", "what happened to the voxel, a sum of bits", "arbitrary"});
  columns_.push_back({"", "order", "compartments of the most probable model; 0 where there is no fit", "arbitrary"});
  add_both(columns_, "BMA");
  for (const std::string& name : names_) {
    columns_.push_back({name, "logZ", "log evidence", "arbitrary"});
    columns_.push_back({name, "logZse", "standard error of the log evidence, from its own run", "arbitrary"});
    columns_.push_back({name, "postprob", "posterior probability of the model", "arbitrary"});
    add_both(columns_, name);
    columns_.push_back({name, "steps", "tempering steps of the sampler", "arbitrary"});
    columns_.push_back({name, "acceptance", "share of the sampler's proposals that were accepted", "arbitrary"});
  }
}

std::size_t FitColumns::find(std::string_view model, std::string_view measure) const {
  const auto at =
      std::ranges::find_if(columns_, [&](const FitColumn& c) { return c.model == model && c.measure == measure; });
  return static_cast<std::size_t>(at - columns_.begin());
}

std::vector<float> FitColumns::row(const CurveFit& fit) const {
  std::vector<float> row;
  row.reserve(size());
  row.push_back(static_cast<float>(fit.status));
  row.push_back((fit.status & kFitted) != 0 ? static_cast<float>(orders_[fit.best]) : 0.0F);
  put(row, fit.vt);
  put(row, fit.k1, kPerMinute);
  for (const ModelFit& m : fit.models) {
    for (const double v : {m.log_evidence.value, m.log_evidence.standard_error, m.probability})
      row.push_back(static_cast<float>(v));
    put(row, m.vt);
    put(row, m.k1, kPerMinute);
    for (const double v : {m.steps, m.acceptance}) row.push_back(static_cast<float>(v));
  }
  return row;
}

std::size_t FitTable::count(std::uint32_t bit) const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += (status(i) & bit) != 0 ? 1 : 0;
  return sum;
}

}  // namespace evident::imaging
