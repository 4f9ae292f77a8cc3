// evident simulate goodwin
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "cmd/simulate/simulation.hpp"
#include "evident/base/error.hpp"
#include "models/goodwin/simulate.hpp"

namespace evident::cli {
namespace {

class GoodwinSimulationKind final : public StudySimulation {
 public:
  std::string name() const override { return "goodwin"; }
  std::string description() const override { return "Two states of a Goodwin oscillator, with noise"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident simulate goodwin --seed 1 --out oscillator\n"
           "  evident simulate goodwin --seed 1 --out noisy --sigma 0.5 --theta 0.5,2,0.1,1.5,0.2\n"
           "  evident compare oscillator/study.toml";
  }

  void declare(CLI::App& app) override {
    app.add_option("--theta", theta_,
                   "a0, a1, a2, k1, ...; their number sets the length of the chain "
                   "(default 0.53,2,0.04,1.5,0.19: three substances)")
        ->type_name("LIST");
    app.add_option("--sigma", sigma_, "standard deviation of the errors (default 0.2)")->type_name("X");
    app.add_option("--rho", rho_, "exponent of the feedback (default 10)")->type_name("X");
    app.add_option("--observations", observations_, "number of times, half a unit apart from 20.5 on (default 80)")
        ->type_name("N");
  }

  SimulatedFiles simulate(std::uint64_t seed) const override {
    GoodwinSimulation what;
    what.theta = number_list("theta", theta_.value_or("0.53,2,0.04,1.5,0.19"));
    if (sigma_) what.sigma = real_number("sigma", *sigma_, 0, 1e6, true);
    if (rho_) what.rho = real_number("rho", *rho_, 0, 1e3, true);
    const std::size_t n = observations_ ? whole_number("observations", *observations_, 2, 100'000) : 80;
    for (std::size_t i = 0; i < n; ++i) what.times.push_back(20.5 + 0.5 * static_cast<double>(i));
    const GoodwinData data = simulate_goodwin(what, Streams({.seed = seed}));
    const nlohmann::ordered_json json = {
        {"kind", name()},      {"seed", seed},    {"components", what.theta.size() - 2},
        {"theta", what.theta}, {"rho", what.rho}, {"sigma", what.sigma}};
    return {{"data.csv", columns_csv({"time", "x1", "x2"}, {data.times, data.values[0], data.values[1]})},
            {"truth.json", json.dump(2) + "\n"},
            {"study.toml", study(what)}};
  }

 private:
  static std::string study(const GoodwinSimulation& what) {
    std::string out =
        "# How many substances are in the chain?\n# Run it with: evident compare study.toml\n\n"
        "[data]\nfile = \"data.csv\"\n\n[sampler]\nparticles = 1000\nseed = 1\n";
    for (int m : {3, 5}) {
      out += fmt::format(
          "\n[[model]]\nname = \"{0} substances\"\nkind = \"goodwin\"\ncomponents = {0}\nrho = {1}\nsigma = {2}\n", m,
          what.rho, what.sigma);
    }
    return out;
  }

  std::optional<std::string> theta_, sigma_, rho_, observations_;
};

}  // namespace

std::unique_ptr<Simulation> goodwin_simulation() { return std::make_unique<GoodwinSimulationKind>(); }

}  // namespace evident::cli
