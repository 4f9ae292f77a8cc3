// The options of `evident pet`, and the requests that they make: one for each scan.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "imaging/pet/fit/request.hpp"
#include "imaging/pet/fit/run.hpp"

namespace evident::cli {

class PetCommandOptions {
 public:
  void declare(CLI::App& app);
  /// Throws InputError, naming the option, when they contradict themselves. `warnings` are about the data set.
  std::vector<imaging::PetRequest> requests(std::vector<std::string>& warnings) const;
  imaging::PetRunOptions run() const;
  bool dry_run() const { return dry_run_; }
  bool quiet() const { return quiet_; }

 private:
  imaging::PetRequest common() const;
  imaging::PetRequest one_scan() const;
  std::vector<imaging::PetRequest> bids_scans(std::vector<std::string>& warnings) const;
  std::string command() const;

  std::string bids_root_, bids_out_, level_;
  std::vector<std::string> participants_, sessions_, tracers_, runs_;
  std::optional<std::string> image_, tacs_, mask_, atlas_, json_, frames_, input_, out_;
  std::vector<std::string> blood_, regions_;
  std::optional<std::string> models_, noise_, noise_dt_, vb_, delay_, prior_, frame_, interpolation_;
  std::optional<std::string> time_unit_, units_, nuclide_, decay_corrected_, model_decay_, blood_tail_;
  std::optional<std::string> blood_units_, decay_reference_, injection_start_;
  std::optional<std::string> preset_, particles_, cess_, seed_, threads_, memory_, fill_, chunk_;
  bool plasma_from_blood_ = false, resume_ = false, force_ = false, dry_run_ = false, quiet_ = false;
};

}  // namespace evident::cli
