// evident simulate pet-compartments
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "cmd/simulate/simulation.hpp"
#include "models/pet/simulate.hpp"

namespace evident::cli {
namespace {

class PetSimulationKind final : public StudySimulation {
 public:
  std::string name() const override { return "pet-compartments"; }
  std::string description() const override { return "A time-activity curve and its plasma input"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident simulate pet-compartments --seed 1 --out pet\n"
           "  evident simulate pet-compartments --seed 1 --out one --phi 5e-3 --theta 6e-4\n"
           "  evident compare pet/study.toml";
  }

  void declare(CLI::App& app) override {
    app.add_option("--phi", phi_, "phi of each compartment, in 1/s (default 4e-3,2e-3)")->type_name("LIST");
    app.add_option("--theta", theta_, "theta of each compartment, in 1/s (default 5e-4,1e-2)")->type_name("LIST");
    app.add_option("--lambda", lambda_, "precision: the variance is activity / (lambda dt) (default 0.1)")
        ->type_name("X");
    app.add_option("--max-compartments", largest_, "the study compares 1 to this many (default 3)")->type_name("K");
  }

  SimulatedFiles simulate(std::uint64_t seed) const override {
    PetSimulation what;
    if (phi_) what.phi = number_list("phi", *phi_);
    if (theta_) what.theta = number_list("theta", *theta_);
    if (lambda_) what.lambda = real_number("lambda", *lambda_, 0, 1e300, true);
    const std::size_t largest = largest_ ? whole_number("max_compartments", *largest_, 1, 10) : 3;
    const PetStudy made = simulate_pet(what, Streams({.seed = seed}));
    const nlohmann::ordered_json json = {{"kind", name()},  {"seed", seed},        {"compartments", what.phi.size()},
                                         {"phi", what.phi}, {"theta", what.theta}, {"lambda", what.lambda}};
    return {{"data.csv", columns_csv({"time", "dt", "y"}, {made.frames.time, made.frames.dt, made.activity})},
            {"plasma.csv", columns_csv({"time", "CP"}, {made.blood_time, made.blood_activity})},
            {"truth.json", json.dump(2) + "\n"},
            {"study.toml", study(largest)}};
  }

 private:
  static std::string study(std::size_t largest) {
    std::string out =
        "# How many tissue compartments does the curve show?\n# Run it with: evident compare study.toml\n\n"
        "[data]\nfile = \"data.csv\"\n\n[sampler]\nparticles = 1000\nseed = 1\n";
    for (std::size_t m = 1; m <= largest; ++m) {
      out += fmt::format(
          "\n[[model]]\nname = \"{0} compartment{1}\"\nkind = \"pet-compartments\"\ncompartments = {0}\n"
          "input = \"plasma.csv\"\n",
          m, m == 1 ? "" : "s");
    }
    return out;
  }

  std::optional<std::string> phi_, theta_, lambda_, largest_;
};

}  // namespace

std::unique_ptr<Simulation> pet_simulation() { return std::make_unique<PetSimulationKind>(); }

}  // namespace evident::cli
