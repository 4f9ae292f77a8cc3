#include "imaging/pet/io/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/io/columns.hpp"
#include "imaging/pet/io/frame_columns.hpp"
#include "imaging/pet/io/units.hpp"

namespace evident::imaging {
namespace {

// Why the counts may differ, when the numbers tell.
std::string count_hint(std::size_t image_frames, const ScanTiming& t) {
  const std::size_t starts = t.start.size(), durations = t.duration.size();
  if (image_frames > 0 && starts == image_frames + 1 && durations == image_frames) {
    const bool is_end = std::abs(t.start.back() - t.start[starts - 2] - t.duration.back()) <= 0.01 * t.duration.back();
    return fmt::format("; FrameTimesStart has one entry too many{}: remove it",
                       is_end ? ", the last, which is the end of the last frame" : "");
  }
  if (starts != durations) return "; each frame needs one start and one duration";
  return "; are these the frames of another image?";
}

bool durations_are_ends(const ScanTiming& t) {
  if (t.size() < 3) return false;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    if (std::abs(t.duration[i] - t.start[i + 1]) > 1e-3 + 1e-6 * std::abs(t.start[i + 1])) return false;
  }
  return true;
}

void check_order(const ScanTiming& t, const std::string& where) {
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!std::isfinite(t.start[i]) || !std::isfinite(t.duration[i]) || std::abs(t.start[i]) > 1e9) {
      throw InputError(fmt::format("{}: frame {} has no usable time (start {} s, duration {} s)", where, i + 1,
                                   t.start[i], t.duration[i]));
    }
    if (!(t.duration[i] > 0) || t.duration[i] > 1e9) {
      throw InputError(
          fmt::format("{}: frame {} has a duration of {} s; durations must be above 0", where, i + 1, t.duration[i]));
    }
  }
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (!(t.start[i] > t.start[i - 1])) {
      throw InputError(fmt::format("{}: frame {} begins at {} s, not after frame {} ({} s); frames must be in order",
                                   where, i + 1, t.start[i], i, t.start[i - 1]));
    }
    // Times that were rounded may overlap a little.
    const double allowed = 1e-3 + 0.01 * std::min(t.duration[i], t.duration[i - 1]);
    if (t.end(i - 1) > t.start[i] + allowed) {
      throw InputError(fmt::format(
          "{}: frames {} and {} overlap: {} to {} s, and from {} s{}", where, i, i + 1, t.start[i - 1], t.end(i - 1),
          t.start[i], durations_are_ends(t) ? "; FrameDuration seems to hold the ends of the frames" : ""));
    }
  }
}

}  // namespace

void check_frame_counts(std::size_t image_frames, const ScanTiming& t, const std::string& where) {
  if (t.start.size() == image_frames && t.duration.size() == image_frames) return;
  throw InputError(fmt::format("{}: the image has {} frames, but there are {} frame starts and {} frame durations{}",
                               where, image_frames, t.start.size(), t.duration.size(), count_hint(image_frames, t)));
}

void check_frames(const ScanTiming& t, const std::string& where, std::vector<std::string>& notes) {
  if (t.start.empty()) throw InputError(fmt::format("{}: there are no frames", where));
  if (t.size() > kMaxFrames) {
    throw InputError(fmt::format("{}: {} frames, more than the {} that can be used", where, t.size(), kMaxFrames));
  }
  check_order(t, where);
  if (!t.unit_given && t.size() > 10 && t.last_end() < 200) {
    throw InputError(
        fmt::format("{}: {} frames end at {} s, which looks like minutes; say {}, or {} if these are seconds", where,
                    t.size(), t.last_end(), option("time_unit", "min"), option("time_unit", "s")));
  }
  std::size_t gaps = 0, first = 0;
  double total = 0;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double gap = t.start[i] - t.end(i - 1);
    if (gap <= 1e-3 + 0.01 * std::min(t.duration[i], t.duration[i - 1])) continue;
    if (gaps++ == 0) first = i;
    total += gap;
  }
  if (gaps > 0) {
    notes.push_back(fmt::format("{} gap{} between frames, {} s in all; the first before frame {}", gaps,
                                gaps == 1 ? "" : "s", total, first + 1));
  }
}

FrameColumns find_frame_columns(const std::vector<Column>& columns) {
  FrameColumns found;
  found.start =
      find_column(columns, {"frame_start", "start", "frametimesstart", "frame_times_start", "start_time", "onset"});
  found.end = find_column(columns, {"frame_end", "end", "end_time", "stop"});
  found.duration = find_column(columns, {"frame_duration", "duration", "frameduration", "dur", "frame_length"});
  found.middle = find_column(columns, {"mid", "frame_mid", "mid_time", "midtime", "time", "times", "frame_time"});
  return found;
}

double FrameColumns::factor_of(const Column& column, const std::string& file, const std::string& time_unit,
                               bool& given) {
  if (find_time_factor(column.unit)) {
    given = true;
    return *find_time_factor(column.unit);
  }
  // PMOD writes the unit of activity behind "end".
  if (!column.unit.empty() && !find_activity_factor(column.unit)) {
    return time_factor(column.unit, fmt::format("{}: unit of column '{}'", file, column.name));
  }
  if (time_unit.empty()) return 1;
  given = true;
  return time_factor(time_unit, "the time unit");
}

ScanTiming read_timing(const Table& table, const FrameColumns& columns, const std::string& time_unit) {
  ScanTiming timing;
  const double k = FrameColumns::factor_of(*columns.start, table.file(), time_unit, timing.unit_given);
  timing.start = all_values_of(table, *columns.start);
  for (double& v : timing.start) v *= k;
  const Column& second = columns.duration ? *columns.duration : *columns.end;
  // "start[seconds]  end[kBq/cc]": the unit of the start holds for both.
  const bool own = find_time_factor(second.unit).has_value();
  const double k2 = own ? *find_time_factor(second.unit) : k;
  timing.duration = all_values_of(table, second);
  for (std::size_t i = 0; i < timing.duration.size(); ++i) {
    timing.duration[i] = timing.duration[i] * k2 - (columns.duration ? 0.0 : timing.start[i]);
  }
  return timing;
}

ScanTiming read_frames(const std::string& file, const std::string& time_unit) {
  const Table table = read_table(file);
  const std::vector<Column> columns = columns_of(table);
  const FrameColumns found = find_frame_columns(columns);
  if (!found.start || (!found.end && !found.duration)) {
    throw InputError(fmt::format("{}: a table of frames needs the columns start and duration (or end); it has {}", file,
                                 listed(columns)));
  }
  return read_timing(table, found, time_unit);
}

}  // namespace evident::imaging
