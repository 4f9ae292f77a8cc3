#include "study/sampler_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/option.hpp"
#include "base/suggest.hpp"
#include "compare/method.hpp"
#include "evident/base/error.hpp"
#include "particles/resample.hpp"
#include "study/schedule_options.hpp"

namespace evident::study {
namespace {

using enum Method;
using enum Place;
using enum SetBy;

constexpr MethodSet kEvery = {direct, all_in_one,    relative, ais, population_mcmc,
                              rjmcmc, harmonic_mean, chib,     bic, data_tempering};
constexpr MethodSet kSmc = {direct, all_in_one, relative, ais, data_tempering};
constexpr MethodSet kFromPrior = {direct, relative, ais, data_tempering};
constexpr MethodSet kResampling = {direct, all_in_one, relative, data_tempering};
constexpr MethodSet kMoving = {direct,          all_in_one, relative,      ais,
                               population_mcmc, rjmcmc,     harmonic_mean, data_tempering};
constexpr MethodSet kOwnMoves = {direct, all_in_one, relative, ais, population_mcmc, rjmcmc, harmonic_mean};
constexpr MethodSet kChains = {population_mcmc, rjmcmc, harmonic_mean};
constexpr MethodSet kIterated = {population_mcmc, rjmcmc, harmonic_mean, chib};
constexpr MethodSet kIslands = {direct, all_in_one};
constexpr MethodSet kUnion = {all_in_one, relative, rjmcmc};
constexpr MethodSet kWithPower = {direct, all_in_one, relative, ais, data_tempering, population_mcmc};

constexpr std::uint64_t kMaxReplicates = 100'000, kMaxChains = 100'000, kMaxIterations = 1'000'000'000;

constexpr Words<KernelKind, 6> kKernels = {{{"random-walk", KernelKind::random_walk},
                                            {"crank-nicolson", KernelKind::crank_nicolson},
                                            {"mala", KernelKind::mala},
                                            {"hmc", KernelKind::hmc},
                                            {"independent", KernelKind::independent},
                                            {"automatic", KernelKind::automatic}}};
constexpr Words<Grouping, 3> kGroupings = {
    {{"joint", Grouping::joint}, {"blocks", Grouping::blocks}, {"single", Grouping::single}}};
constexpr Words<ScaleRule, 4> kScaleRules = {{{"adaptive", ScaleRule::adaptive},
                                              {"band", ScaleRule::band},
                                              {"jump", ScaleRule::jump},
                                              {"manual", ScaleRule::manual}}};
constexpr Words<Recipe, 2> kRecipes = {{{"islands", Recipe::islands}, {"adaptive", Recipe::adaptive}}};
constexpr Words<ChainUpdate, 2> kUpdates = {{{"parallel", ChainUpdate::parallel}, {"serial", ChainUpdate::serial}}};

std::span<const std::string_view> scheme_names() {
  using enum ResampleScheme;
  static const std::array list = {name(multinomial), name(residual), name(stratified), name(systematic),
                                  name(residual_stratified)};
  return list;
}

std::span<const std::string_view> method_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> out;
    for (const MethodInfo& m : methods()) out.push_back(m.name);
    return out;
  }();
  return names;
}

// Setters of a member that stands alone.
template <class Owner, class Member, class T>
void assign(Owner& owner, Member Owner::*member, T value) {
  owner.*member = static_cast<Member>(value);
}
template <auto member, class T>
void of_smc(SamplerTarget& t, T value) {
  assign(t.smc, member, value);
}
template <auto member, class T>
void of_kernel(SamplerTarget& t, T value) {
  assign(t.smc.kernel, member, value);
}
template <const auto& words, auto member>
void word_of_kernel(SamplerTarget& t, std::string_view word) {
  assign(t.smc.kernel, member, meaning(words, word));
}
template <auto member, class T>
void of_study(SamplerTarget& t, T value) {
  assign(*t.study, member, value);
}
template <auto member, class T>
void of_ladder(SamplerTarget& t, T value) {
  assign(t.study->population_mcmc, member, value);
}
template <auto member>
void of_goal(SamplerTarget& t, double value) {
  if (t.method.chosen == direct) assign(t.study->goal, member, value);
}
/// Of what read_options begins with.
template <class T>
void set_before(SamplerTarget& /*t*/, T /*value*/) {}

void set_resample_threshold(SamplerTarget& t, double share) {
  if (t.method.chosen == ais && share > 0)
    throw InputError("must be 0 with method \"ais\", which never resamples; remove it");
  t.smc.resample_threshold = share;
}

void set_band(SamplerTarget& t, const std::vector<double>& band) {
  KernelOptions& kernel = t.smc.kernel;
  if (kernel.scale_rule != ScaleRule::band) throw InputError("has no effect without scale_rule = \"band\"");
  if (band.size() != 2 || !(band[0] < band[1])) throw InputError("must be two numbers, low then high");
  kernel.band_low = band[0];
  kernel.band_high = band[1];
}

void set_passes(SamplerTarget& t, std::uint64_t n) {
  t.smc.kernel.passes = n;
  t.smc.kernel.until_mixed.reset();
}

void set_waste_free(SamplerTarget& t, std::uint64_t n) {
  t.smc.waste_free = n;
  if (n > 0 && t.smc.kernel.until_mixed) set_passes(t, 1);
}

void set_chains(SamplerTarget& t, std::uint64_t n) {
  t.study->population_mcmc.chains = t.study->rjmcmc.chains = t.study->posterior_chain.chains = n;
}

void set_burn_in(SamplerTarget& t, std::uint64_t n) {
  CompareOptions& o = *t.study;
  o.population_mcmc.burn_in = o.rjmcmc.burn_in = o.posterior_chain.burn_in = o.chib.burn_in = n;
}

void set_iterations(SamplerTarget& t, std::uint64_t n) {
  CompareOptions& o = *t.study;
  o.population_mcmc.iterations = o.rjmcmc.iterations = o.posterior_chain.iterations = o.chib.draws = n;
}

void set_update(SamplerTarget& t, std::string_view word) { t.study->population_mcmc.update = meaning(kUpdates, word); }
void set_resample(SamplerTarget& t, std::string_view word) { t.smc.resample = resample_scheme(word); }

constexpr std::array<SamplerOption, 39> kOptions = {{
    {"method", Word{method_names, set_before}, "\"direct\"", "how models are compared; 'evident methods' lists them",
     kEvery, study, everyone},
    {"particles", WholeNumber{2, kMaxParticles, of_smc<&SmcOptions::particles>}, "1000", "particles of each run", kSmc,
     model, everyone},
    {"schedule", Word{names<kSchedules>, set_schedule}, "\"cess\"", "how the steps from prior to posterior are chosen",
     kSmc, model},
    {"cess", Number{above_and_below(0, 1), set_cess}, "0.9 with islands, else 0.999",
     "share of the conditional effective sample size to keep at each step, for schedule cess", kSmc, model, everyone},
    {"ess", Number{above_and_below(0, 1), set_ess}, "0.999",
     "share of the effective sample size to keep at each step, for schedule ess", kSmc, model},
    {"alphas", Numbers{between(0, 1), set_alphas}, "",
     "increasing tempering parameters that end at 1, for schedule list", kSmc, model},
    {"steps", WholeNumber{1, 10'000'000, set_steps}, "500",
     "number of steps, for schedules linear, prior and posterior", kSmc, model},
    {"ladder", Word{names<kLadders>, set_ladder}, "\"prior\"", "where the rungs stand", {population_mcmc}, study},
    {"power", Number{above(0), set_power}, "5", "power of the prior and posterior schedules, and of such a ladder",
     kWithPower, model},
    {"seed", WholeNumber{0, std::numeric_limits<std::uint64_t>::max(), of_study<&CompareOptions::seed>}, "1",
     "start of the random numbers; the same seed gives the same result", kEvery, study, everyone},
    {"threads", WholeNumber{0, kMaxThreads, of_study<&CompareOptions::threads>}, "0",
     "threads to use; 0 = one per core; the result does not depend on it", kEvery, study, everyone},
    {"replicates", WholeNumber{1, kMaxReplicates, of_study<&CompareOptions::replicates>}, "1",
     "independent adaptive runs of each model, in place of islands", kEvery, study, everyone},
    {"islands", WholeNumber{0, kMaxReplicates, set_before}, "8",
     "frozen runs after a pilot, for an evidence with an error and a verdict; 0 = one adaptive run", kIslands, study,
     everyone},
    {"recipe", Word{names<kRecipes>, set_before}, "\"islands\"",
     "islands: a pilot, then frozen runs; adaptive: runs that adapt themselves, as in the paper", kIslands, study,
     everyone},
    {"precision",
     Number{between(kFinestPrecision, 10), of_goal<&Goal::precision>},
     "",
     "add islands until the standard error of each log evidence that matters is below this",
     {direct},
     study,
     everyone},
    {"decide",
     Number{above_and_below(0, 1), of_goal<&Goal::decide>},
     "",
     "add islands until the best model's probability is above or below this with confidence",
     {direct},
     study,
     everyone},
    {"time",
     Duration{of_goal<&Goal::seconds>},
     "",
     "give the best answer within this time, such as 90s, 10m or 2h",
     {direct},
     study,
     everyone},
    {"resample", Word{scheme_names, set_resample}, "\"stratified\"", "how particles are resampled", kResampling, model},
    {"resample_threshold", Number{between(0, 1), set_resample_threshold}, "0.5",
     "resample when the effective sample size is below this share", kSmc, model},
    {"kernel", Word{names<kKernels>, word_of_kernel<kKernels, &KernelOptions::kind>},
     "\"automatic\" with islands, else \"random-walk\"",
     "how particles move; mala and hmc are for models with a gradient; automatic: hmc where there are more than 50 "
     "coordinates and a gradient, else crank-nicolson",
     kMoving, model},
    {"grouping", Word{names<kGroupings>, word_of_kernel<kGroupings, &KernelOptions::grouping>}, "\"blocks\"",
     "what one proposal changes: all coordinates, the blocks of the model, or single ones", kMoving, model},
    {"scale_rule", Word{names<kScaleRules>, word_of_kernel<kScaleRules, &KernelOptions::scale_rule>},
     "\"jump\" with islands, else \"band\"", "how proposals are scaled; manual is for kinds that define it", kMoving,
     model},
    {"scale", Number{above(0), of_kernel<&KernelOptions::scale>}, "2.38/sqrt(d)",
     "factor on the particles' own spread (mala: 1.65/d^(1/6))", kMoving, model},
    {"band", Numbers{above_and_below(0, 1), set_band}, "[0.15, 0.5]", "acceptance to stay within, for scale_rule band",
     kMoving, model},
    {"passes", WholeNumber{1, 10'000, set_passes}, "as many as it takes with islands, else 3", "moves at each step",
     kMoving, model},
    {"waste_free",
     WholeNumber{0, kMaxParticles, set_waste_free},
     "0",
     "keep every state of chains of this length, which divides particles; 0 = only the last",
     {direct, data_tempering},
     model},
    {"mix_scales", YesNo{of_kernel<&KernelOptions::mix_scales>}, "false", "draw a scale of its own for each proposal",
     kMoving, model},
    {"own_moves", YesNo{of_kernel<&KernelOptions::own_moves>}, "true", "use the moves that a model brings along",
     kOwnMoves, model},
    {"max_prior_draws", WholeNumber{0, 1'000'000'000, of_smc<&SmcOptions::max_prior_draws>}, "1000000",
     "where the likelihood is zero on most of the prior: draws at most of each run, to find possible ones", kFromPrior,
     model},
    {"nan_limit", Number{between(0, 1), of_smc<&SmcOptions::nan_limit>}, "0.99",
     "share of NaN likelihoods above which a run fails", kSmc, model},
    {"max_steps", WholeNumber{1, 1'000'000'000, of_smc<&SmcOptions::max_steps>}, "100000",
     "steps after which a run is given up", kSmc, model},
    {"jump_passes", WholeNumber{1, 10'000, of_study<&CompareOptions::jump_passes>}, "1",
     "proposals of each kind of jump between models at every step", kUnion, study},
    {"chains", WholeNumber{2, kMaxChains, set_chains, 1}, "30; rjmcmc 8; harmonic-mean 64",
     "chains side by side; for population-mcmc rungs of the ladder", kChains, study},
    {"burn_in", WholeNumber{0, kMaxIterations, set_burn_in, 100}, "2000; harmonic-mean 500; chib 1000",
     "iterations that are thrown away", kIterated, study},
    {"iterations", WholeNumber{2, kMaxIterations, set_iterations, 20}, "5000; harmonic-mean 500; chib 10000",
     "iterations that are kept, of each chain", kIterated, study},
    {"thin",
     WholeNumber{1, kMaxIterations, [](SamplerTarget& t, std::uint64_t n) { t.study->rjmcmc.thin = n; }},
     "1",
     "keep every so many-th draw of the parameters",
     {rjmcmc},
     study},
    {"ladders",
     WholeNumber{1, kMaxChains, of_ladder<&PopulationMcmcOptions::ladders>},
     "1",
     "independent ladders side by side; 4 or more give an error",
     {population_mcmc},
     study},
    {"update",
     Word{names<kUpdates>, set_update},
     "\"parallel\"",
     "parallel: every chain moves in each iteration; serial: one of them",
     {population_mcmc},
     study},
    {"adaptive_ladder",
     YesNo{of_ladder<&PopulationMcmcOptions::adaptive_ladder>},
     "false",
     "spread the rungs during the burn-in",
     {population_mcmc},
     study},
}};

}  // namespace

std::span<const SamplerOption> sampler_options() { return kOptions; }

const SamplerOption& sampler_option(std::string_view name) {
  const auto found = std::ranges::find(kOptions, name, &SamplerOption::name);
  if (found != kOptions.end()) return *found;
  std::vector<std::string_view> known;
  for (const SamplerOption& one : kOptions) known.push_back(one.name);
  throw InputError(fmt::format("{} is unknown{}", option(name), did_you_mean(name, known)));
}

std::string methods_text(const SamplerOption& option) {
  std::vector<std::string_view> names;
  for (const MethodInfo& m : methods())
    if (option.methods.has(m.method)) names.push_back(m.name);
  return names.size() == methods().size() ? "all methods" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace evident::study
