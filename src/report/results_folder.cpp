#include "report/results_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "evident/report/files.hpp"

namespace evident::report {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLevels = 100;

Stored read_json(const fs::path& file) {
  const std::string text = read_file(file);
  // What is copied and written level by level must not be deeper than the stack.
  const auto limit = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMostLevels)
      throw InputError(fmt::format("{}: nested more than {} levels deep, as no result is", file.string(), kMostLevels));
    return true;
  };
  Json value = Json::parse(text, limit, false);
  if (value.is_discarded())
    throw InputError(fmt::format("{}: not a whole JSON document; run 'evident compare' again", file.string()));
  if (!value.is_object()) throw InputError(fmt::format("{}: not a document of 'evident compare'", file.string()));
  return {value, file.string()};
}

std::optional<Stored> read_json_if_there(const fs::path& file) {
  if (!fs::exists(file)) return {};
  return read_json(file);
}

std::optional<NumberTable> read_table_if_there(const fs::path& file, std::initializer_list<const char*> needed) {
  if (!fs::exists(file)) return {};
  NumberTable table = parse_numbers(read_file(file), file.string());
  for (const char* name : needed)
    if (!table.find(name)) throw InputError(fmt::format("{}: there is no column '{}'", file.string(), name));
  return table;
}

void read_files(const fs::path& stem, StoredModel& m) {
  const auto with = [&](const char* end) { return fs::path(stem.string() + end); };
  m.draws = read_table_if_there(with("-draws.csv"), {"weight"});
  m.prior = read_table_if_there(with("-prior.csv"), {"weight"});
  m.trace = read_table_if_there(with("-trace.csv"), {"alpha", "mean_log_likelihood"});
  m.predictive = read_json_if_there(with("-predictive.json"));
}

}  // namespace

const Json* Stored::find(const char* key) const {
  if (!value_.is_object()) refuse(key, "there, where an object should be");
  const auto found = value_.find(key);
  return found == value_.end() || found->is_null() ? nullptr : &*found;
}

void Stored::refuse(const char* key, const char* wanted) const {
  throw InputError(
      fmt::format("{}: '{}' is not {}; the file is not as 'evident compare' wrote it", file_, key, wanted));
}

double Stored::number(const char* key) const {
  const Json* v = find(key);
  if (!v) return kNaN;
  if (!v->is_number()) refuse(key, "a number");
  return v->get<double>();
}

std::string Stored::text(const char* key) const {
  const Json* v = find(key);
  if (!v) return {};
  if (!v->is_string()) refuse(key, "a text");
  return v->get<std::string>();
}

std::vector<Stored> Stored::list(const char* key) const {
  const Json* v = find(key);
  if (!v) return {};
  if (!v->is_array()) refuse(key, "a list");
  std::vector<Stored> out;
  for (const Json& item : *v) out.emplace_back(item, file_);
  return out;
}

std::vector<double> Stored::numbers(const char* key) const {
  const Json* v = find(key);
  return v ? Stored(*v, file_).as_numbers() : std::vector<double>{};
}

std::vector<double> Stored::as_numbers() const {
  if (!value_.is_array()) refuse("list", "a list of numbers");
  std::vector<double> out;
  for (const Json& item : value_) {
    if (!item.is_number() && !item.is_null()) refuse("list", "a list of numbers");
    out.push_back(item.is_null() ? kNaN : item.get<double>());
  }
  return out;
}

std::string Stored::as_text() const {
  if (!value_.is_string()) refuse("text", "a text");
  return value_.get<std::string>();
}

std::optional<Stored> Stored::object(const char* key) const {
  const Json* v = find(key);
  if (!v) return {};
  if (!v->is_object()) refuse(key, "an object");
  return Stored(*v, file_);
}

std::vector<std::size_t> ResultsFolder::most_probable(std::size_t most) const {
  std::vector<std::size_t> order(models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto improbability = [&](std::size_t i) {
    const double p = models[i].result.number("probability");
    return std::isnan(p) ? 0.0 : -p;
  };
  std::ranges::stable_sort(order, {}, improbability);
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);
  return order;
}

ResultsFolder read_results(const fs::path& folder, std::size_t most) {
  if (!fs::is_directory(folder))
    throw InputError(fmt::format(
        "{}: {}", folder.string(),
        fs::exists(folder) ? "not a folder; give the results folder of 'evident compare'" : "there is no such folder"));
  if (!fs::exists(folder / "result.json"))
    throw InputError(
        fmt::format("{}: no results of 'evident compare' are here: there is no result.json", folder.string()));
  ResultsFolder out{.result = read_json(folder / "result.json")};
  if (!(out.result.number("schema") == 1))
    throw InputError(fmt::format("{}: not a result of this version of 'evident compare' (schema 1)",
                                 (folder / "result.json").string()));
  out.study = read_json_if_there(folder / "study.json");
  std::vector<std::string> names;
  for (const Stored& m : out.result.list("models")) {
    if (!m.json().is_object()) out.result.refuse("models", "a list of models");
    names.push_back(m.text("name"));
    out.models.push_back({.name = names.back(), .result = m});
  }
  if (names.empty()) out.result.refuse("models", "a list with at least one model");
  names.emplace_back("all-models");
  const std::vector<std::string> files = safe_file_names(names);
  for (const std::size_t i : out.most_probable(most)) read_files(folder / files[i], out.models[i]);
  out.union_trace = read_table_if_there(folder / (files.back() + "-trace.csv"), {"alpha", "mean_log_likelihood"});
  out.averaged = read_json_if_there(folder / (files.back() + "-predictive.json"));
  if (!out.study) return out;
  for (const Stored& m : out.study->list("models")) {
    if (!m.json().is_object()) out.study->refuse("models", "a list of models");
    const auto found = std::ranges::find(out.models, m.text("name"), &StoredModel::name);
    if (found != out.models.end()) found->study = m;
  }
  return out;
}

}  // namespace evident::report
