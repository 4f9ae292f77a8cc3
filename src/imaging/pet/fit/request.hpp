// What a user asks of `evident pet`: files, and how they are to be understood and analysed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/option.hpp"
#include "imaging/pet/io/scan.hpp"
#include "models/pet/options.hpp"

namespace evident::imaging {

enum class PetPreset {
  paper,  ///< 1000 particles, CESS 0.999: as published
  fast,   ///< a quick look
};

struct PetRequest {
  // Either an image or a table of regional curves.
  std::filesystem::path image, tacs;
  std::vector<std::string> blood;    ///< _blood.tsv files
  std::string input_function;        ///< instead of blood
  std::filesystem::path mask;        ///< empty: voxels that are bright enough
  std::filesystem::path atlas;       ///< labels, for a table of regions
  std::vector<std::string> regions;  ///< of a table, those to analyse; none: all
  ScanOptions scan;
  bool plasma_from_blood = false;
  double tail_limit = 0.2;  ///< share of the scan that the blood may be extrapolated
  std::string blood_units;  ///< where its files say nothing
  bool spline = false;      ///< of the input, as published; straight lines otherwise

  std::vector<std::size_t> models = {1, 2, 3};  ///< numbers of compartments
  std::optional<PetNoise> noise;                ///< of the prior when not given
  double vb = 0;
  /// What the model predicts of a frame: its average, or the value in its middle. Nothing: the average where starts and
  /// durations are known.
  std::optional<bool> average_frames;
  std::optional<double> delay;  ///< seconds; nothing: found on the mean curve
  std::string prior = "wide";

  PetPreset preset = PetPreset::paper;
  std::optional<std::size_t> particles;
  std::optional<double> cess;
  std::uint64_t seed = 1;
  std::uint64_t memory = 0;          ///< bytes that may be used; 0: no limit
  std::optional<std::size_t> chunk;  ///< curves that are kept together; nothing: 32 voxels, 1 region

  std::filesystem::path folder;            ///< where the files go
  std::string prefix;                      ///< of their names: "sub-01"
  std::filesystem::path derivatives;       ///< root of a BIDS folder of derivatives that `folder` is in; may be empty
  std::string command;                     ///< as typed, for the record
  OptionSpelling spelling = plain_option;  ///< of options that warnings name, in files
  bool fill_zero = false;                  ///< 0 outside of the mask instead of NaN
};

}  // namespace evident::imaging
