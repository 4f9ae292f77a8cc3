// The PET scans of a BIDS data set.
//
//   BidsPet found = find_bids_pet("/data/study", {.participants = {"01"}, .tracers = {"DASB"}});
//   for (const BidsPetScan& scan : found.scans) ...      // scan.image, scan.blood, scan.prefix
//
// Only the folders sub-*/[ses-*/]pet are read, so derivatives and source data are never mistaken for scans.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evident::imaging {

/// "sub-01_ses-a_trc-X_pet.nii.gz" in parts.
struct BidsName {
  std::vector<std::pair<std::string, std::string>> entities;  ///< {"sub", "01"}, {"ses", "a"}, ...
  std::string suffix;                                         ///< "pet"; empty when the name is not BIDS
  std::string extension;                                      ///< ".nii.gz"

  bool valid() const { return !suffix.empty(); }
  std::string value(std::string_view key) const;  ///< empty when there is none
  /// True when each entity here, but for the ones named in `except`, is in `other` with the same value.
  bool within(const BidsName& other, std::string_view except = {}) const;
};
BidsName parse_bids_name(std::string_view file_name);

/// Empty lists mean all. Labels may be given with or without "sub-", "ses-", ...
struct BidsQuery {
  std::vector<std::string> participants = {}, sessions = {}, tracers = {}, runs = {};
};

struct BidsPetScan {
  std::filesystem::path image;
  std::vector<std::string> sidecars;  ///< nearest first
  std::vector<std::string> blood;     ///< _recording-*_blood.tsv
  std::string subject, session;       ///< labels, without "sub-" and "ses-"
  std::string prefix;                 ///< "sub-01_ses-a_trc-X", to name outputs with
  std::filesystem::path folder;       ///< "sub-01/ses-a/pet", relative to the root
};

struct BidsPet {
  std::vector<BidsPetScan> scans;  ///< in the order of their names
  std::vector<std::string> warnings;
};

/// Throws InputError, with the labels that exist, when a wanted participant or session is not there or nothing is left.
BidsPet find_bids_pet(const std::filesystem::path& root, const BidsQuery& query = {});

}  // namespace evident::imaging
