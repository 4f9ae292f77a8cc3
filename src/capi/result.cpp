// The functions evident_result_*: numbers, draws, documents.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "evidence/probabilities.hpp"
#include "evident/report/document.hpp"
#include "evident/results/study_files.hpp"
#include "report/files.hpp"
#include "report/new_data.hpp"
#include "report/output_folder.hpp"
#include "report/study_report.hpp"

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

/// From within the runs where the method has it, else from the errors of the log evidences.
double probability_error(const Comparison& c, std::size_t model) {
  const ModelResult& m = c.models[model];
  if (std::isfinite(m.probability.standard_error)) return m.probability.standard_error;
  if (std::isfinite(m.spread.probability_sd) && !c.runs.empty())
    return m.spread.probability_sd / std::sqrt(static_cast<double>(c.runs.size()));
  std::vector<WeightedEvidence> all;
  for (const ModelResult& k : c.models) {
    if (std::isnan(k.log_evidence.value)) return kNaN;
    all.push_back({k.log_evidence, k.weight});
  }
  return model_probabilities(all).probability[model].standard_error;
}

void check_size(std::string_view what, std::size_t size, std::size_t rows, std::size_t columns) {
  const bool fits = rows == 0 || columns <= std::numeric_limits<std::size_t>::max() / rows;
  if (!fits || size != rows * columns)
    throw InputError(fmt::format("{} has room for {} numbers; {} x {} are needed", what, size, rows, columns));
}

void write_report(const evident_result& r, const fs::path& file) {
  if (file.empty()) throw InputError("file is empty");
  if (fs::is_directory(file)) throw InputError(fmt::format("{}: is a folder, not a file", file.string()));
  report::replace_file(file, report::study_report(results::document_of(r.study, r.comparison)));
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
    const auto& z = model_of(r, model).log_evidence;
    const auto [lower, upper] = z.interval();
    given(out, "out") = {z.value, z.standard_error, lower, upper};
  });
}

int evident_result_probability(evident_result* result, size_t model, evident_estimate* out) {
  return with(result, [&](evident_result& r) {
    const auto& m = model_of(r, model);
    const auto [lower, upper] = m.probability_interval;
    given(out, "out") = {m.probability.value, probability_error(r.comparison, model), lower, upper};
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
    if (r.json.empty())
      r.json = evident::report::to_json(r.comparison, evident::results::run_info(r.study, r.comparison));
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
    evident::results::write_study_files(r.study, r.comparison, out.path());
    out.publish();
  });
}

}  // extern "C"
