#include "capi/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <variant>

#include "base/suggest.hpp"
#include "evident/base/error.hpp"
#include "study/sampler_keys.hpp"
#include "tables/placed_error.hpp"

namespace evident::capi {
namespace {

constexpr std::string_view kPlace = "settings";
constexpr std::array<std::string_view, 11> kOfLoaded = {
    "method", "particles", "cess", "seed", "threads", "replicates", "islands", "recipe", "precision", "decide", "time"};
constexpr std::array<std::string_view, 2> kTexts = {"method", "time"};  // "10" is a time too

/// The value of `key = text`; a text that is no TOML is taken as it is, so that words need no quotes.
study::Value value_of(const std::string& key, const std::string& text) {
  study::Value as_text{.line = 1, .column = 1, .data = text};
  study::Value::Table parsed;
  try {
    parsed = study::parse_toml("x = " + text, std::string(kPlace)).entries();
  } catch (const InputError&) {
    return as_text;
  }
  if (parsed.size() != 1 || text.find_first_of("\r\n") != std::string::npos)
    throw InputError(fmt::format("the setting '{}' must be one value", key));
  const bool wants_text = std::ranges::find(kTexts, key) != kTexts.end();
  return wants_text && !std::holds_alternative<std::string>(parsed.front().value.data) ? as_text : parsed.front().value;
}

/// The place of a setting is no line of a file.
template <class F>
auto without_place(F&& f) {
  try {
    return f();
  } catch (const PlacedError& e) {
    const std::string text = e.message();
    if (text.starts_with(kPlace) && text.find(": ") != std::string::npos)
      throw InputError(fmt::format("setting {}", text.substr(text.find(": ") + 2)));
    throw;
  }
}

}  // namespace

void Settings::set(const std::string& key, const std::string& value) {
  std::vector<std::string_view> names;
  for (const study::SamplerKey& k : study::sampler_keys()) names.push_back(k.name);
  if (std::ranges::find(names, key) == names.end())
    throw InputError(fmt::format("there is no setting '{}'{}", key, did_you_mean(key, names)));
  study::Entry entry{.key = key, .line = 1, .value = value_of(key, value), .column = 1};
  std::erase_if(entries_, [&](const study::Entry& e) { return e.key == key; });
  entries_.push_back(std::move(entry));
}

study::Section Settings::section() const { return {std::string(kPlace), "", 1, entries_}; }

CompareOptions Settings::options() const {
  return without_place([&] {
    const study::Section sampler = section();
    return study::read_options(sampler, study::read_method(sampler, {}));
  });
}

study::Overrides Settings::overrides() const {
  return without_place([&] {
    const study::Section s = section();
    for (const study::Entry& e : entries_)
      if (std::ranges::find(kOfLoaded, e.key) == kOfLoaded.end())
        s.fail(e.key, "belongs into [sampler] of the study; write it there");
    study::Overrides out;
    if (const auto name = s.text("method")) out.method = find_method(*name);
    out.particles = s.integer("particles", 2, study::kMaxParticles);
    out.cess = s.number("cess", study::above_and_below(0, 1));
    out.seed = s.integer("seed", 0, std::numeric_limits<std::int64_t>::max());
    if (const auto n = s.integer("threads", 0, study::kMaxThreads)) out.threads = static_cast<unsigned>(*n);
    out.replicates = s.integer("replicates", 1, study::kMaxReplicates);
    out.islands = s.integer("islands", 0, study::kMaxReplicates);
    if (const auto name = s.text("recipe"); name && !out.islands)
      out.islands = default_options(Method::direct, find_recipe(*name)).islands;
    if (const auto x = s.number("precision", study::between(1e-4, 10))) out.goal.precision = *x;
    if (const auto x = s.number("decide", study::above_and_below(0, 1))) out.goal.decide = *x;
    if (const auto text = s.text("time")) out.goal.seconds = study::read_duration(*text);
    return out;
  });
}

}  // namespace evident::capi
