// Tables of regional time-activity curves.
//
//   TacTable tacs = read_tacs("sub-01_seg-aparc_tacs.tsv");
//   tacs.activity[r][i]                              // region r, frame i, kBq/mL; NaN where the file has no value
//
//   BIDS        _tacs.tsv       frame_start, frame_end, regions ...; units from the JSON beside it
//   PMOD        .tac            start[seconds], end[kBq/cc], regions ...; the second name carries the activity unit
//   Turku       .dft            "DFT", four title lines, one or two columns of time, '.' for a missing value
//   any table   .csv .tsv       start with end or duration, or mid (also: time), then regions
#pragma once

#include <string>
#include <vector>

#include "imaging/pet/io/timing.hpp"

namespace evident::imaging {

struct TacOptions {
  std::string time_unit = {}, activity_unit = {};  ///< where the file says nothing
};

struct TacTable {
  std::string file;
  std::vector<double> middle;  ///< seconds, of the files' time zero, one per frame
  ScanTiming timing;           ///< empty when the table has middles only
  std::vector<std::string> regions;
  std::vector<std::vector<double>> activity;  ///< one curve a region, kBq/mL
  std::string format, units;                  ///< "BIDS", "PMOD", "DFT" or "table"; the unit as written
  std::vector<std::string> warnings, notes;

  std::size_t frames() const { return middle.size(); }
};

TacTable read_tacs(const std::string& file, const TacOptions& options = {});

}  // namespace evident::imaging
