// evident simulate KIND: data with a known truth, and a study that is ready to run.
#include <fmt/format.h>

#include <limits>
#include <optional>

#include "arguments.hpp"
#include "base/option.hpp"
#include "cmd/simulate/simulation.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report/output_folder.hpp"
#include "report/text.hpp"

namespace evident::cli {
namespace {

class Simulate final : public Command {
 public:
  Simulate() {
    simulations_.push_back(mixture_simulation());
    simulations_.push_back(goodwin_simulation());
    simulations_.push_back(regression_simulation());
    simulations_.push_back(pet_simulation());
    simulations_.push_back(pet_image_simulation());
  }

  std::string name() const override { return "simulate"; }
  std::string description() const override { return "Make data with a known truth and a study for them"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident simulate gaussian-mixture --seed 1 --out example\n"
           "  evident compare example/study.toml\n\n"
           "'evident simulate KIND --help' tells what a kind takes.";
  }
  std::vector<std::string> parts() const override {
    std::vector<std::string> names;
    for (const auto& simulation : simulations_) names.push_back(simulation->name());
    return names;
  }

  void declare(CLI::App& app) override {
    app.require_subcommand(1);
    for (const auto& simulation : simulations_) {
      CLI::App* part = app.add_subcommand(simulation->name(), simulation->description());
      part->footer(simulation->examples());
      part->allow_extras();
      part->add_option("--seed", seed_, "seed of the random numbers (default 1)")->type_name("S");
      part->add_option("--out", out_, "folder to write to")->required()->type_name("DIR");
      part->add_flag("--force", force_, "replace the files of an earlier simulation");
      simulation->declare(*part);
      part->callback([this, chosen = simulation.get()] { chosen_ = chosen; });
    }
  }

  void run() override {
    const std::uint64_t seed = seed_ ? whole_number("seed", *seed_, 0, std::numeric_limits<std::uint64_t>::max()) : 1;
    if (out_.empty()) throw InputError(option("out") + " must not be empty");
    chosen_->prepare(seed);
    report::OutputFolder folder(out_, force_);
    const std::vector<std::string> names = chosen_->write(folder.path());
    interrupt().check();
    folder.publish();
    print(fmt::format("Wrote to {}: {}\n", report::printable(out_), fmt::join(names, " ")));
  }

 private:
  std::vector<std::unique_ptr<Simulation>> simulations_;
  Simulation* chosen_ = nullptr;
  std::optional<std::string> seed_;
  std::string out_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> simulate_command() { return std::make_unique<Simulate>(); }

}  // namespace evident::cli
