// evident simulate gaussian-mixture
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "cmd/simulate/simulation.hpp"
#include "models/mixture/simulate.hpp"

namespace evident::cli {
namespace {

class MixtureSimulation final : public StudySimulation {
 public:
  std::string name() const override { return "gaussian-mixture"; }
  std::string description() const override { return "Observations from a mixture of normal distributions"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident simulate gaussian-mixture --seed 1 --out example\n"
           "  evident simulate gaussian-mixture --seed 1 --out two --means=-2,2 --sds 1,1 --weights 1,3\n"
           "  evident compare example/study.toml";
  }

  void declare(CLI::App& app) override {
    app.add_option("--observations", observations_, "number of observations (default 100)")->type_name("N");
    app.add_option("--means", means_, "means of the components (default -3,0,3,6)")->type_name("LIST");
    app.add_option("--sds", sds_, "standard deviations of the components (default 0.55 each)")->type_name("LIST");
    app.add_option("--weights", weights_, "weights of the components (default equal)")->type_name("LIST");
    app.add_option("--max-components", largest_, "the study compares 1 to this many (default 6)")->type_name("K");
  }

  SimulatedFiles simulate(std::uint64_t seed) const override {
    MixtureTruth truth;
    if (means_) {
      truth.means = number_list("means", *means_);
      truth.sds.assign(truth.means.size(), 0.55);
      truth.weights.assign(truth.means.size(), 1.0);
    }
    if (sds_) truth.sds = number_list("sds", *sds_);
    if (weights_) truth.weights = number_list("weights", *weights_);
    const std::size_t n = observations_ ? whole_number("observations", *observations_, 2, 10'000'000) : 100;
    const std::size_t largest = largest_ ? whole_number("max_components", *largest_, 1, 100) : 6;
    const std::vector<double> y = simulate_mixture(truth, n, Streams({.seed = seed}));
    const nlohmann::ordered_json json = {
        {"kind", name()},       {"seed", seed},     {"observations", n},       {"components", truth.means.size()},
        {"means", truth.means}, {"sds", truth.sds}, {"weights", truth.weights}};
    return {{"data.csv", columns_csv({"y"}, {y})}, {"truth.json", json.dump(2) + "\n"}, {"study.toml", study(largest)}};
  }

 private:
  static std::string study(std::size_t largest) {
    std::string out =
        "# How many normal components do the observations have?\n"
        "# Run it with: evident compare study.toml\n\n"
        "[data]\nfile = \"data.csv\"\ncolumn = \"y\"\n\n"
        "[sampler]\nparticles = 500\nseed = 1\n";
    for (std::size_t k = 1; k <= largest; ++k) {
      out += fmt::format(
          "\n[[model]]\nname = \"{0} component{1}\"\nkind = \"gaussian-mixture\"\ncomponents = {0}\n"
          "labels = \"ordered\"\n",
          k, k == 1 ? "" : "s");
    }
    return out;
  }

  std::optional<std::string> observations_, means_, sds_, weights_, largest_;
};

}  // namespace

std::unique_ptr<Simulation> mixture_simulation() { return std::make_unique<MixtureSimulation>(); }

}  // namespace evident::cli
