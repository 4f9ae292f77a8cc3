#include "study/sampler_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "compare/method.hpp"
#include "evident/base/error.hpp"
#include "study/smc_keys.hpp"

namespace evident::study {
namespace {

using enum Method;

constexpr MethodSet kEvery = {direct, all_in_one,    relative, ais, population_mcmc,
                              rjmcmc, harmonic_mean, chib,     bic, data_tempering};
constexpr MethodSet kSmc = {direct, all_in_one, relative, ais, data_tempering};
constexpr MethodSet kResampling = {direct, all_in_one, relative, data_tempering};
constexpr MethodSet kMoving = {direct,          all_in_one, relative,      ais,
                               population_mcmc, rjmcmc,     harmonic_mean, data_tempering};
constexpr MethodSet kOwnMoves = {direct, all_in_one, relative, ais, population_mcmc, rjmcmc, harmonic_mean};
constexpr MethodSet kChains = {population_mcmc, rjmcmc, harmonic_mean};
constexpr MethodSet kIterated = {population_mcmc, rjmcmc, harmonic_mean, chib};
constexpr MethodSet kUnion = {all_in_one, relative, rjmcmc};
constexpr MethodSet kWithPower = {direct, all_in_one, relative, ais, data_tempering, population_mcmc};

constexpr std::array<SamplerKey, 38> kSamplerKeys = {{
    {"seed", "whole number", "1", "start of the random numbers; the same seed gives the same result", kEvery,
     KeyPlace::study},
    {"replicates", "whole number", "1", "independent adaptive runs of each model, in place of islands", kEvery,
     KeyPlace::study},
    {"recipe",
     "choice",
     "\"islands\"",
     "islands: a pilot, then frozen runs; adaptive: runs that adapt themselves, as in the paper",
     {direct},
     KeyPlace::study},
    {"islands",
     "whole number",
     "8",
     "frozen runs after a pilot, for an evidence with an error and a verdict; 0 = one adaptive run",
     {direct},
     KeyPlace::study},
    {"precision",
     "number",
     "",
     "add islands until the standard error of each log evidence that matters is below this",
     {direct},
     KeyPlace::study},
    {"decide",
     "number",
     "",
     "add islands until the best model's probability is above or below this with confidence",
     {direct},
     KeyPlace::study},
    {"time",
     "text",
     "",
     "give the best answer within this time: \"90s\", \"10m\" or \"2h\"",
     {direct},
     KeyPlace::study},
    {"threads", "whole number", "0", "threads to use; 0 = one per core; the result does not depend on it", kEvery,
     KeyPlace::study},
    {"method", "choice", "\"direct\"", "how models are compared; 'evident methods' lists them", kEvery,
     KeyPlace::study},
    {"particles", "whole number", "1000", "particles of each run", kSmc, KeyPlace::model},
    {"schedule", "choice", "\"cess\"", "cess, ess, linear, prior, posterior or list", kSmc, KeyPlace::model},
    {"cess", "number", "0.9 with islands, else 0.999",
     "conditional effective sample size to keep at each step, as a share, for cess", kSmc, KeyPlace::model},
    {"ess", "number", "0.999", "share of the effective sample size to keep at each step, for ess", kSmc,
     KeyPlace::model},
    {"steps", "whole number", "500", "number of steps, for linear, prior and posterior", kSmc, KeyPlace::model},
    {"power", "number", "5", "power of the prior and posterior schedules, and of such a ladder", kWithPower,
     KeyPlace::model},
    {"alphas", "list of numbers", "", "increasing tempering parameters that end at 1, for list", kSmc, KeyPlace::model},
    {"resample", "choice", "\"stratified\"", "multinomial, residual, stratified, systematic, residual-stratified",
     kResampling, KeyPlace::model},
    {"resample_threshold", "number", "0.5", "resample when the effective sample size is below this share", kSmc,
     KeyPlace::model},
    {"kernel", "choice", "\"automatic\" with islands, else \"random-walk\"",
     "random-walk, crank-nicolson, independent, or mala and hmc for models with a gradient; automatic: hmc where there "
     "are more than 50 coordinates and a gradient, else crank-nicolson",
     kMoving, KeyPlace::model},
    {"grouping", "choice", "\"blocks\"", "joint, blocks (of the model) or single: what one proposal changes", kMoving,
     KeyPlace::model},
    {"scale_rule", "choice", "\"jump\" with islands, else \"band\"",
     "adaptive, band, jump, or manual for kinds that define it", kMoving, KeyPlace::model},
    {"scale", "number", "2.38/sqrt(d)", "factor on the particles' own spread (mala: 1.65/d^(1/6))", kMoving,
     KeyPlace::model},
    {"band", "list of numbers", "[0.15, 0.5]", "acceptance to stay within, for band", kMoving, KeyPlace::model},
    {"passes", "whole number", "as many as it takes with islands, else 3", "moves at each step", kMoving,
     KeyPlace::model},
    {"waste_free",
     "whole number",
     "0",
     "keep every state of chains of this length, which divides particles; 0 = only the last",
     {direct, data_tempering},
     KeyPlace::model},
    {"mix_scales", "true or false", "false", "draw a scale of its own for each proposal", kMoving, KeyPlace::model},
    {"own_moves", "true or false", "true", "use the moves that a model brings along", kOwnMoves, KeyPlace::model},
    {"nan_limit", "number", "0.05", "share of NaN likelihoods above which a run fails", kSmc, KeyPlace::model},
    {"max_steps", "whole number", "100000", "steps after which a run is given up", kSmc, KeyPlace::model},
    {"jump_passes", "whole number", "1", "proposals of each kind of jump between models at every step", kUnion,
     KeyPlace::study},
    {"chains", "whole number", "30; rjmcmc 8; harmonic-mean 64",
     "chains side by side; for population-mcmc rungs of the ladder", kChains, KeyPlace::study},
    {"burn_in", "whole number", "2000; harmonic-mean 500; chib 1000", "iterations that are thrown away", kIterated,
     KeyPlace::study},
    {"iterations", "whole number", "5000; harmonic-mean 500; chib 10000", "iterations that are kept, of each chain",
     kIterated, KeyPlace::study},
    {"thin", "whole number", "1", "keep every so many-th draw of the parameters", {rjmcmc}, KeyPlace::study},
    {"ladders",
     "whole number",
     "1",
     "independent ladders side by side; 4 or more give an error",
     {population_mcmc},
     KeyPlace::study},
    {"update",
     "choice",
     "\"parallel\"",
     "parallel: every chain moves in each iteration; serial: one of them",
     {population_mcmc},
     KeyPlace::study},
    {"ladder",
     "choice",
     "\"prior\"",
     "linear, prior or posterior: where the rungs stand",
     {population_mcmc},
     KeyPlace::study},
    {"adaptive_ladder",
     "true or false",
     "false",
     "spread the rungs during the burn-in",
     {population_mcmc},
     KeyPlace::study},
}};

constexpr std::uint64_t kMaxChains = 100'000, kMaxIterations = 1'000'000'000, kMaxDraws = 50'000'000;

// Known keys, and of those only the ones that the method heeds.
void check_keys(const Section& section, const MethodChoice& method) {
  std::vector<std::string_view> names;
  for (const SamplerKey& key : kSamplerKeys) names.push_back(key.name);
  section.check_keys(names);
  for (const Entry& entry : section.entries()) {
    const SamplerKey& key = sampler_key(entry.key);
    if (key.methods.has(method.chosen) || key.methods.has(method.written)) continue;
    section.fail(key.name, fmt::format("has no effect with method \"{}\"; it belongs to {}", info(method.chosen).name,
                                       methods_text(key)));
  }
}

// `power` is that of the ladder in a file that has one, and otherwise that of the schedule.
bool power_is_of_ladder(const Section& section, const MethodChoice& method) {
  return section.has("ladder") || method.written == population_mcmc;
}

void apply_smc_keys(const Section& section, const MethodChoice& method, SmcOptions& options) {
  if (const auto n = section.integer("particles", 2, kMaxParticles)) options.particles = *n;
  options.schedule = read_schedule(section, options.schedule, !power_is_of_ladder(section, method));
  options.resample = read_scheme(section, options.resample);
  if (const auto x = section.number("resample_threshold", between(0, 1))) {
    if (method.chosen == ais && *x > 0)
      section.fail("resample_threshold", "must be 0 with method \"ais\", which never resamples; remove it");
    options.resample_threshold = *x;
  }
  if (const auto x = section.number("nan_limit", between(0, 1))) options.nan_limit = *x;
  if (const auto n = section.integer("max_steps", 1, 1'000'000'000)) options.max_steps = *n;
  read_kernel(section, options.kernel);
  if (const auto n = section.integer("waste_free", 0, kMaxParticles)) {
    options.waste_free = *n;
    if (*n > 0 && options.kernel.until_mixed) options.kernel.until_mixed.reset(), options.kernel.passes = 1;
  }
}

Schedule read_ladder(const Section& section, const Schedule& present, bool own_power) {
  constexpr std::array<std::string_view, 3> shapes = {"linear", "prior", "posterior"};
  const auto name = section.choice("ladder", shapes);
  const double power = own_power ? section.number("power", above(0)).value_or(0) : 0;  // 0 when it is not given
  if (name == "linear") {
    if (power > 0) section.fail("power", "has no effect with ladder \"linear\"");
    return LinearSchedule{};
  }
  if (name == "posterior") return PosteriorSchedule{.power = power > 0 ? power : PosteriorSchedule{}.power};
  if (name == "prior" || power > 0) return PowerSchedule{.power = power > 0 ? power : PowerSchedule{}.power};
  return present;
}

void apply_chain_keys(const Section& section, const MethodChoice& method, CompareOptions& options) {
  PopulationMcmcOptions& ladder = options.population_mcmc;
  // Chains that walk between models learn their proposals in the burn-in, and their errors come from batches.
  const bool jumping = method.chosen == rjmcmc;
  // Each is for the method at hand; the others do not look at it.
  if (const auto n = section.integer("chains", jumping ? 1 : 2, kMaxChains))
    ladder.chains = options.rjmcmc.chains = options.posterior_chain.chains = *n;
  if (const auto n = section.integer("burn_in", jumping ? 100 : 0, kMaxIterations))
    ladder.burn_in = options.rjmcmc.burn_in = options.posterior_chain.burn_in = options.chib.burn_in = *n;
  if (const auto n = section.integer("iterations", jumping ? 20 : 2, kMaxIterations))
    ladder.iterations = options.rjmcmc.iterations = options.posterior_chain.iterations = options.chib.draws = *n;
  const PosteriorChainOptions& posterior = options.posterior_chain;
  if (method.chosen == harmonic_mean && posterior.iterations > kMaxDraws / posterior.chains)  // all are kept
    section.fail("iterations",
                 fmt::format("times chains must not be above {} with method \"harmonic-mean\"", kMaxDraws));
  if (const auto n = section.integer("thin", 1, kMaxIterations)) options.rjmcmc.thin = *n;
  if (const auto n = section.integer("ladders", 1, kMaxChains)) ladder.ladders = *n;
  constexpr std::array<std::string_view, 2> updates = {"parallel", "serial"};
  if (const auto name = section.choice("update", updates))
    ladder.update = *name == "serial" ? ChainUpdate::serial : ChainUpdate::parallel;
  ladder.ladder = read_ladder(section, ladder.ladder, power_is_of_ladder(section, method));
  if (const auto yes = section.flag("adaptive_ladder")) ladder.adaptive_ladder = *yes;
  if (const auto n = section.integer("jump_passes", 1, 10'000)) options.jump_passes = *n;
}

}  // namespace

std::span<const SamplerKey> sampler_keys() { return kSamplerKeys; }

const SamplerKey& sampler_key(std::string_view name) {
  for (const SamplerKey& key : kSamplerKeys)
    if (key.name == name) return key;
  throw InputError(fmt::format("[sampler] has no key '{}'", name));
}

std::string methods_text(const SamplerKey& key) {
  std::vector<std::string_view> names;
  for (const MethodInfo& m : methods())
    if (key.methods.has(m.method)) names.push_back(m.name);
  return names.size() == methods().size() ? "all methods" : fmt::format("{}", fmt::join(names, ", "));
}

MethodChoice read_method(const std::optional<Section>& sampler, const std::optional<Method>& override_by) {
  std::vector<std::string_view> names;
  for (const MethodInfo& m : methods()) names.push_back(m.name);
  MethodChoice choice;
  if (sampler)
    if (const auto name = sampler->choice("method", names)) choice.written = find_method(*name);
  choice.chosen = override_by.value_or(choice.written);
  return choice;
}

namespace {

/// Islands that the section asks for: by their number, by the recipe, or by replicates, which take their place.
std::optional<std::size_t> read_islands(const Section& section) {
  constexpr std::array<std::string_view, 2> recipes = {"islands", "adaptive"};
  const auto number = section.integer("islands", 0, kMaxReplicates);
  if (const auto recipe = section.choice("recipe", recipes)) {
    if ((*recipe == "adaptive") != (number.value_or(*recipe == "adaptive" ? 0 : 1) == 0))
      section.fail("recipe", fmt::format("= \"{}\" does not fit islands = {}; remove one of them", *recipe, *number));
    if (*recipe == "islands" && section.has("replicates"))
      section.fail("replicates", "has no effect with recipe = \"islands\"; remove one of them");
    if (*recipe == "adaptive") return 0;
    return number;
  }
  if (!number && section.has("replicates")) return 0;
  return number;
}

}  // namespace

CompareOptions read_options(const std::optional<Section>& section, const MethodChoice& method,
                            std::optional<std::size_t> islands) {
  if (!islands && section && method.chosen == direct) islands = read_islands(*section);
  CompareOptions out = default_options(method.chosen, islands == 0U ? Recipe::adaptive : Recipe::islands);
  if (islands) out.islands = *islands;
  if (section) apply_sampler_keys(*section, method, out);
  return out;
}

double read_duration(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  const double seconds = value * factor;
  if (status != std::errc{} || !(seconds > 0) || !std::isfinite(seconds))
    throw InputError(fmt::format("must be a time above 0, such as 90s, 10m or 2h, was '{}'", text));
  return seconds;
}

namespace {

void apply_goal_keys(const Section& section, Goal& goal) {
  if (const auto x = section.number("precision", between(1e-4, 10))) goal.precision = *x;
  if (const auto x = section.number("decide", above_and_below(0, 1))) goal.decide = *x;
  if (const auto text = section.text("time")) {
    try {
      goal.seconds = read_duration(*text);
    } catch (const InputError& e) {
      section.fail("time", e.message());
    }
  }
}

}  // namespace

void apply_sampler_keys(const Section& section, const MethodChoice& method, CompareOptions& options) {
  check_keys(section, method);
  apply_smc_keys(section, method, *options.smc);
  apply_chain_keys(section, method, options);
  if (const auto seed = section.integer("seed", 0, std::uint64_t{1} << 63)) options.seed = *seed;
  if (const auto n = section.integer("replicates", 1, kMaxReplicates)) options.replicates = *n;
  if (section.has("replicates") && section.integer("islands", 0, kMaxReplicates).value_or(0) > 0)
    section.fail("replicates", "has no effect with islands, which are the runs then; remove one of them");
  if (method.chosen == direct) apply_goal_keys(section, options.goal);
  if (const auto n = section.integer("threads", 0, kMaxThreads)) options.threads = static_cast<unsigned>(*n);
}

void apply_model_keys(const Section& section, const MethodChoice& method, SmcOptions& options) {
  check_keys(section, method);
  for (const Entry& entry : section.entries()) {
    const bool of_ladder = entry.key == "power" && power_is_of_ladder(section, method);
    if (sampler_key(entry.key).place == KeyPlace::study || of_ladder)
      section.fail(entry.key, "is for the whole study; put it in [sampler]");
  }
  apply_smc_keys(section, method, options);
}

}  // namespace evident::study
