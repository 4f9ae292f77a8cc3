#include "study/read_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/option.hpp"
#include "base/overloaded.hpp"
#include "evident/base/error.hpp"

namespace evident::study {
namespace {

constexpr std::uint64_t kMaxDraws = 50'000'000;

Value value_of(const SettingValue& given) {
  const auto list = [](const std::vector<double>& numbers) {
    Value::Array out;
    for (const double x : numbers) out.push_back({.data = x});
    return Value{.data = out};
  };
  return std::visit(Overloaded{list, [](const auto& x) { return Value{.data = x}; }}, given);
}

void fail_without_effect(const Section& section, const SamplerOption& option, Method method) {
  section.fail(option.name, fmt::format("has no effect with method \"{}\"; it belongs to {}", info(method).name,
                                        methods_text(option)));
}

// Known keys, and of those only the ones that the method heeds.
void check_keys(const Section& section, const MethodChoice& method) {
  std::vector<std::string_view> names;
  for (const SamplerOption& option : sampler_options()) names.push_back(option.name);
  section.check_keys(names);
  for (const Entry& entry : section.entries()) {
    const SamplerOption& option = sampler_option(entry.key);
    if (!option.methods.has(method.chosen) && !option.methods.has(method.written))
      fail_without_effect(section, option, method.chosen);
  }
}

/// Reads the value of an option that the section has, and sets it.
void set(const Section& section, const SamplerOption& option, SamplerTarget& target) {
  const std::string_view key = option.name;
  const auto guarded = [&](const auto& setting) {  // setters know no place
    try {
      setting();
    } catch (const InputError& e) {
      section.fail(key, e.message());
    }
  };
  const auto give = [&](const auto& takes, const auto& value) { guarded([&] { takes.set(target, value.value()); }); };
  const bool jumping = target.method.chosen == Method::rjmcmc;
  std::visit(
      Overloaded{
          [&](const WholeNumber& n) { give(n, section.integer(key, jumping ? n.least_of_rjmcmc : n.least, n.most)); },
          [&](const Number& x) { give(x, section.number(key, x.range)); },
          [&](const Numbers& x) { give(x, section.numbers(key, x.range)); },
          [&](const YesNo& y) { give(y, section.flag(key)); },
          [&](const Word& w) { give(w, section.choice(key, w.words())); },
          [&](const Duration& d) {
            const std::string text = section.text(key).value();
            guarded([&] { d.set(target, read_duration(text)); });
          },
      },
      option.takes);
}

/// Does the section say how particles move?
bool names_moves(const Section& section) {
  constexpr std::array<std::string_view, 6> keys = {"kernel", "grouping", "scale_rule", "scale", "band", "mix_scales"};
  return std::ranges::any_of(keys, [&](std::string_view key) { return section.has(key); });
}

/// Sets what the section names; for one model, what may stand there.
void set_all(const Section& section, SamplerTarget target) {
  KernelKind& kind = target.smc.kernel.kind;
  // Whoever says how particles move gets the moves that the keys were written for.
  if (kind == KernelKind::automatic && names_moves(section)) kind = KernelKind::crank_nicolson;
  target.power_is_of_ladder = section.has("ladder") || target.method.written == Method::population_mcmc;
  for (const SamplerOption& option : sampler_options())
    if (section.has(option.name) && (target.study != nullptr || option.place == Place::model))
      set(section, option, target);
  const auto* list = std::get_if<ListSchedule>(&target.smc.schedule);
  if (list != nullptr && list->alphas.empty())
    section.fail("schedule", "= \"list\" needs the values: alphas = [0.001, 0.1, 1]");
}

void check_draws(const Section& section, const CompareOptions& options) {
  const PosteriorChainOptions& chain = options.posterior_chain;
  if (options.method == Method::harmonic_mean && chain.iterations > kMaxDraws / chain.chains)  // all are kept
    section.fail("iterations",
                 fmt::format("times chains must not be above {} with method \"harmonic-mean\"", kMaxDraws));
}

/// The value of a word, when the section has it.
std::optional<std::string> word_of(const Section& section, std::string_view key) {
  return section.choice(key, std::get<Word>(sampler_option(key).takes).words());
}

}  // namespace

Section section_of(const Settings& settings) {
  Value::Table entries;
  for (const auto& [key, value] : settings)
    entries.push_back({.key = std::string(sampler_option(key).name), .value = value_of(value)});
  return Section::of_options(std::move(entries));
}

MethodChoice read_method(const Section& sampler, const Section& given) {
  MethodChoice choice;
  if (const auto name = word_of(sampler, "method")) choice.written = find_method(*name);
  const auto name = word_of(given, "method");
  choice.chosen = name ? find_method(*name) : choice.written;
  return choice;
}

std::optional<std::size_t> islands_of(const Section& section) {
  const auto& takes = std::get<WholeNumber>(sampler_option("islands").takes);
  const auto number = section.integer("islands", takes.least, takes.most);
  const auto recipe = word_of(section, "recipe");
  const bool adaptive = recipe == "adaptive", replicates = section.has("replicates");
  if (recipe && number && adaptive != (*number == 0))
    section.fail("islands", fmt::format("does not fit {}; remove one of them", section.mention("recipe", *recipe)));
  if (replicates && number.value_or(0) > 0)
    section.fail("replicates", fmt::format("has no effect with {}, which are the runs then; remove one of them",
                                           section.mention("islands")));
  if (replicates && recipe == "islands")
    section.fail("replicates",
                 fmt::format("has no effect with {}; remove one of them", section.mention("recipe", *recipe)));
  if (number) return number;
  if (recipe) return default_options(Method::direct, find_recipe(*recipe)).islands;
  return replicates ? std::optional<std::size_t>(0) : std::nullopt;
}

CompareOptions read_options(const Section& sampler, const MethodChoice& method, std::optional<std::size_t> islands) {
  const std::optional<std::size_t> own = islands_of(sampler);
  if (!islands && sampler_option("islands").methods.has(method.chosen)) islands = own;
  CompareOptions out = default_options(method.chosen, islands == 0U ? Recipe::adaptive : Recipe::islands);
  if (islands) out.islands = *islands;
  apply_options(sampler, method, out);
  return out;
}

CompareOptions options_of(const Settings& settings) {
  const Section given = section_of(settings);
  return read_options(given, read_method(given, given));
}

void apply_options(const Section& section, const MethodChoice& method, CompareOptions& options) {
  check_keys(section, method);
  set_all(section, {.method = method, .smc = *options.smc, .study = &options});
  check_draws(section, options);
}

void apply_model_options(const Section& section, const MethodChoice& method, SmcOptions& options) {
  check_keys(section, method);
  for (const Entry& entry : section.entries())
    if (sampler_option(entry.key).place == Place::study)
      section.fail(entry.key, "is for the whole study; put it in [sampler]");
  set_all(section, {.method = method, .smc = options});
}

void check_given(const Section& given, CompareOptions options) {
  for (const Entry& entry : given.entries()) {
    const SamplerOption& option = sampler_option(entry.key);
    if (option.set_by == SetBy::file) given.fail(entry.key, "belongs into [sampler] of the study; write it there");
    if (!option.methods.has(options.method)) fail_without_effect(given, option, options.method);
  }
  apply_given(given, options.method, options);
}

void apply_given(const Section& given, Method method, CompareOptions& options) {
  if (given.has("precision") || given.has("decide") || given.has("time")) options.goal = {};
  apply_options(given, {method, method}, options);
}

void apply_given(const Section& given, Method method, SmcOptions& options) {
  set_all(given, {.method = {method, method}, .smc = options});
}

}  // namespace evident::study
