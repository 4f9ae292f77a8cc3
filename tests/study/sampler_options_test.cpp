// The table of the samplers' options: every option by every way, every default, every range.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "base/overloaded.hpp"
#include "compare/method.hpp"
#include "compare/option_fields.hpp"
#include "journal/fingerprint_fields.hpp"
#include "study/messages.hpp"
#include "study/read_options.hpp"

namespace evident::study {
namespace {

/// Options as keys of [sampler] have them.
using Keys = std::vector<std::pair<std::string, std::string>>;

Section none() { return Section::of_options({}); }

CompareOptions from_study(const Keys& keys) {
  std::string text = "[sampler]\n";
  for (const auto& [key, value] : keys) text += key + " = " + value + "\n";
  const Section sampler = parse_toml(text, "s.toml").section("sampler", "[sampler]").value();
  return read_options(sampler, read_method(sampler, none()));
}

/// As flags and settings of C are read.
CompareOptions from_texts(const Keys& keys) {
  Settings settings;
  for (const auto& [key, value] : keys) settings.push_back(setting_of_text(sampler_option(key), value));
  return options_of(settings);
}

/// As the command line changes a study that says nothing.
CompareOptions given_to_a_study(const Keys& keys) {
  Settings settings;
  for (const auto& [key, value] : keys) settings.push_back(setting_of_text(sampler_option(key), value));
  const Section given = section_of(settings);
  const MethodChoice method = read_method(none(), given);
  CompareOptions out = read_options(none(), method, islands_of(given));
  apply_given(given, method.chosen, out);
  return out;
}

/// Of the options that count with the method, and the threads.
std::uint64_t sum_of(CompareOptions o) {
  if (o.method != Method::population_mcmc) o.population_mcmc = {};
  if (o.method != Method::rjmcmc) o.rjmcmc = {};
  if (o.method != Method::harmonic_mean) o.posterior_chain = {};
  if (o.method != Method::chib) o.chib = {};
  Fingerprint sum;
  add_value(sum, o);
  add_value(sum, o.threads);
  return sum.value();
}

/// What must be there for the option to have an effect, or to be read at all.
Keys needed(const SamplerOption& option, Method method) {
  Keys out = {{"method", '"' + std::string(info(method).name) + '"'}};
  if (option.name == "method") out.clear();
  if (option.name == "ess") out.emplace_back("schedule", "\"ess\"");
  if (option.name == "steps") out.emplace_back("schedule", "\"linear\"");
  if (option.name == "power" && method != Method::population_mcmc) out.emplace_back("schedule", "\"prior\"");
  if (option.name == "band") out.emplace_back("scale_rule", "\"band\"");
  return out;
}

Keys operator+(Keys keys, const std::pair<std::string, std::string>& more) {
  keys.push_back(more);
  return keys;
}

/// Annealed importance sampling never resamples, and the option may only say so.
bool is_fixed(const SamplerOption& option, Method method) {
  return option.name == "resample_threshold" && method == Method::ais;
}

/// A value other than the default.
std::string another_value(const SamplerOption& option, Method method) {
  if (option.name == "alphas") return "[0.3, 1]";
  return std::visit(
      Overloaded{[&](const WholeNumber& n) {
                   return std::to_string((method == Method::rjmcmc ? n.least_of_rjmcmc : n.least) + 6);
                 },
                 [](const Number&) -> std::string { return "0.3"; },
                 [](const Numbers&) -> std::string { return "[0.3, 0.4]"; },
                 [&](const YesNo&) -> std::string { return option.fallback == "true" ? "false" : "true"; },
                 [&](const Word& w) -> std::string {
                   for (const std::string_view word : w.words())
                     if (option.fallback.find(word) == option.fallback.npos) return '"' + std::string(word) + '"';
                   return "";
                 },
                 [](const Duration&) -> std::string { return "\"90s\""; }},
      option.takes);
}

template <class F>
void for_each_use(const F& f) {
  for (const SamplerOption& option : sampler_options())
    for (const MethodInfo& m : methods())
      if (option.methods.has(m.method) && !is_fixed(option, m.method)) {
        SCOPED_TRACE(std::string(option.name) + " with " + std::string(m.name));
        f(option, m.method);
      }
}

TEST(SamplerOptions, ComeToTheSameByEveryWay) {
  for_each_use([](const SamplerOption& option, Method method) {
    const Keys base = needed(option, method);
    const Keys changed = base + std::pair(std::string(option.name), another_value(option, method));
    const std::uint64_t sum = sum_of(from_study(changed));
    EXPECT_NE(sum, sum_of(from_study(base)));
    EXPECT_EQ(sum, sum_of(from_texts(changed)));
    EXPECT_EQ(sum, sum_of(given_to_a_study(changed)));
  });
}

/// The default that the text names for a method: "5000; chib 10000", "0.9 with islands, else 0.999".
std::string default_of(std::string_view text, Method method, bool with_islands) {
  std::string out(text.substr(0, text.find("; ")));
  const std::string own = "; " + std::string(info(method).name) + " ";
  if (const std::size_t at = text.find(own); at != text.npos)
    out = text.substr(at + own.size(), text.find("; ", at + 1) - at - own.size());
  const std::string_view islands = " with islands, else ";
  if (const std::size_t at = out.find(islands); at != out.npos)
    out = with_islands ? out.substr(0, at) : out.substr(at + islands.size());
  return out;
}

/// Does the option mean nothing else with this recipe than its default?
bool speaks_of(const SamplerOption& option, bool with_islands) {
  if (option.name == "replicates") return !with_islands;
  return (option.name != "islands" && option.name != "recipe") || with_islands;
}

bool has_islands(Method method) { return sampler_option("islands").methods.has(method); }

void expect_default(const SamplerOption& option, Method method, bool with_islands) {
  const std::string value = default_of(option.fallback, method, with_islands);
  if (value.empty() || value == "2.38/sqrt(d)" || value == "as many as it takes") return;
  Keys base = needed(option, method);
  if (has_islands(method) && !with_islands) base.emplace_back("recipe", "\"adaptive\"");
  // Whoever says how particles move gets other moves with islands, unless the kernel is named.
  if (with_islands && option.methods.has(Method::rjmcmc) && option.place == Place::model && option.name != "kernel")
    base.emplace_back("kernel", "\"automatic\"");
  EXPECT_EQ(sum_of(from_study(base + std::pair(std::string(option.name), value))), sum_of(from_study(base))) << value;
}

TEST(SamplerOptions, DefaultsAreAsTheirTextsSay) {
  for_each_use([](const SamplerOption& option, Method method) {
    for (const bool with_islands : {true, false})
      if ((!with_islands || has_islands(method)) && speaks_of(option, with_islands))
        expect_default(option, method, with_islands);
  });
}

/// A value that is none.
std::string bad_value(const SamplerOption& option) {
  return std::visit(Overloaded{[](const WholeNumber&) -> std::string { return "-1"; },
                               [](const Number&) -> std::string { return "-1"; },
                               [](const Numbers&) -> std::string { return "[0.5, 7]"; },
                               [](const auto&) -> std::string { return "\"no such word\""; }},
                    option.takes);
}

TEST(SamplerOptions, RefuseTheSameWithTheSameWords) {
  for_each_use([](const SamplerOption& option, Method method) {
    const Keys bad = needed(option, method) + std::pair(std::string(option.name), bad_value(option));
    const std::string said = message_of([&] { from_study(bad); });
    const std::string place = "'" + std::string(option.name) + "' in [sampler] ";
    ASSERT_NE(said.find(place), said.npos) << said;
    const std::string words = said.substr(said.find(place) + place.size());
    EXPECT_THAT(words, testing::AnyOf(testing::StartsWith("must be "), testing::StartsWith("has no choice ")));
    EXPECT_EQ(message_of([&] { from_texts(bad); }), "option " + std::string(option.name) + " " + words);
    EXPECT_EQ(message_of([&] { given_to_a_study(bad); }), "option " + std::string(option.name) + " " + words);
  });
}

TEST(SamplerOptions, AreExplainedAndBelongToAMethod) {
  for (const SamplerOption& option : sampler_options()) {
    EXPECT_FALSE(methods_text(option).empty()) << option.name;
    EXPECT_FALSE(values_text(option).empty()) << option.name;
    EXPECT_FALSE(option.meaning.empty()) << option.name;
  }
  EXPECT_EQ(methods_text(sampler_option("seed")), "all methods");
  EXPECT_EQ(methods_text(sampler_option("thin")), "rjmcmc");
  EXPECT_EQ(values_text(sampler_option("cess")), "number above 0 and below 1");
  EXPECT_EQ(values_text(sampler_option("burn_in")), "whole number between 0 and 1000000000, for rjmcmc at least 100");
}

TEST(SamplerOptions, AreReadFromTexts) {
  const auto value = [](const char* name, const char* text) {
    return setting_of_text(sampler_option(name), text).value;
  };
  EXPECT_EQ(value("seed", "18446744073709551615"), SettingValue(std::uint64_t{18446744073709551615U}));
  EXPECT_EQ(value("particles", " 1e4 "), SettingValue(1e4));
  EXPECT_EQ(value("method", "\"ais\""), value("method", "ais"));
  EXPECT_EQ(value("time", "90"), SettingValue(std::string("90")));
  EXPECT_EQ(value("band", "0.2, 0.3"), value("band", "[0.2,0.3]"));
  EXPECT_EQ(value("band", "[0.2, x]"), SettingValue(std::string("[0.2, x]")));
  EXPECT_EQ(value("mix_scales", "true"), SettingValue(true));
  EXPECT_EQ(options_of({{"seed", std::uint64_t{18446744073709551615U}}}).seed, 18446744073709551615U);
  EXPECT_EQ(options_of({setting_of_text(sampler_option("particles"), "1e4")}).smc->particles, 10000u);
}

TEST(SamplerOptions, RulesBetweenThemHoldEverywhere) {
  const auto refused = [](const Settings& settings) {
    return message_of([&] { static_cast<void>(options_of(settings)); });
  };
  EXPECT_EQ(refused({{"recipe", "adaptive"}, {"islands", 4}}),
            "option islands does not fit option recipe=adaptive; remove one of them");
  EXPECT_EQ(refused({{"recipe", "islands"}, {"replicates", 4}}),
            "option replicates has no effect with option recipe=islands; remove one of them");
  EXPECT_EQ(refused({{"cess", 0.9}, {"ess", 0.9}}),
            "option ess has no effect with the schedule \"cess\"; remove one of them");
  EXPECT_EQ(refused({{"partciles", 7}}), "option partciles is unknown; did you mean 'particles'?");
  EXPECT_EQ(refused({{"method", "bic"}, {"particles", 7}}),
            "option particles has no effect with method \"bic\"; it belongs to direct, all-in-one, relative, ais, "
            "data-tempering");
}

}  // namespace
}  // namespace evident::study
