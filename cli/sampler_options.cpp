#include "sampler_options.hpp"

#include <fmt/format.h>

#include <limits>

#include "arguments.hpp"
#include "base/option.hpp"
#include "choices.hpp"
#include "compare/method.hpp"
#include "evident/base/error.hpp"
#include "output.hpp"
#include "report/text.hpp"
#include "study/sampler_keys.hpp"

namespace evident::cli {
namespace {

Method method(const std::string& name) {
  try {
    return find_method(name);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", option("method"), e.message()));
  }
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& m : methods()) names.emplace_back(m.name);
  return names;
}

double duration(const std::string& text) {
  try {
    return study::read_duration(text);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{} {}", option("time"), e.message()));
  }
}

}  // namespace

void SamplerOptions::declare(CLI::App& app) {
  offer(app.add_option("--method", method_, "how models are compared (default: that of the study, else direct)"),
        method_names())
      ->type_name("METHOD");
  app.add_option("--particles", particles_, "particles of each run")->type_name("N");
  app.add_option("--cess", cess_, "conditional effective sample size to keep at each step, in (0, 1)")->type_name("X");
  app.add_option("--seed", seed_, "seed of the random numbers")->type_name("S");
  app.add_option("--threads", threads_, "threads; 0 = one per core; results do not depend on it")->type_name("K");
  app.add_option("--replicates", replicates_, "independent adaptive runs of each model, in place of islands")
      ->type_name("R");
  app.add_option("--islands", islands_, "frozen runs after a pilot (default 8): errors, and a verdict")->type_name("R");
  offer(app.add_option("--recipe", recipe_, "islands: a pilot and frozen runs; adaptive: as in the paper"),
        {"islands", "adaptive"})
      ->type_name("RECIPE");
  app.add_flag("--no-pilot", no_pilot_, "the same as --recipe adaptive");
  app.add_option("--precision", precision_, "more islands until each standard error that matters is below this")
      ->type_name("X");
  app.add_option("--decide", decide_, "more islands until the best model's probability is surely above or below this")
      ->type_name("P");
  app.add_option("--time", time_, "the best answer within this time, such as 90s, 10m or 2h")->type_name("T");
  app.add_option("--model", models_, "run only this model; may be given several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_flag("--allow-code", allow_code_, "let models run code of their own: libraries and programs that you trust");
  app.add_flag("--allow-outside", allow_outside_, "let the study read data outside of its own folder");
}

study::Overrides SamplerOptions::overrides(const std::stop_token& stop, bool quiet) const {
  study::Overrides out;
  out.code = {.allowed = allow_code_, .outside = allow_outside_, .stop = stop};
  if (!quiet) out.code.notice = notice;
  if (method_) out.method = method(*method_);
  if (particles_) out.particles = whole_number("particles", *particles_, 2, study::kMaxParticles);
  if (cess_) out.cess = real_number("cess", *cess_, 0, 1, true);
  if (seed_) out.seed = whole_number("seed", *seed_, 0, std::numeric_limits<std::uint64_t>::max());
  if (threads_) out.threads = static_cast<unsigned>(whole_number("threads", *threads_, 0, study::kMaxThreads));
  if (replicates_) out.replicates = whole_number("replicates", *replicates_, 1, study::kMaxReplicates);
  if (islands_ && no_pilot_) throw InputError("--islands and --no-pilot exclude each other; give one of them");
  if (recipe_ && (islands_ || no_pilot_))
    throw InputError("--recipe excludes --islands and --no-pilot; give one of them");
  if (islands_) out.islands = whole_number("islands", *islands_, 0, study::kMaxReplicates);
  if (recipe_) out.islands = default_options(Method::direct, find_recipe(*recipe_)).islands;
  if (no_pilot_) out.islands = 0;
  if (precision_) out.goal.precision = real_number("precision", *precision_, 1e-4, 10, false);
  if (decide_) out.goal.decide = real_number("decide", *decide_, 0, 1, true);
  if (time_) out.goal.seconds = duration(*time_);
  out.models = models_;
  return out;
}

std::vector<std::pair<std::string, std::string>> SamplerOptions::given() const {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const char* name, const std::optional<std::string>& value) {
    if (value) out.emplace_back(name, *value);
  };
  add("method", method_);
  add("particles", particles_);
  add("cess", cess_);
  add("seed", seed_);
  add("replicates", replicates_);
  add("islands", islands_);
  add("recipe", recipe_);
  if (no_pilot_) out.emplace_back("no-pilot", "yes");
  add("precision", precision_);
  add("decide", decide_);
  add("time", time_);
  for (const std::string& m : models_) out.emplace_back("model", m);
  return out;
}

}  // namespace evident::cli
