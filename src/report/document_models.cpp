// What a document tells of the models themselves: settings, priors, and what they predict.
#include <fmt/format.h>

#include <algorithm>

#include "evident/base/error.hpp"
#include "report/document_parts.hpp"
#include "report/draw_streams.hpp"
#include "report/predictive.hpp"

namespace evident::report {
namespace {

constexpr std::size_t kMostModels = 100;

Json parameters_json(const Model& model) {
  Json out = Json::array();
  const ParameterSpace& space = model.parameters();
  for (std::size_t j = 0; j < space.size(); ++j)
    out.push_back({{"name", space.names()[j]}, {"prior", space.prior_text(j)}});
  return out;
}

const Model* find_model(std::span<const Candidate> candidates, const std::string& name) {
  const auto found = std::ranges::find(candidates, name, &Candidate::name);
  return found == candidates.end() ? nullptr : found->model.get();
}

class ModelAdder {
 public:
  ModelAdder(DocumentParts& parts, std::span<const Candidate> candidates, const CompareOptions& options)
      : parts_(parts),
        candidates_(candidates),
        options_(options),
        executor_(options.threads),
        files_(parts.file_names()) {}

  void add() {
    Json models = Json::array();
    for (std::size_t i = 0; i < std::min(parts_.models.size(), kMostModels); ++i) {
      models.push_back(add_model(i));
      parts_.models[i].study = Stored(models.back(), "study.json");
    }
    Json settings = Json::array();
    for (const auto& [name, value] : settings_of(options_, candidates_)) settings.push_back({name, value});
    const Json averaged = add_averaged();
    parts_.study = Stored({{"schema", 1},
                           {"settings", std::move(settings)},
                           {"models", std::move(models)},
                           {"averaged", averaged},
                           {"notes", notes_}},
                          "study.json");
  }

 private:
  Streams streams(const std::string& name, std::uint64_t part) const { return draw_streams(options_, name, part); }

  /// Runs `what`; a failure becomes a note, because the comparison itself is done and good.
  void tried(const std::string& name, const char* of, const auto& what) {
    try {
      what();
    } catch (const Error& e) {
      notes_.push_back(fmt::format("{}: no {}: {}", name, of, e.what()));
    }
  }

  Json add_model(std::size_t i) {
    ModelParts& m = parts_.models[i];
    Json out = {{"name", m.name}, {"file", files_[i]}};
    const Model* model = find_model(candidates_, m.name);
    if (!model) return out;
    out["observations"] = model->observation_count();
    out["parameters"] = parameters_json(*model);
    tried(m.name, "prior draws", [&] { m.prior = prior_draws(m.name, *model, options_); });
    if (!m.draws) return out;
    tried(m.name, "predictions", [&] {
      const PredictiveSource source{
          .model = model, .draws = &*m.draws, .share = 1, .streams = streams(m.name, kPredictivePart)};
      const Predictive p = predictive({&source, 1}, executor_);
      if (p.series.empty()) return;
      m.predictive = Stored(predictive_json(p), files_[i] + "-predictive.json");
      predicting_.push_back(i);
    });
    return out;
  }

  /// The models that share the observations of the most probable one.
  Json add_averaged() {
    const auto probability = [&](std::size_t i) { return parts_.models[i].result.number("probability"); };
    std::erase_if(predicting_, [&](std::size_t i) { return !(probability(i) > 0); });
    if (predicting_.empty()) return {};
    const Model& best = *find_model(candidates_, parts_.models[std::ranges::max(predicting_, {}, probability)].name);
    std::vector<PredictiveSource> sources;
    Json names = Json::array();
    double share = 0;
    for (const std::size_t i : predicting_) {
      const ModelParts& m = parts_.models[i];
      const Model* model = find_model(candidates_, m.name);
      if (!same_observations(*model, best)) continue;
      sources.push_back({model, &*m.draws, probability(i), streams(m.name, kAveragedPart)});
      names.push_back(m.name);
      share += probability(i);
    }
    if (sources.size() < 2) return {};
    tried("all models", "averaged predictions", [&] {
      parts_.averaged = Stored(predictive_json(predictive(sources, executor_)), files_.back() + "-predictive.json");
    });
    return parts_.averaged ? Json{{"file", files_.back()}, {"models", names}, {"probability", share}} : Json();
  }

  DocumentParts& parts_;
  std::span<const Candidate> candidates_;
  const CompareOptions& options_;
  Executor executor_;
  std::vector<std::string> files_, notes_;
  std::vector<std::size_t> predicting_;
};

}  // namespace

Draws prior_draws(const std::string& name, const Model& model, const CompareOptions& options) {
  Draws out;
  out.names = model.parameters().names();
  const std::size_t own = out.names.size();
  const std::vector<std::string> derived = model.derived_names();
  out.names.insert(out.names.end(), derived.begin(), derived.end());
  out.values = BlockStorage(out.names.size(), kPriorDraws);
  const Block theta = out.values.block().some_rows(0, own);
  model.draw_prior(draw_streams(options, name, kPriorPart), 0, theta);
  if (!derived.empty()) model.derive(theta, out.values.block().some_rows(own, derived.size()));
  out.weights.assign(kPriorDraws, 1 / static_cast<double>(kPriorDraws));
  return out;
}

void Document::add_models(std::span<const Candidate> candidates, const CompareOptions& options) {
  ModelAdder(*parts_, candidates, options).add();
}

}  // namespace evident::report
