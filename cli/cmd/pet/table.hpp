// The options of `evident pet`. Each is declared once, in the table of table.cpp: its name, its group in the help, the
// values that it takes, its text, and how it is set. The help, the request for a scan and the keyword arguments of
// evident.pet.map() in Python are made from the table.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "imaging/pet/fit/request.hpp"
#include "imaging/pet/io/bids.hpp"

namespace evident::cli {

/// What a command line asks for.
struct PetCommand {
  std::string bids_root, bids_out, level;
  imaging::BidsQuery query = {};
  imaging::PetRequest request = {};  ///< of one scan, or what all of a data set share
  unsigned threads = 0;
  bool dry_run = false, resume = false, force = false, quiet = false;
};

// The values that an option takes, and how one of them is set.
struct PetNumber {
  double lower, upper;
  void (*set)(PetCommand&, double);
  bool open = false;  ///< without the bounds
};
struct PetWholeNumber {
  std::uint64_t lower, upper;
  void (*set)(PetCommand&, std::uint64_t);
};
struct PetWord {
  std::span<const std::string_view> words;
  void (*set)(PetCommand&, std::string_view);
};
struct PetYesNo {
  void (*set)(PetCommand&, bool);
};
/// A file that is there.
struct PetFile {
  void (*set)(PetCommand&, const std::filesystem::path&);
};
/// What its setter understands. `type` is that of Python; words are offered to shells.
struct PetText {
  std::string_view type;
  void (*set)(PetCommand&, const std::string&);
  std::span<const std::string_view> words = {};
};
struct PetSwitch {
  void (*set)(PetCommand&);
};
using PetTakes = std::variant<PetNumber, PetWholeNumber, PetWord, PetYesNo, PetFile, PetText, PetSwitch>;

/// Who has the option.
enum class PetFor {
  everyone,
  program,  ///< evident.pet.map() does without it, or has an argument of its own for it
};

struct PetOption {
  std::string_view key;    ///< as in messages (base/option.hpp): "blood_tail"
  std::string_view value;  ///< its word in the help; empty for a switch
  PetTakes takes;
  std::string_view text;
  bool several = false;  ///< may be given several times
  PetFor whose = PetFor::everyone;
};
struct PetGroup {
  std::string_view heading;
  std::vector<PetOption> options;
};
const std::vector<PetGroup>& pet_options();

}  // namespace evident::cli
