#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "report/document_parts.hpp"
#include "report/number_table.hpp"

namespace evident::report {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLevels = 100;

double finite_or_nan(const Json& number) {
  const auto value = number.get<double>();
  return std::isfinite(value) ? value : kNaN;
}

/// The files of a results folder, wherever they are.
struct Source {
  std::function<std::optional<std::string>(const std::string& name)> text;  ///< nothing when there is no such file
  std::function<std::string(const std::string& name)> shown;                ///< its name in complaints
};

Source source_of(const fs::path& folder) {
  const auto text = [folder](const std::string& name) {
    return fs::exists(folder / name) ? std::optional(read_file(folder / name)) : std::nullopt;
  };
  return {text, [folder](const std::string& name) { return (folder / name).string(); }};
}

Source source_of(const Document::Files& files) {
  const auto text = [&files](const std::string& name) {
    const auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  return {text, [](const std::string& name) { return name; }};
}

std::optional<Stored> read_json(const Source& source, const std::string& name) {
  const std::optional<std::string> text = source.text(name);
  if (!text) return {};
  const std::string file = source.shown(name);
  // What is copied and written level by level must not be deeper than the stack.
  const auto limit = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMostLevels)
      throw InputError(fmt::format("{}: nested more than {} levels deep, as no result is", file, kMostLevels));
    return true;
  };
  Json value = Json::parse(*text, limit, false);
  if (value.is_discarded())
    throw InputError(fmt::format("{}: not a whole JSON document; run 'evident compare' again", file));
  if (!value.is_object()) throw InputError(fmt::format("{}: not a document of 'evident compare'", file));
  return Stored(std::move(value), file);
}

std::optional<NumberTable> read_table(const Source& source, const std::string& name,
                                      std::initializer_list<const char*> needed) {
  const std::optional<std::string> text = source.text(name);
  if (!text) return {};
  NumberTable table = parse_numbers(*text, source.shown(name));
  for (const char* column : needed)
    if (!table.find(column)) throw InputError(fmt::format("{}: there is no column '{}'", source.shown(name), column));
  return table;
}

/// `parameters` are the quantities of which there are draws; with more columns the first are log densities. Names
/// cannot tell: a parameter may be called log_prior.
std::optional<Draws> read_draws(const Source& source, const std::string& name, std::size_t parameters) {
  const std::optional<NumberTable> table = read_table(source, name, {});
  if (!table) return {};
  if (table->names.front() != "weight")
    throw InputError(fmt::format("{}: the first column is not 'weight'", source.shown(name)));
  return draws_of(*table, table->names.size() != parameters + 1);
}

std::optional<NumberTable> read_trace(const Source& source, const std::string& stem) {
  return read_table(source, stem + "-trace.csv", {"alpha", "mean_log_likelihood"});
}

/// What study.json tells of single models.
void share_study(DocumentParts& parts) {
  if (!parts.study) return;
  for (const Stored& m : parts.study->list("models")) {
    if (!m.json().is_object()) parts.study->refuse("models", "a list of models");
    const auto found = std::ranges::find(parts.models, m.text("name"), &ModelParts::name);
    if (found != parts.models.end()) found->study = m;
  }
}

DocumentParts read_parts(const Source& source, const std::string& place, std::size_t most) {
  const std::optional<Stored> result = read_json(source, "result.json");
  if (!result)
    throw InputError(fmt::format("{}: no results of 'evident compare' are here: there is no result.json", place));
  DocumentParts out{.result = *result};
  if (!(out.result.number("schema") == 1))
    throw InputError(
        fmt::format("{}: not a result of this version of 'evident compare' (schema 1)", source.shown("result.json")));
  out.study = read_json(source, "study.json");
  for (const Stored& m : out.result.list("models")) {
    if (!m.json().is_object()) out.result.refuse("models", "a list of models");
    out.models.push_back({.name = m.text("name"), .result = m});
  }
  if (out.models.empty()) out.result.refuse("models", "a list with at least one model");
  const std::vector<std::string> files = out.file_names();
  for (const std::size_t i : out.most_probable(most)) {
    ModelParts& m = out.models[i];
    const std::size_t parameters = m.result.list("parameters").size();
    m.draws = read_draws(source, files[i] + "-draws.csv", parameters);
    m.prior = read_draws(source, files[i] + "-prior.csv", parameters);
    m.trace = read_trace(source, files[i]);
    m.predictive = read_json(source, files[i] + "-predictive.json");
  }
  out.union_trace = read_trace(source, files.back());
  out.averaged = read_json(source, files.back() + "-predictive.json");
  share_study(out);
  return out;
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
  return finite_or_nan(*v);
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
    out.push_back(item.is_null() ? kNaN : finite_or_nan(item));
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

Document Document::read(const fs::path& folder, std::size_t most) {
  if (!fs::is_directory(folder))
    throw InputError(fmt::format(
        "{}: {}", folder.string(),
        fs::exists(folder) ? "not a folder; give the results folder of 'evident compare'" : "there is no such folder"));
  return Document(read_parts(source_of(folder), folder.string(), most));
}

Document Document::read(const Files& files) {
  return Document(read_parts(source_of(files), "the files", std::numeric_limits<std::size_t>::max()));
}

}  // namespace evident::report
