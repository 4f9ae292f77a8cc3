// A kind of data that 'evident simulate' can make. One kind, one file.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evident/base/random.hpp"

namespace evident::cli {

/// Name and content of each file; data, truth.json and a study.toml that is ready to run.
using SimulatedFiles = std::vector<std::pair<std::string, std::string>>;

class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual std::string name() const = 0;
  virtual std::string description() const = 0;
  virtual std::string examples() const = 0;
  virtual void declare(CLI::App& app) = 0;
  virtual SimulatedFiles simulate(std::uint64_t seed) const = 0;
};

std::unique_ptr<Simulation> mixture_simulation();
std::unique_ptr<Simulation> goodwin_simulation();
std::unique_ptr<Simulation> pet_simulation();
std::unique_ptr<Simulation> regression_simulation();

/// Columns of equal length as comma-separated text.
std::string columns_csv(const std::vector<std::string>& names, const std::vector<std::vector<double>>& columns);
/// "1,2.5,-3" as numbers; throws InputError that names the option.
std::vector<double> number_list(const std::string& option, const std::string& text);

}  // namespace evident::cli
