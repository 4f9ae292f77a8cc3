// When the frames of a scan were taken, and the checks that find wrong timing before it spoils a result.
//
//   ScanTiming frames = read_frames("frames.tsv", {});          // columns start and duration (or end)
//   check_frame_counts(image_frames, frames, "frames.tsv");
//   check_frames(frames, "frames.tsv", notes);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace evident::imaging {

/// More frames than any scanner makes: a longer list is a damaged file.
inline constexpr std::size_t kMaxFrames = 10000;

struct ScanTiming {
  std::vector<double> start;     ///< seconds
  std::vector<double> duration;  ///< seconds
  /// The files gave a time unit, or the user did: small numbers are then meant.
  bool unit_given = false;

  std::size_t size() const { return start.size(); }
  double middle(std::size_t i) const { return start[i] + duration[i] / 2; }
  double end(std::size_t i) const { return start[i] + duration[i]; }
  double last_end() const { return end(size() - 1); }
};

/// A table of frames: start with duration or end (also frame_start, frame_end, FrameTimesStart, FrameDuration), with
/// or without a unit in the name. `time_unit` is used where the names say nothing; seconds when it is empty.
ScanTiming read_frames(const std::string& file, const std::string& time_unit = {});

/// Throws InputError, with all three counts, when image, starts and durations differ in number. `where` is the file.
void check_frame_counts(std::size_t image_frames, const ScanTiming& timing, const std::string& where);
/// Throws InputError when frames overlap, do not advance, or look like minutes; gaps are added to `notes`.
void check_frames(const ScanTiming& timing, const std::string& where, std::vector<std::string>& notes);

}  // namespace evident::imaging
