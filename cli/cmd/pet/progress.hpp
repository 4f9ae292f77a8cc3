// Progress of a PET run on standard error.
#pragma once

#include <string>
#include <utility>

#include "imaging/fit/fit_many.hpp"
#include "progress_line.hpp"

namespace evident::cli {

/// "1024 of 2000 voxels (51 %), 22 voxels/s, 45 s left; 3 constant, 1 not finite"
std::string progress_line(const imaging::FitProgress& progress, const std::string& what);

class PetProgress {
 public:
  explicit PetProgress(std::string what) : what_(std::move(what)) {}
  /// Called under a lock of its caller.
  void show(const imaging::FitProgress& progress) {
    line_.show([&] { return progress_line(progress, what_); }, progress.done == progress.total);
  }
  /// Ends the line.
  void close() { line_.close(); }

 private:
  std::string what_;
  ProgressLine line_;
};

}  // namespace evident::cli
