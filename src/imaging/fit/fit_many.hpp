// Many curves: chunks of them over the threads, each finished chunk into the journal.
//
//   FitMany job{.fitter = fitter, .curves = curves, .columns = columns};
//   FitResults results = fit_many(job, &journal, executor, progress, stop);
//
// A curve's result depends on its index and values only, so neither threads nor interruptions can be seen in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/team.hpp"
#include "evident/base/context.hpp"
#include "imaging/fit/curve_fit.hpp"
#include "imaging/fit/fit_table.hpp"
#include "journal/journal.hpp"

namespace evident::imaging {

/// Curves with the index that names each; values in the unit of the model.
struct Curves {
  std::size_t frames = 0;
  std::vector<std::uint64_t> index;
  std::vector<float> values;  ///< curves x frames
  std::size_t size() const { return index.size(); }
  std::vector<double> curve(std::size_t i) const {
    const float* begin = values.data() + i * frames;
    return {begin, begin + frames};
  }
};

struct FitProgress {
  std::size_t done = 0, total = 0;                   ///< curves
  std::size_t resumed = 0;                           ///< of these from the journal
  double seconds = 0;                                ///< of this run
  std::map<std::uint32_t, std::size_t> status = {};  ///< how many curves have each bit
};

/// The predictions of some curves are kept, for plots.
struct KeptCurve {
  std::size_t number = 0;                       ///< in Curves
  std::vector<std::vector<float>> predictions;  ///< of each model; empty where it has none
};

struct FitResults {
  FitTable table;
  std::vector<KeptCurve> kept;
};

struct FitMany {
  const CurveFitter& fitter;
  const Curves& curves;
  const FitColumns& columns;
  std::size_t chunk = 32;       ///< curves a chunk
  std::size_t keep_curves = 0;  ///< predictions of so many curves, evenly spread over all
  Team& team = team_of_one();   ///< ranks that share the chunks; rank 0 alone has the journal and the results
};

/// Throws RunError when `stop` ended it (finished chunks are in the journal) and when a journal cannot be written.
FitResults fit_many(const FitMany& job, Journal* journal, const Executor& executor,
                    const std::function<void(const FitProgress&)>& progress = {}, const std::stop_token& stop = {});

}  // namespace evident::imaging
