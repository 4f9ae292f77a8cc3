// The columns of a table that say when its frames were taken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "imaging/pet/io/columns.hpp"
#include "imaging/pet/io/timing.hpp"

namespace evident::imaging {

struct FrameColumns {
  std::optional<Column> start, end, duration, middle;

  /// Seconds per unit of a column of times; `given` becomes true when file or user named the unit.
  static double factor_of(const Column& column, const std::string& file, const std::string& time_unit, bool& given);
};

FrameColumns find_frame_columns(const std::vector<Column>& columns);

/// Starts and durations in seconds; there must be a start, and an end or a duration.
ScanTiming read_timing(const Table& table, const FrameColumns& columns, const std::string& time_unit);

}  // namespace evident::imaging
