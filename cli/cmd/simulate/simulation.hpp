// A kind of data that 'evident simulate' can make. One kind, one file.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evident/base/random.hpp"

namespace evident::cli {

class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual std::string name() const = 0;
  virtual std::string description() const = 0;
  virtual std::string examples() const = 0;
  virtual void declare(CLI::App& app) = 0;
  /// Throws InputError when the options make no sense; nothing is written before.
  virtual void prepare(std::uint64_t seed) = 0;
  /// Writes the files into an empty folder, and tells their names for the user.
  virtual std::vector<std::string> write(const std::filesystem::path& folder) const = 0;
};

/// Name and content of each file; data, truth.json and a study.toml that is ready to run.
using SimulatedFiles = std::vector<std::pair<std::string, std::string>>;

/// A few files of text in one folder.
class StudySimulation : public Simulation {
 public:
  void prepare(std::uint64_t seed) final { files_ = simulate(seed); }
  std::vector<std::string> write(const std::filesystem::path& folder) const final;
  virtual SimulatedFiles simulate(std::uint64_t seed) const = 0;

 private:
  SimulatedFiles files_;
};

std::unique_ptr<Simulation> mixture_simulation();
std::unique_ptr<Simulation> goodwin_simulation();
std::unique_ptr<Simulation> pet_simulation();
std::unique_ptr<Simulation> pet_image_simulation();
std::unique_ptr<Simulation> regression_simulation();

/// Columns of equal length as comma-separated text.
std::string columns_csv(const std::vector<std::string>& names, const std::vector<std::vector<double>>& columns);
/// "1,2.5,-3" as numbers; throws InputError that names the option.
std::vector<double> number_list(const std::string& key, const std::string& text);

}  // namespace evident::cli
