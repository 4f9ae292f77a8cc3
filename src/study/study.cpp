#include "evident/study/study.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/option.hpp"
#include "compare/method.hpp"
#include "compare/recipe.hpp"
#include "evident/base/error.hpp"
#include "study/drafts.hpp"
#include "study/family.hpp"
#include "study/formula_names.hpp"
#include "study/kinds.hpp"
#include "study/read_options.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

constexpr std::array<std::string_view, 4> kTopKeys = {"data", "sampler", "model", "family"};

// Messages of a model's own checks know nothing of files; the place is added here.
std::shared_ptr<const Model> make_model(const Section& section, const Kind& kind, DataFiles& files) {
  try {
    return kind.make(section, files);
  } catch (const PlacedError&) {
    throw;
  } catch (const InputError& e) {
    section.fail(fmt::format("model '{}': {}", section.text("name").value_or(""), e.message()));
  }
}

void check_model_sampler(const Draft& draft, const Model& model, SmcOptions& smc) {
  const auto& [section, kind, name, weight] = draft;
  const bool langevin = smc.kernel.kind == KernelKind::mala;
  if ((langevin || smc.kernel.kind == KernelKind::hmc) && !model.has_gradient()) {
    section.fail(fmt::format("model '{}': kernel \"{}\" needs a gradient, which kind \"{}\" does not have", name,
                             langevin ? "mala" : "hmc", kind->name));
  }
  if (smc.kernel.scale_rule == ScaleRule::manual) {
    if (!kind->manual_scale) {
      section.fail(
          fmt::format("model '{}': scale_rule \"manual\" is not defined for kind \"{}\"; use \"adaptive\" or "
                      "\"band\"",
                      name, kind->name));
    }
    smc.kernel.manual = kind->manual_scale(section, model);
  }
  try {
    check(smc);
  } catch (const InputError& e) {
    section.fail(fmt::format("model '{}': {}", name, e.message()));
  }
}

// Some methods ask more of a model than a likelihood.
void check_model_method(const Draft& draft, const Model& model, Method method) {
  std::string_view lacks;
  if (method == Method::chib && dynamic_cast<const ChibModel*>(&model) == nullptr) lacks = "a Gibbs sampler";
  if (method == Method::bic && model.observation_count() == 0) lacks = "a number of observations";
  if (method == Method::data_tempering && !model.has_sequence()) lacks = "a likelihood for each observation";
  if (lacks.empty()) return;
  draft.section.fail(fmt::format("model '{}': method {} needs {}, which kind \"{}\" does not have{}; use direct",
                                 draft.name, info(method).name, lacks, draft.kind->name,
                                 method == Method::chib ? " with these settings" : ""));
}

// Before any model is left out, so that a row that one of them cannot use is left out for all.
void note_columns(const std::vector<Draft>& drafts, DataFiles& files) {
  for (const Draft& draft : drafts) {
    if (draft.kind->name == "formula") {
      files.use(names_in_formulas(draft.section));
    } else {
      files.refuse_formula_keys();
    }
  }
}

void read_models(const Section& root, const MethodChoice& method, const Section& given, const Overrides& overrides,
                 DataFiles& files, Study& study) {
  std::vector<Draft> drafts = read_drafts(root);
  note_columns(drafts, files);
  keep_only(overrides.models, drafts, study.file);
  if (info(method.chosen).union_of_models) {
    study.family = family_of(drafts, method.chosen, files);
    study.family_kind = drafts.front().kind->name;
  }
  for (const Draft& draft : drafts) {
    if (files.has_first_rows_only() && draft.kind->runs_code) continue;
    SmcOptions smc = *study.options.smc;
    const std::optional<Section> own = draft.section.section("sampler", "[model.sampler]");
    if (own) apply_model_options(*own, method, smc);
    apply_given(given, method.chosen, smc);
    std::shared_ptr<const Model> model = make_model(draft.section, *draft.kind, files);
    check_model_method(draft, *model, method.chosen);
    check_model_sampler(draft, *model, smc);
    study.models.push_back(
        {std::string(draft.kind->name), Candidate{draft.name, draft.weight, std::move(model), std::move(smc)}});
  }
}

void read_family(const Section& root, const MethodChoice& method, const Overrides& overrides, DataFiles& files,
                 Study& study) {
  const Section section = root.section("family", "[family]").value();
  if (root.has("model")) section.fail("a study has either [family] or [[model]] tables, not both");
  if (!overrides.models.empty())
    throw InputError(
        fmt::format("{}: {} has a [family], and no list of models to choose from", option("model"), study.file));
  study.family = family_of(section, method.chosen, files);
  study.family_kind = section.text("kind").value();
}

/// The study is read with the first rows of its data, where these are large: an error in one of them is reported at
/// once. Other errors may come from missing rows alone, so they wait until all rows are read.
template <class Read>
void try_first_rows(const DataFiles& files, Study study, const Read& read) {
  std::optional<DataFiles> first = files.first_rows();
  if (!first) return;
  try {
    read(*first, study);
  } catch (const Error& e) {
    if (first->is_about_a_line(e.message())) throw;
  }
}

Study study_of(const Section& root, const std::string& file, const Overrides& overrides) {
  root.check_keys(kTopKeys);
  const Section sampler = root.section("sampler", "[sampler]").value_or(Section(file, "[sampler]", 1, {}));
  const Section given = section_of(overrides.settings);
  const MethodChoice method = read_method(sampler, given);
  const std::optional<std::size_t> islands = islands_of(given);

  Study study{.file = file, .models = {}, .family = {}, .family_kind = {}, .options = {}, .data_files = {}};
  study.options = read_options(sampler, method, islands);
  check_given(given, study.options);
  if (info(method.chosen).union_of_models && study.options.smc->kernel.scale_rule == ScaleRule::manual)
    sampler.fail("scale_rule", fmt::format("= \"manual\" is for one model at a time; method {} runs on all of them",
                                           info(method.chosen).name));

  const Section data = root.section("data", "[data]").value_or(Section(file, "[data]", 1, {}));
  DataFiles files(std::filesystem::path(file).parent_path(), data, overrides.code, overrides.data);
  const auto read = [&](DataFiles& from, Study& into) {
    root.has("family") ? read_family(root, method, overrides, from, into)
                       : read_models(root, method, given, overrides, from, into);
  };
  try_first_rows(files, study, read);
  read(files, study);
  study.data_files = files.read_files();
  apply_given(given, method.chosen, study.options);
  try {
    check_goal(study.options, given.has("replicates") ? option("replicates")
                              : islands               ? option("islands", std::to_string(*islands))
                                                      : "'replicates' or 'islands'");
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", file, e.message()));
  }
  return study;
}

}  // namespace

std::vector<Candidate> Study::candidates() const {
  std::vector<Candidate> out;
  for (const StudyModel& m : models) out.push_back(m.candidate);
  return out;
}

Study read_study(const std::string& file, const Overrides& overrides) {
  return study_of(read_toml(file), file, overrides);
}

Study parse_study(std::string_view text, const std::string& file, const Overrides& overrides) {
  return study_of(parse_toml(text, file), file, overrides);
}

Comparison run(const Study& study, CompareObserver* observer, std::stop_token stop) {
  return study.family ? compare_family(*study.family, study.options, observer, std::move(stop))
                      : compare(study.candidates(), study.options, observer, std::move(stop));
}

std::vector<std::string> kinds_of(const Study& study, const Comparison& result) {
  if (study.family) return std::vector<std::string>(result.models.size(), study.family_kind);
  std::vector<std::string> out;
  for (const StudyModel& m : study.models) out.push_back(m.kind);
  return out;
}

}  // namespace evident::study
