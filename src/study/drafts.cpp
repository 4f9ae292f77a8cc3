#include "study/drafts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/option.hpp"
#include "base/suggest.hpp"
#include "evident/base/error.hpp"

namespace evident::study {
namespace {

constexpr std::array<std::string_view, 4> kModelKeys = {"name", "kind", "weight", "sampler"};

std::string read_name(const Section& section) {
  const std::optional<std::string> name = section.text("name");
  if (!name) section.fail("[[model]] has no name; write, for example, name = \"A\"");
  if (name->find_first_not_of(" \t") == std::string::npos) section.fail("name", "must not be empty");
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
  if (std::ranges::any_of(*name, control)) section.fail("name", "must not hold line breaks or control characters");
  if (name->size() > 200) section.fail("name", "must not be longer than 200 characters");
  return *name;
}

void check_model_keys(const Section& section, const Kind& kind) {
  std::vector<std::string_view> known(kModelKeys.begin(), kModelKeys.end());
  for (const Field& field : kind.fields) known.push_back(field.name);
  section.check_keys(known);
}

}  // namespace

const Kind& read_kind(const Section& section) {
  std::optional<std::string> name = section.text("kind");
  if (!name && (section.has("likelihood") || section.has("log_likelihood"))) name = "formula";
  if (!name) section.fail(fmt::format("{} has no kind; 'evident models' lists them", section.title()));
  const Kind* kind = find_kind(*name);
  if (kind) return *kind;
  const std::string hint = did_you_mean(*name, kind_names());
  section.fail("kind", hint.empty() ? fmt::format("names no known kind: \"{}\"; known are {}", *name,
                                                  fmt::join(kind_names(), ", "))
                                    : fmt::format("names no known kind: \"{}\"{}", *name, hint));
}

std::vector<Draft> read_drafts(const Section& root) {
  std::vector<Draft> drafts;
  std::set<std::string> names;
  double total = 0;
  for (const Section& section : root.sections("model", "[[model]]")) {
    const Kind& kind = read_kind(section);
    check_model_keys(section, kind);
    std::string name = read_name(section);
    if (!names.insert(name).second) {
      section.fail("name", fmt::format("\"{}\" is used twice; each model needs a name of its own", name));
    }
    const double weight = section.number("weight", at_least(0)).value_or(1);
    total += weight;
    drafts.push_back({section, &kind, std::move(name), weight});
  }
  if (drafts.empty()) throw InputError(fmt::format("{}: has no models; add at least one [[model]] table", root.file()));
  if (!(total > 0)) throw InputError(fmt::format("{}: the weights of all models are 0", root.file()));
  if (!std::isfinite(total)) throw InputError(fmt::format("{}: the weights add up to infinity", root.file()));
  return drafts;
}

void keep_only(const std::vector<std::string>& wanted, std::vector<Draft>& drafts, const std::string& file) {
  if (wanted.empty()) return;
  std::vector<std::string_view> names;
  for (const Draft& d : drafts) names.push_back(d.name);
  for (const std::string& name : wanted) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string hint = did_you_mean(name, names);
    throw InputError(fmt::format("{}: {} has no model of that name{}", option("model", name), file,
                                 hint.empty() ? fmt::format("; it has {}", fmt::join(names, ", ")) : hint));
  }
  std::erase_if(drafts, [&](const Draft& d) { return std::ranges::find(wanted, d.name) == wanted.end(); });
  if (std::ranges::all_of(drafts, [](const Draft& d) { return d.weight == 0; })) {
    throw InputError(option("model") + ": the weights of all chosen models are 0");
  }
}

}  // namespace evident::study
