#include "imaging/pet/io/tacs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/io/columns.hpp"
#include "imaging/pet/io/dft.hpp"
#include "imaging/pet/io/frame_columns.hpp"
#include "imaging/pet/io/json_fields.hpp"
#include "imaging/pet/io/limits.hpp"
#include "imaging/pet/io/sidecar.hpp"
#include "imaging/pet/io/units.hpp"
#include "imaging/pet/io/words.hpp"
#include "tables/file_text.hpp"

namespace evident::imaging {
namespace {

// Columns without a unit of their own get the one of the JSON beside the table.
void add_units(std::vector<Column>& columns, const JsonFields& json) {
  for (Column& column : columns) {
    if (!column.unit.empty()) continue;
    if (const auto unit = json.text_within(column.name, "Units")) column.unit = *unit;
  }
}

bool same(const std::optional<Column>& a, const Column& b) { return a && a->heading == b.heading; }

/// Columns that come with curves but are none.
bool is_by_the_way(const std::string& name) {
  return name == "weight" || name == "weights" || name == "dt" || name == "frame";
}

bool is_region(const Column& column, const FrameColumns& times) {
  const std::string name = lower_case(column.name);
  if (is_by_the_way(name)) return false;
  return !same(times.start, column) && !same(times.end, column) && !same(times.duration, column) &&
         !same(times.middle, column);
}

// The unit of a region: its own, PMOD's behind "end", the JSON's, the user's.
std::string unit_of(const Column& region, const FrameColumns& times, const JsonFields& json,
                    const TacOptions& options) {
  if (find_activity_factor(region.unit)) return region.unit;
  if (times.end && find_activity_factor(times.end->unit)) return times.end->unit;
  for (const std::string& name : {region.name, region.heading}) {
    if (const auto unit = json.text_within(name, "Units")) return *unit;
  }
  if (const auto unit = json.text("Units")) return *unit;
  return options.activity_unit;
}

void read_times(TacTable& out, const Table& table, const FrameColumns& times, const TacOptions& options) {
  if (times.start && (times.end || times.duration)) {
    out.timing = read_timing(table, times, options.time_unit);
    for (std::size_t i = 0; i < out.timing.size(); ++i) out.middle.push_back(out.timing.middle(i));
    return;
  }
  if (!times.middle) {
    throw InputError(fmt::format(
        "{}: needs the columns start and end (or duration), or mid with the middles of the frames; it has {}", out.file,
        listed(columns_of(table))));
  }
  const double k = FrameColumns::factor_of(*times.middle, out.file, options.time_unit, out.timing.unit_given);
  out.middle = all_values_of(table, *times.middle);
  for (double& t : out.middle) t *= k;
  check_times(out.middle, fmt::format("{}: column '{}'", out.file, shortened(times.middle->heading)));
}

TacTable from_table(std::string text, const std::string& file, const TacOptions& options) {
  const Table table = parse_table(std::move(text), file);
  if (table.rows() > kMaxFrames)
    throw InputError(
        fmt::format("{}: {} rows, more than the {} frames that can be used", file, table.rows(), kMaxFrames));
  const JsonFields json = JsonFields::read(find_sidecars(file));
  std::vector<Column> columns = columns_of(table);
  add_units(columns, json);
  const FrameColumns times = find_frame_columns(columns);
  TacTable out;
  out.file = file;
  const bool pmod = times.end && find_activity_factor(times.end->unit);
  out.format = pmod ? "PMOD" : file.ends_with("_tacs.tsv") ? "BIDS" : "table";
  read_times(out, table, times, options);
  for (const Column& column : columns) {
    if (is_by_the_way(lower_case(column.name)))
      out.notes.push_back(fmt::format("the column '{}' of the curves is not used", shortened(column.heading)));
    if (!is_region(column, times)) continue;
    const std::string unit = unit_of(column, times, json, options);
    if (unit.empty()) {
      throw InputError(fmt::format(
          "{}: the unit of activity is not known; write it as \"Units\" into the JSON file beside the table, or give "
          "{}, for example {}",
          file, option("units"), option("units", "kBq/mL")));
    }
    const double k = activity_factor(unit, fmt::format("{}: unit of column '{}'", file, shortened(column.heading)));
    if (out.units.empty()) out.units = unit;
    std::vector<double> curve = values_of(table, column);
    for (double& v : curve) v *= k;
    check_activities(curve, fmt::format("{}: column '{}'", file, shortened(column.heading)));
    out.regions.push_back(find_activity_factor(split_unit(column.heading).unit) ? column.name : column.heading);
    out.activity.push_back(std::move(curve));
  }
  if (out.regions.empty())
    throw InputError(fmt::format("{}: has no region beside its times; it has {}", file, listed(columns)));
  return out;
}

// Regions without any value go, others are told about.
void report_missing(TacTable& table) {
  std::size_t kept = 0, cells = 0, regions = 0;
  for (std::size_t r = 0; r < table.regions.size(); ++r) {
    const auto missing = std::ranges::count_if(table.activity[r], [](double v) { return std::isnan(v); });
    if (static_cast<std::size_t>(missing) == table.frames()) {
      table.warnings.push_back(fmt::format("region '{}' has no values and is left out", shortened(table.regions[r])));
      continue;
    }
    cells += static_cast<std::size_t>(missing);
    regions += missing > 0;
    if (kept != r) {
      table.regions[kept] = std::move(table.regions[r]);
      table.activity[kept] = std::move(table.activity[r]);
    }
    ++kept;
  }
  table.regions.resize(kept);
  table.activity.resize(kept);
  if (kept == 0) throw InputError(fmt::format("{}: no region has any values", table.file));
  if (cells > 0) {
    table.warnings.push_back(fmt::format("{} missing value{} in {} region{}", cells, cells == 1 ? "" : "s", regions,
                                         regions == 1 ? "" : "s"));
  }
}

}  // namespace

TacTable read_tacs(const std::string& file, const TacOptions& options) {
  std::string text = file_text(file, kMaxTableBytes);
  const bool zero = text.find('\0') != std::string::npos;
  TacTable table = !zero && is_dft(text) ? parse_dft(text, file, options) : from_table(std::move(text), file, options);
  report_missing(table);
  return table;
}

}  // namespace evident::imaging
