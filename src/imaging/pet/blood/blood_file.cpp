#include "imaging/pet/blood/blood_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "imaging/pet/blood/series.hpp"
#include "imaging/pet/io/columns.hpp"
#include "imaging/pet/io/json_fields.hpp"
#include "imaging/pet/io/limits.hpp"
#include "imaging/pet/io/sidecar.hpp"
#include "imaging/pet/io/units.hpp"
#include "imaging/pet/io/words.hpp"

namespace evident::imaging {
namespace {

class Reader {
 public:
  Reader(const std::string& file, const BloodOptions& options)
      : options_(options), table_(read_table(file)), json_(JsonFields::read(find_sidecars(file))) {
    out_.file = file;
    columns_ = columns_of(table_);
    out_.columns = listed(columns_);
    out_.plasma_avail = json_.flag("PlasmaAvail", out_.warnings);
    out_.metabolite_avail = json_.flag("MetaboliteAvail", out_.warnings);
    out_.dispersion_corrected = json_.flag("DispersionCorrected", out_.warnings);
    read_time();
  }

  BloodFile run() {
    const auto plasma = find_column(columns_, {"plasma_radioactivity", "plasma", "plasma.1", "total_plasma"});
    const auto blood = find_column(columns_, {"whole_blood_radioactivity", "whole_blood", "wholeblood", "blood", "cb"});
    const auto parent = find_column(columns_, {"metabolite_parent_fraction", "parent_fraction", "parentfraction"});
    const auto aif = find_column(columns_, {"aif", "input_function", "parent_plasma", "cp"});
    out_.has_plasma = plasma.has_value();
    out_.has_parent = parent.has_value();
    if (plasma) out_.plasma = activity(*plasma);
    if (blood) out_.blood = activity(*blood);
    if (aif) out_.aif = activity(*aif);
    if (parent) out_.parent = fraction(*parent);
    if (columns_.size() == 2 && !plasma && !blood && !parent && !aif) {
      out_.single = activity(columns_[0].heading == time_.heading ? columns_[1] : columns_[0]);
    }
    return std::move(out_);
  }

 private:
  std::string unit_of(const Column& column) const {
    if (!column.unit.empty()) return column.unit;
    return json_.text_within(column.name, "Units").value_or("");
  }

  void read_time() {
    const auto column = find_column(columns_, {"time", "sample_time", "times", "sample_times", "t"});
    if (!column) {
      throw InputError(fmt::format("{}: has no column 'time'; it has {}", out_.file, out_.columns));
    }
    time_ = *column;
    std::string unit = unit_of(*column);
    if (unit.empty()) unit = options_.time_unit.empty() ? "s" : options_.time_unit;
    const double k = time_factor(unit, fmt::format("{}: unit of column '{}'", out_.file, column->name));
    seconds_ = all_values_of(table_, *column);
    for (double& t : seconds_) t = t * k - options_.injection_start;
    check_times(seconds_, place(*column));
  }

  BloodSeries activity(const Column& column) {
    std::string unit = unit_of(column);
    if (unit.empty()) unit = options_.activity_unit;
    if (unit.empty()) {
      throw InputError(fmt::format(
          "{}: the unit of column '{}' is not known; add \"{}\": {{\"Units\": \"kBq/mL\"}} (or what it is) to the JSON "
          "file beside it, or give {}",
          out_.file, column.name, column.name, option("blood_units")));
    }
    const double k = activity_factor(unit, fmt::format("{}: unit of column '{}'", out_.file, column.name));
    std::vector<double> values = values_of(table_, column);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isnan(values[i])) values[i] *= k * decay_factor(seconds_[i]);
    }
    check_activities(values, place(column));
    return ordered(seconds_, values, place(column), out_.warnings);
  }

  std::string place(const Column& column) const { return fmt::format("{}: {}", out_.file, column.name); }

  // From the decay reference of the file to the common one, for a sample at `time` seconds after injection.
  double decay_factor(double time) const {
    const double reference = options_.decay_reference - options_.injection_start;
    const bool correct = options_.target == DecayTarget::corrected;
    double exponent = options_.decay_corrected ? reference : time;
    if (!correct) exponent -= time;
    if (exponent == 0) return 1;
    if (!(options_.decay_constant > 0)) {
      throw InputError(
          fmt::format("{}: the decay reference must be moved to that of the image, which needs the "
                      "radionuclide; give {}",
                      out_.file, option("nuclide")));
    }
    const double factor = std::exp(options_.decay_constant * exponent);
    if (!(factor < 1e12 && factor > 1e-12)) {
      throw InputError(
          fmt::format("{}: a sample at {} s is too many half-lives from its decay reference", out_.file, time));
    }
    return factor;
  }

  BloodSeries fraction(const Column& column) {
    std::vector<double> values = values_of(table_, column);
    const std::string unit = lower_case(unit_of(column));
    const bool percent = unit == "%" || unit.starts_with("percent");
    std::size_t outside = 0;
    double worst = 0;
    for (double& v : values) {
      if (percent) v /= 100;
      if (v > worst || -v > worst) worst = std::abs(v);
      if (v < 0 || v > 1) ++outside;
    }
    if (worst > 1.2) {
      throw InputError(
          fmt::format("{}: column '{}' holds {}, but fractions lie between 0 and 1{}", out_.file, column.name, worst,
                      percent ? "" : "; if these are percent, write \"Units\": \"percent\" into the JSON file"));
    }
    if (outside > 0) {
      out_.warnings.push_back(fmt::format("{}: {} value{} outside 0 to 1 moved to the nearer bound", place(column),
                                          outside, outside == 1 ? "" : "s"));
      for (double& v : values) {
        if (!std::isnan(v)) v = std::clamp(v, 0.0, 1.0);
      }
    }
    return ordered(seconds_, values, place(column), out_.warnings);
  }

  const BloodOptions& options_;
  Table table_;
  JsonFields json_;
  std::vector<Column> columns_;
  Column time_;
  std::vector<double> seconds_;
  BloodFile out_;
};

}  // namespace

BloodFile read_blood_file(const std::string& file, const BloodOptions& options) { return Reader(file, options).run(); }

}  // namespace evident::imaging
