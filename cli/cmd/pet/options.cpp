#include "cmd/pet/options.hpp"

#include <fmt/format.h>

#include "base/option.hpp"
#include "evident/base/error.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;
using namespace imaging;

/// "sub-01_pet.nii.gz" -> "sub-01"; "scan.nii.gz" -> "scan".
std::string prefix_of(const fs::path& file) {
  std::string name = file.filename().string();
  for (const char* end : {".gz", ".nii", ".tsv", ".csv", ".tac", ".dft", "_pet", "_tacs"})
    if (name.ends_with(end)) name.erase(name.size() - std::string_view(end).size());
  return name.empty() ? "scan" : name;
}

PetRequest one_scan(const PetCommand& command) {
  PetRequest r = command.request;
  const bool image = !r.image.empty(), tacs = !r.tacs.empty();
  if (image && tacs)
    throw InputError(fmt::format("{} and {} exclude each other; give one of them", option("image"), option("tacs")));
  if (tacs && !(r.mask.empty() && r.atlas.empty()))
    throw InputError(
        fmt::format("{} and {} are for images; a table has its regions already", option("mask"), option("atlas")));
  if (image && !r.regions.empty())
    throw InputError(
        fmt::format("{} is for tables ({}); for images there is {}", option("region"), option("tacs"), option("mask")));
  if (r.folder.empty()) throw InputError(option("out", "DIR") + " is needed: the folder for the results");
  r.prefix = prefix_of(image ? r.image : r.tacs);
  return r;
}

std::vector<PetRequest> bids_scans(const PetCommand& command, std::vector<std::string>& warnings) {
  const PetRequest& common = command.request;
  if (!(common.image.empty() && common.tacs.empty() && common.folder.empty() && common.regions.empty()))
    throw InputError(fmt::format("give either a BIDS data set and a folder, or {} (or {}) and {}, not both",
                                 option("image"), option("tacs"), option("out")));
  if (command.bids_out.empty())
    throw InputError(
        "a BIDS data set needs a folder for the results too: evident pet BIDS_ROOT DERIVATIVES participant");
  if (!command.level.empty() && command.level != "participant")
    throw InputError(fmt::format("the level must be 'participant', was '{}'", command.level));
  const BidsPet found = find_bids_pet(command.bids_root, command.query);
  warnings = found.warnings;
  std::vector<PetRequest> out;
  for (const BidsPetScan& scan : found.scans) {
    PetRequest r = common;
    r.image = scan.image;
    if (r.blood.empty() && r.input_function.empty()) r.blood = scan.blood;
    r.folder = fs::path(command.bids_out) / scan.folder;
    r.prefix = scan.prefix;
    r.derivatives = command.bids_out;
    out.push_back(std::move(r));
  }
  return out;
}

}  // namespace

std::vector<PetRequest> requests(const PetCommand& command, std::vector<std::string>& warnings) {
  if (command.resume && command.force)
    throw InputError(fmt::format("{} goes on with a run and {} starts it again; give one of them", option("resume"),
                                 option("force")));
  if (!command.bids_root.empty()) return bids_scans(command, warnings);
  if (command.request.image.empty() && command.request.tacs.empty())
    throw InputError(fmt::format("nothing to analyse: give a BIDS data set, or {}, or {}; see 'evident pet --help'",
                                 option("image", "FILE"), option("tacs", "FILE")));
  return {one_scan(command)};
}

}  // namespace evident::cli
