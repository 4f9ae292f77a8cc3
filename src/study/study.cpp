#include "evident/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

#include "evident/base/error.hpp"
#include "evident/base/suggest.hpp"
#include "evident/study/kinds.hpp"
#include "evident/study/placed_error.hpp"
#include "evident/study/sampler_keys.hpp"

namespace evident::study {
namespace {

constexpr std::array<std::string_view, 3> kTopKeys = {"data", "sampler", "model"};
constexpr std::array<std::string_view, 4> kModelKeys = {"name", "kind", "weight", "sampler"};

std::vector<std::string_view> key_names(std::span<const SamplerKey> keys) {
  std::vector<std::string_view> names;
  for (const SamplerKey& key : keys) names.push_back(key.name);
  return names;
}

CompareOptions read_options(const Section& root) {
  CompareOptions options;
  options.threads = 0;
  const std::optional<Section> sampler = root.section("sampler", "[sampler]");
  if (!sampler) return options;
  sampler->check_keys(key_names(sampler_keys()));
  apply_sampler_keys(*sampler, options.smc);
  if (const auto seed = sampler->integer("seed", 0, std::uint64_t{1} << 63)) options.seed = *seed;
  if (const auto n = sampler->integer("replicates", 1, kMaxReplicates)) options.replicates = *n;
  if (const auto n = sampler->integer("threads", 0, kMaxThreads)) options.threads = static_cast<unsigned>(*n);
  return options;
}

void apply(const Overrides& overrides, SmcOptions& smc) {
  if (overrides.particles) smc.particles = *overrides.particles;
  if (overrides.cess) smc.schedule = CessSchedule{*overrides.cess};
}

std::string read_name(const Section& section) {
  const std::optional<std::string> name = section.text("name");
  if (!name) section.fail("[[model]] has no name; write, for example, name = \"A\"");
  if (name->find_first_not_of(" \t") == std::string::npos) section.fail("name", "must not be empty");
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
  if (std::ranges::any_of(*name, control)) section.fail("name", "must not hold line breaks or control characters");
  if (name->size() > 200) section.fail("name", "must not be longer than 200 characters");
  return *name;
}

const Kind& read_kind(const Section& section) {
  const std::optional<std::string> name = section.text("kind");
  if (!name) section.fail("[[model]] has no kind; 'evident models' lists them");
  const Kind* kind = find_kind(*name);
  if (kind) return *kind;
  const std::string hint = did_you_mean(*name, kind_names());
  section.fail("kind", hint.empty() ? fmt::format("names no known kind: \"{}\"; known are {}", *name,
                                                  fmt::join(kind_names(), ", "))
                                    : fmt::format("names no known kind: \"{}\"{}", *name, hint));
}

void check_model_keys(const Section& section, const Kind& kind) {
  std::vector<std::string_view> known(kModelKeys.begin(), kModelKeys.end());
  for (const Field& field : kind.fields) known.push_back(field.name);
  section.check_keys(known);
}

// Messages of a model's own checks know nothing of files; the place is added here.
std::shared_ptr<const Model> make_model(const Section& section, const Kind& kind, DataFiles& files) {
  try {
    return kind.make(section, files);
  } catch (const PlacedError&) {
    throw;
  } catch (const InputError& e) {
    section.fail(fmt::format("model '{}': {}", section.text("name").value_or(""), e.what()));
  }
}

SmcOptions read_model_sampler(const Section& section, const SmcOptions& of_study) {
  SmcOptions smc = of_study;
  if (const std::optional<Section> own = section.section("sampler", "[model.sampler]")) {
    for (const SamplerKey& key : sampler_keys().first(kStudyWideKeys)) {
      if (own->has(key.name)) own->fail(key.name, "is for the whole study; put it in [sampler]");
    }
    own->check_keys(key_names(sampler_keys().subspan(kStudyWideKeys)));
    apply_sampler_keys(*own, smc);
  }
  return smc;
}

void check_model_sampler(const Section& section, const Kind& kind, const Model& model, SmcOptions& smc) {
  const std::string name = section.text("name").value_or("");
  if (smc.kernel.kind == KernelKind::mala && !model.has_gradient()) {
    section.fail(
        fmt::format("model '{}': kernel \"mala\" needs a gradient, which kind \"{}\" does not have", name, kind.name));
  }
  if (smc.kernel.scale_rule == ScaleRule::manual) {
    if (!kind.manual_scale) {
      section.fail(
          fmt::format("model '{}': scale_rule \"manual\" is not defined for kind \"{}\"; use \"adaptive\" or "
                      "\"band\"",
                      name, kind.name));
    }
    smc.kernel.manual = kind.manual_scale(section, model);
  }
  try {
    check(smc);
  } catch (const InputError& e) {
    section.fail(fmt::format("model '{}': {}", name, e.what()));
  }
}

/// A model whose table was checked, but that is not built yet.
struct Draft {
  Section section;
  const Kind* kind;
  std::string name;
  double weight;
};

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
    throw InputError(fmt::format("--model {}: {} has no model of that name{}", name, file,
                                 hint.empty() ? fmt::format("; it has {}", fmt::join(names, ", ")) : hint));
  }
  std::erase_if(drafts, [&](const Draft& d) { return std::ranges::find(wanted, d.name) == wanted.end(); });
  if (std::ranges::all_of(drafts, [](const Draft& d) { return d.weight == 0; })) {
    throw InputError("--model: the weights of all chosen models are 0");
  }
}

}  // namespace

std::vector<Candidate> Study::candidates() const {
  std::vector<Candidate> out;
  for (const StudyModel& m : models) out.push_back(m.candidate);
  return out;
}

Study read_study(const std::string& file, const Overrides& overrides) {
  const Section root = read_toml(file);
  root.check_keys(kTopKeys);

  Study study{.file = file, .models = {}, .options = read_options(root)};
  const Section data = root.section("data", "[data]").value_or(Section(file, "[data]", 1, {}));
  DataFiles files(std::filesystem::path(file).parent_path(), data);
  std::vector<Draft> drafts = read_drafts(root);
  keep_only(overrides.models, drafts, file);
  for (const Draft& draft : drafts) {
    SmcOptions smc = read_model_sampler(draft.section, study.options.smc);
    apply(overrides, smc);
    std::shared_ptr<const Model> model = make_model(draft.section, *draft.kind, files);
    check_model_sampler(draft.section, *draft.kind, *model, smc);
    study.models.push_back(
        {std::string(draft.kind->name), Candidate{draft.name, draft.weight, std::move(model), std::move(smc)}});
  }

  apply(overrides, study.options.smc);
  if (overrides.seed) study.options.seed = *overrides.seed;
  if (overrides.threads) study.options.threads = *overrides.threads;
  if (overrides.replicates) study.options.replicates = *overrides.replicates;
  return study;
}

}  // namespace evident::study
