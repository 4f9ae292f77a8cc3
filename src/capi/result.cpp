// The functions evident_result_*: numbers, draws, documents.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "evident/evidence/probabilities.hpp"
#include "evident/report/files.hpp"
#include "evident/report/json.hpp"
#include "evident/report/model_files.hpp"
#include "evident/report/output_folder.hpp"
#include "evident/report/study_report.hpp"
#include "evident/study/known_models.hpp"
#include "report/new_data.hpp"

namespace evident::capi {
namespace {

namespace fs = std::filesystem;

const ModelResult* find(const evident_result* result, std::size_t model) {
  return result != nullptr && model < result->comparison.models.size() ? &result->comparison.models[model] : nullptr;
}

const ModelResult& model_of(const evident_result& result, std::size_t model) {
  const ModelResult* found = find(&result, model);
  if (found == nullptr)
    throw InputError(fmt::format("there is no model {}; the result has {}", model, result.comparison.models.size()));
  return *found;
}

template <class F>
int with(evident_result* result, F&& f) noexcept {
  if (result == nullptr) return EVIDENT_INPUT_ERROR;
  return guarded(result->error, [&] { f(*result); });
}

template <class T>
T& given(T* out, std::string_view what) {
  if (out == nullptr) throw InputError(fmt::format("{} is NULL", what));
  return *out;
}

report::RunInfo run_info(const evident_result& r) {
  return {.study = fs::path(r.study.file).filename().string(), .kinds = study::kinds_of(r.study, r.comparison)};
}

/// From within the runs where the method has it, else from the errors of the log evidences.
double probability_error(const Comparison& c, std::size_t model) {
  const ModelResult& m = c.models[model];
  if (std::isfinite(m.probability_se)) return m.probability_se;
  if (std::isfinite(m.probability_sd) && !c.runs.empty())
    return m.probability_sd / std::sqrt(static_cast<double>(c.runs.size()));
  std::vector<EvidenceEstimate> all;
  for (const ModelResult& k : c.models) {
    if (std::isnan(k.log_evidence)) return kNaN;
    all.push_back({k.log_evidence, k.log_evidence_se, k.log_evidence_degrees, k.weight});
  }
  return model_probabilities(all).standard_error[model];
}

void check_size(std::string_view what, std::size_t size, std::size_t rows, std::size_t columns) {
  const bool fits = rows == 0 || columns <= std::numeric_limits<std::size_t>::max() / rows;
  if (!fits || size != rows * columns)
    throw InputError(fmt::format("{} has room for {} numbers; {} x {} are needed", what, size, rows, columns));
}

void write_all(const evident_result& r, const fs::path& folder) {
  report::write_files(r.comparison, run_info(r), folder);
  report::write_model_files(r.comparison, study::known_models(r.study, r.comparison), r.study.options, folder);
}

/// A folder for files that nobody else wants.
class Temporary {
 public:
  Temporary() {
    std::string name = (fs::temp_directory_path() / "evident.XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw RunError(fmt::format("{}: cannot be made", name));
    path_ = name;
  }
  ~Temporary() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_report(const evident_result& r, const fs::path& file) {
  if (file.empty()) throw InputError("file is empty");
  if (fs::is_directory(file)) throw InputError(fmt::format("{}: is a folder, not a file", file.string()));
  const Temporary folder;
  write_all(r, folder.path());
  report::replace_file(file, report::study_report(folder.path()));
}

}  // namespace
}  // namespace evident::capi

using namespace evident::capi;

extern "C" {

void evident_result_free(evident_result* result) { delete result; }

const char* evident_result_error(const evident_result* result) {
  return result == nullptr ? "the result is NULL" : result->error.c_str();
}

size_t evident_result_model_count(const evident_result* result) {
  return result == nullptr ? 0 : result->comparison.models.size();
}

const char* evident_result_model_name(const evident_result* result, size_t model) {
  const auto* m = find(result, model);
  return m == nullptr ? nullptr : m->name.c_str();
}

int evident_result_log_evidence(evident_result* result, size_t model, evident_estimate* out) {
  return with(result, [&](evident_result& r) {
    const auto& m = model_of(r, model);
    given(out, "out") = {m.log_evidence, m.log_evidence_se, m.log_evidence_interval.lower,
                         m.log_evidence_interval.upper};
  });
}

int evident_result_probability(evident_result* result, size_t model, evident_estimate* out) {
  return with(result, [&](evident_result& r) {
    const auto& m = model_of(r, model);
    given(out, "out") = {m.probability, probability_error(r.comparison, model), m.probability_interval.lower,
                         m.probability_interval.upper};
  });
}

const char* evident_result_verdict(const evident_result* result, size_t model) {
  const auto* m = find(result, model);
  return m == nullptr || !m->verdict ? nullptr : name(*m->verdict).data();  // they are literals
}

size_t evident_result_draw_count(const evident_result* result, size_t model) {
  const auto* m = find(result, model);
  return m == nullptr ? 0 : m->draws.weights.size();
}

size_t evident_result_column_count(const evident_result* result, size_t model) {
  const auto* m = find(result, model);
  return m == nullptr ? 0 : m->draws.names.size();
}

const char* evident_result_column_name(const evident_result* result, size_t model, size_t column) {
  const auto* m = find(result, model);
  return m == nullptr || column >= m->draws.names.size() ? nullptr : m->draws.names[column].c_str();
}

int evident_result_draws(evident_result* result, size_t model, double* values, size_t values_size, double* weights,
                         size_t weights_size) {
  return with(result, [&](evident_result& r) {
    const evident::Draws& d = model_of(r, model).draws;
    const std::size_t rows = d.names.size(), count = d.weights.size();
    if (values != nullptr) check_size("values", values_size, rows, count);
    if (weights != nullptr) check_size("weights", weights_size, 1, count);
    for (std::size_t j = 0; values != nullptr && j < rows; ++j)
      for (std::size_t i = 0; i < count; ++i) values[j * count + i] = d.values(j, i);
    if (weights != nullptr) std::ranges::copy(d.weights, weights);
  });
}

int evident_result_equal_draws(evident_result* result, size_t model, size_t count, double* values, size_t values_size) {
  return with(result, [&](evident_result& r) {
    const evident::Draws& d = model_of(r, model).draws;
    check_size("values", values_size, d.names.size(), count);
    if (values_size == 0) return;
    given(values, "values");
    const std::vector<std::size_t> columns = evident::report::pick(d.weights, count);
    for (std::size_t j = 0; j < d.names.size(); ++j)
      for (std::size_t i = 0; i < count; ++i) values[j * count + i] = d.values(j, columns[i]);
  });
}

const char* evident_result_json(evident_result* result) {
  const int status = with(result, [&](evident_result& r) {
    if (r.json.empty()) r.json = evident::report::to_json(r.comparison, run_info(r));
  });
  return status == EVIDENT_OK ? result->json.c_str() : nullptr;
}

int evident_result_write_report(evident_result* result, const char* file) {
  return with(result, [&](evident_result& r) { write_report(r, required(file, "file")); });
}

int evident_result_write_folder(evident_result* result, const char* folder, int force) {
  return with(result, [&](evident_result& r) {
    const std::string path = required(folder, "folder");
    if (path.empty()) throw evident::InputError("folder is empty");
    evident::report::OutputFolder out(path, force != 0);
    write_all(r, out.path());
    if (evident::report::has_study_report())
      evident::report::write_file(out.path() / "report.html", evident::report::study_report(out.path()));
    out.publish();
  });
}

}  // extern "C"
