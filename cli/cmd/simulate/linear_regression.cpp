// evident simulate linear-regression
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "cmd/simulate/simulation.hpp"
#include "models/regression/simulate.hpp"

namespace evident::cli {
namespace {

class RegressionSimulation final : public StudySimulation {
 public:
  std::string name() const override { return "linear-regression"; }
  std::string description() const override { return "A response that depends on some of several covariates"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident simulate linear-regression --seed 1 --out example\n"
           "  evident simulate linear-regression --seed 1 --out eight --coefficients=1,0,0,-0.5,0,0,0.25,0\n"
           "  evident compare example/study.toml";
  }

  void declare(CLI::App& app) override {
    app.add_option("--observations", observations_, "number of observations (default 60)")->type_name("N");
    app.add_option("--coefficients", coefficients_, "one for each covariate (default 0.7,0,-0.4,0.25,0)")
        ->type_name("LIST");
    app.add_option("--intercept", intercept_, "the intercept (default 1)")->type_name("X");
    app.add_option("--noise-sd", noise_, "standard deviation of the errors (default 1)")->type_name("X");
    app.add_option("--correlation", correlation_, "of neighbouring covariates (default 0.6)")->type_name("X");
  }

  SimulatedFiles simulate(std::uint64_t seed) const override {
    constexpr double largest = 1e100;
    RegressionTruth truth;
    if (coefficients_) truth.coefficients = number_list("coefficients", *coefficients_);
    if (intercept_) truth.intercept = real_number("intercept", *intercept_, -largest, largest, false);
    if (noise_) truth.noise_sd = real_number("noise_sd", *noise_, 0, largest, true);
    if (correlation_) truth.correlation = real_number("correlation", *correlation_, -1, 1, true);
    const std::size_t n = observations_ ? whole_number("observations", *observations_, 2, 1'000'000) : 60;
    const RegressionTable table = simulate_regression(truth, n, Streams({.seed = seed}));
    std::vector<std::string> names = {"y"};
    std::vector<std::vector<double>> columns = {table.y};
    names.insert(names.end(), table.names.begin(), table.names.end());
    columns.insert(columns.end(), table.columns.begin(), table.columns.end());
    const nlohmann::ordered_json json = {{"kind", name()},
                                         {"seed", seed},
                                         {"observations", n},
                                         {"intercept", truth.intercept},
                                         {"coefficients", truth.coefficients},
                                         {"noise_sd", truth.noise_sd},
                                         {"correlation", truth.correlation}};
    return {{"data.csv", columns_csv(names, columns)}, {"truth.json", json.dump(2) + "\n"}, {"study.toml", study()}};
  }

 private:
  static std::string study() {
    return "# Which of the covariates does the response depend on?\n"
           "# Run it with: evident compare study.toml\n\n"
           "[data]\nfile = \"data.csv\"\n\n"
           "[sampler]\n"
           "method = \"all-in-one\"   # one sampler on all subsets of the covariates at once\n"
           "particles = 2000\n"
           "seed = 1\n\n"
           "[family]\n"
           "kind = \"linear-regression\"\n"
           "response = \"y\"          # every other column is a covariate\n"
           "inclusion = 0.5         # prior probability of each covariate to be in\n";
  }

  std::optional<std::string> observations_, coefficients_, intercept_, noise_, correlation_;
};

}  // namespace

std::unique_ptr<Simulation> regression_simulation() { return std::make_unique<RegressionSimulation>(); }

}  // namespace evident::cli
