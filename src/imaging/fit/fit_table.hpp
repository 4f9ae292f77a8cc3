// The results of many curves, one row of floats a curve: what journals keep and maps show.
//
//   const FitColumns columns({"1TCM", "2TCM"}, {1, 2});
//   std::vector<float> row = columns.row(fit);
//   row[columns.find("2TCM", "VT")];
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "imaging/fit/curve_fit.hpp"

namespace evident::imaging {

struct FitColumn {
  std::string model;        ///< "2TCM", "BMA" for the average over the models, empty for what belongs to none
  std::string measure;      ///< "VT", "VTsd", "logZ", "order", ...
  std::string description;  ///< one line
  std::string unit;         ///< as BIDS writes it; "arbitrary" for a plain number
};

class FitColumns {
 public:
  /// Names of the models and how many compartments each has.
  FitColumns(std::vector<std::string> names, std::vector<std::size_t> orders);

  std::span<const FitColumn> all() const { return columns_; }
  std::size_t size() const { return columns_.size(); }
  std::size_t models() const { return names_.size(); }
  const std::string& name(std::size_t model) const { return names_[model]; }
  /// Number of a column; size() when there is none.
  std::size_t find(std::string_view model, std::string_view measure) const;

  /// Numbers without a value are NaN. The order is 0 when there is no fit.
  std::vector<float> row(const CurveFit& fit) const;

  // The two that are no measurements.
  static constexpr std::size_t kStatus = 0, kOrder = 1;

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> orders_;
  std::vector<FitColumn> columns_;
};

/// Rows of all curves, in their order.
struct FitTable {
  FitColumns columns;
  std::vector<float> values = {};  ///< curves x columns
  std::size_t size() const { return values.size() / columns.size(); }
  std::span<const float> row(std::size_t i) const { return {values.data() + i * columns.size(), columns.size()}; }
  std::span<float> row(std::size_t i) { return {values.data() + i * columns.size(), columns.size()}; }
  std::uint32_t status(std::size_t i) const { return static_cast<std::uint32_t>(row(i)[FitColumns::kStatus]); }
  /// Curves that have this bit in their status.
  std::size_t count(std::uint32_t bit) const;
};

}  // namespace evident::imaging
