// New data sets from posterior draws, and what is counted in them.
#pragma once

#include <span>
#include <vector>

#include "report/predictive.hpp"

namespace evident::report {

/// Data sets drawn anew: row i is observation i, one column a data set, with the mean of each observation given the
/// parameters that the data set was drawn from.
class NewData {
 public:
  NewData(std::span<const PredictiveSource> sources, std::size_t observations, std::size_t draws,
          const Executor& executor);

  std::size_t size() const { return place_.size(); }  ///< data sets
  double value(std::size_t row, std::size_t column) const {
    return parts_[place_[column].part].values(row, place_[column].column);
  }
  double mean(std::size_t row, std::size_t column) const {
    return parts_[place_[column].part].means(row, place_[column].column);
  }
  std::vector<double> values(std::size_t row) const;  ///< sorted, without those that are not finite
  std::vector<double> means(std::size_t row) const;

 private:
  struct Part {
    BlockStorage values, means;
  };
  struct Place {
    std::size_t part, column;
  };
  std::vector<Part> parts_;  ///< one a source
  std::vector<Place> place_;
};

/// Columns of weighted draws, `count` of them, each as often as its weight asks for. Throws RunError when none has one.
std::vector<std::size_t> pick(std::span<const double> weights, std::size_t count);

void add_quantiles(const std::vector<double>& sorted, Band& band);

PredictedHistogram histogram_of(const Observed& observed, std::size_t first, const NewData& data);
void add_checks(const Observed& observed, std::size_t first, const NewData& data, std::vector<PredictiveCheck>& out);

}  // namespace evident::report
