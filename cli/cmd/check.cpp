// evident check: is a study sound? Reads it, draws from the priors, and tells what a run would meet.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>

#include "arguments.hpp"
#include "command.hpp"
#include "compare/method.hpp"
#include "evident/base/error.hpp"
#include "evident/study/study.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report/check.hpp"
#include "sampler_options.hpp"

namespace evident::cli {
namespace {

constexpr std::size_t kMostOfFamily = 10;

class CheckCommand final : public Command {
 public:
  std::string name() const override { return "check"; }
  std::string description() const override { return "Look whether a study is sound, without running it"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident check study.toml\n"
           "  evident check study.toml --quick\n"
           "  evident check study.toml --json | jq '.models[] | {name, findings}'\n"
           "\n"
           "Exit status: 0 no problems, 1 a problem was found, 2 bad usage or input, 130 or 143 stopped by a signal.";
  }

  void declare(CLI::App& app) override {
    app.add_option("study", study_, "the study, a TOML file")->required()->type_name("STUDY.toml");
    app.add_option("--draws", draws_, "draws of each prior (default 1000)")->type_name("N");
    app.add_flag("--quick", quick_, "no forecast, and no search for modes: both take some seconds");
    app.add_flag("--json", json_, "print one JSON document");
    sampler_.declare_few(app, {"seed", "threads"});
  }

  void run() override {
    ModelCheckOptions options;
    if (draws_) options.draws = whole_number("draws", *draws_, 16, 1'000'000);
    const study::Study study = study::read_study(study_, sampler_.overrides(interrupt().token(), false));
    interrupt().check();

    report::CheckedStudy checked{.study = std::filesystem::path(study.file).filename().string(),
                                 .method = std::string(info(study.options.method).name)};
    checked.models = check_models(study, options);
    interrupt().check();
    print(json_ ? report::check_json(checked) : report::check_text(checked));
    for (const report::CheckedModel& m : checked.models)
      if (m.check.has_problem()) throw RunError(fmt::format("a problem was found in model '{}'", m.name));
  }

 private:
  std::vector<report::CheckedModel> check_models(const study::Study& study, ModelCheckOptions options) const {
    const Executor executor(study.options.threads, interrupt().token());
    std::vector<report::CheckedModel> out;
    const auto add = [&](const std::string& name, const std::string& kind, const Model& model) {
      const Streams streams({.seed = study.options.seed, .model = static_cast<std::uint32_t>(out.size())});
      try {
        out.push_back({name, kind, check_model(model, options, {streams, executor, interrupt().token()})});
      } catch (const RunError& e) {
        throw RunError(fmt::format("model '{}': {}", name, e.message()));
      }
    };
    options.modes = !quick_;
    options.replicates = study.options.replicates;
    options.islands = study.options.with_islands() ? study.options.islands : 0;
    for (const study::StudyModel& m : study.models) {
      options.smc = m.candidate.smc.value_or(*study.options.smc);
      options.forecast = !quick_ && study.options.method == Method::direct;
      add(m.candidate.name, m.kind, *m.candidate.model);
    }
    if (!study.models.empty() || !study.family) return out;
    options.forecast = false;  // one run serves all models
    for (const auto& [index, name] : some_of(*study.family, study.options.seed))
      add(name, study.family_kind, study.family->family->model(index));
    return out;
  }

  /// The first models of the list; without a list, a few that the prior draws.
  static std::vector<std::pair<ModelIndex, std::string>> some_of(const FamilyCandidate& candidate, std::uint64_t seed) {
    std::vector<std::pair<ModelIndex, std::string>> out = candidate.listed;
    if (out.size() > kMostOfFamily) out.resize(kMostOfFamily);
    if (!out.empty()) return out;
    const ModelFamily& family = *candidate.family;
    Stream random = Streams({.seed = seed}).at({});
    std::set<ModelIndex> drawn;
    for (std::size_t tries = 0; tries < kMostOfFamily; ++tries) drawn.insert(family.prior().draw(random));
    for (const ModelIndex k : drawn) out.emplace_back(k, family.name(k));
    return out;
  }

  std::string study_;
  std::optional<std::string> draws_;
  SamplerOptions sampler_;
  bool quick_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace evident::cli
