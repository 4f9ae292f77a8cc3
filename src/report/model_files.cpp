#include "evident/report/model_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "evident/base/error.hpp"
#include "evident/report/files.hpp"
#include "evident/report/predictive.hpp"
#include "report/draw_streams.hpp"

namespace evident::report {

using Json = nlohmann::ordered_json;

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

class Writer {
 public:
  Writer(const Comparison& c, std::span<const Candidate> candidates, const CompareOptions& options,
         const std::filesystem::path& folder)
      : c_(c), candidates_(candidates), options_(options), folder_(folder), executor_(options.threads) {
    std::vector<std::string> names;
    for (const ModelResult& m : c.models) names.push_back(m.name);
    names.emplace_back("all-models");
    files_ = safe_file_names(names);
  }

  void write() {
    Json models = Json::array();
    for (std::size_t i = 0; i < std::min(c_.models.size(), kMostModels); ++i) models.push_back(model_json(i));
    Json settings = Json::array();
    for (const auto& [name, value] : settings_of(options_, candidates_)) settings.push_back({name, value});
    const Json averaged = averaged_json();
    const Json out = {{"schema", 1},
                      {"settings", std::move(settings)},
                      {"models", std::move(models)},
                      {"averaged", averaged},
                      {"notes", notes_}};
    write_file(folder_ / "study.json", out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }

 private:
  Streams streams(const std::string& name, std::uint64_t part) const { return draw_streams(options_, name, part); }

  /// Runs `what`; a failure becomes a note, because the comparison itself is done and good.
  bool tried(const std::string& name, const char* of, const auto& what) {
    try {
      what();
      return true;
    } catch (const Error& e) {
      notes_.push_back(fmt::format("{}: no {}: {}", name, of, e.what()));
      return false;
    }
  }

  Json model_json(std::size_t i) {
    const ModelResult& m = c_.models[i];
    Json out = {{"name", m.name}, {"file", files_[i]}};
    const Model* model = find_model(candidates_, m.name);
    if (!model) return out;
    out["observations"] = model->observation_count();
    out["parameters"] = parameters_json(*model);
    tried(m.name, "prior draws", [&] {
      const Draws draws = prior_draws(*model, kPriorDraws, streams(m.name, kPriorPart));
      write_file(folder_ / (files_[i] + "-prior.csv"), draws_csv(draws));
    });
    if (m.draws.weights.empty()) return out;
    tried(m.name, "predictions", [&] {
      const PredictiveSource source{
          .model = model, .draws = &m.draws, .share = 1, .streams = streams(m.name, kPredictivePart)};
      const Predictive p = predictive({&source, 1}, executor_);
      if (p.series.empty()) return;
      write_file(folder_ / (files_[i] + "-predictive.json"), predictive_json(p));
      predicting_.push_back(i);
    });
    return out;
  }

  /// The models that share the observations of the most probable one.
  Json averaged_json() {
    const auto probability = [&](std::size_t i) { return c_.models[i].probability; };
    std::erase_if(predicting_, [&](std::size_t i) { return !(probability(i) > 0); });
    if (predicting_.empty()) return {};
    const Model& best = *find_model(candidates_, c_.models[std::ranges::max(predicting_, {}, probability)].name);
    std::vector<PredictiveSource> sources;
    Json names = Json::array();
    double share = 0;
    for (const std::size_t i : predicting_) {
      const ModelResult& m = c_.models[i];
      const Model* model = find_model(candidates_, m.name);
      if (!same_observations(*model, best)) continue;
      sources.push_back({model, &m.draws, m.probability, streams(m.name, kAveragedPart)});
      names.push_back(m.name);
      share += m.probability;
    }
    if (sources.size() < 2) return {};
    const bool done = tried("all models", "averaged predictions", [&] {
      write_file(folder_ / (files_.back() + "-predictive.json"), predictive_json(predictive(sources, executor_)));
    });
    return done ? Json{{"file", files_.back()}, {"models", names}, {"probability", share}} : Json();
  }

  const Comparison& c_;
  std::span<const Candidate> candidates_;
  const CompareOptions& options_;
  const std::filesystem::path& folder_;
  Executor executor_;
  std::vector<std::string> files_, notes_;
  std::vector<std::size_t> predicting_;
};

}  // namespace

Draws prior_draws(const Model& model, std::size_t count, const Streams& streams) {
  Draws out;
  out.names = model.parameters().names();
  const std::size_t own = out.names.size();
  const std::vector<std::string> derived = model.derived_names();
  out.names.insert(out.names.end(), derived.begin(), derived.end());
  out.values = BlockStorage(out.names.size(), count);
  const Block theta = out.values.block().some_rows(0, own);
  model.draw_prior(streams, 0, theta);
  if (!derived.empty()) model.derive(theta, out.values.block().some_rows(own, derived.size()));
  out.weights.assign(count, 1 / static_cast<double>(count));
  return out;
}

void write_model_files(const Comparison& comparison, std::span<const Candidate> candidates,
                       const CompareOptions& options, const std::filesystem::path& folder) {
  Writer(comparison, candidates, options, folder).write();
}

}  // namespace evident::report
