// From tables to the columns that formulas see.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "evident/formula/model.hpp"
#include "study/section.hpp"
#include "tables/table.hpp"

namespace evident::study {

struct DataSetOptions {
  bool drop_missing = false;     ///< leave rows with a missing cell in a used column out
  std::set<std::string> used{};  ///< columns that some formula of the study names
};

/// Tables with the same number of rows lie side by side. Throws InputError.
formula::DataSet make_data_set(const std::vector<const Table*>& tables, const DataSetOptions& options);

/// [data.constants]: numbers and lists of numbers. Throws InputError.
std::vector<formula::Constant> read_constants(const Section& data);

}  // namespace evident::study
