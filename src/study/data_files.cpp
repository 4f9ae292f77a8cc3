#include "study/data_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/option.hpp"
#include "study/data_set.hpp"
#include "tables/input_file.hpp"
#include "tables/placed_error.hpp"

namespace evident::study {
namespace {

constexpr std::array<std::string_view, 5> kKeys = {"file", "delimiter", "column", "drop_missing", "constants"};

char delimiter(const Section& data) {
  const std::optional<std::string> text = data.text("delimiter");
  if (!text) return 0;
  constexpr std::string_view allowed = ",;\t| ";
  if (text->size() != 1 || allowed.find(text->front()) == std::string_view::npos) {
    data.fail("delimiter", fmt::format("must be one of \",\", \";\", \"\\t\", \"|\" or a space, was \"{}\"", *text));
  }
  return text->front();
}

}  // namespace

DataFiles::DataFiles(std::filesystem::path folder, Section data, CodeAccess code, std::optional<DataChoice> choice)
    : folder_(std::move(folder)), data_(std::move(data)), code_(std::move(code)), choice_(std::move(choice)) {
  data_.check_keys(kKeys);
  options_ = {.delimiter = delimiter(data_), .max_bytes = code_.largest_file};
  data_.flag("drop_missing");
  read_constants(data_);
  data_.text("column");  // its type is checked here, whether or not a model asks for it
}

std::optional<DataFiles> DataFiles::first_rows() const {
  if (choice_ && choice_->table) return std::nullopt;  // it is in memory
  std::vector<std::filesystem::path> files;
  if (choice_) {
    files.emplace_back(choice_->file);
  } else if (const auto names = data_.texts("file")) {
    for (const std::string& name : *names) files.push_back(folder_ / name);
  }
  std::error_code unknown;  // whoever opens it reports what cannot be opened
  const auto is_large = [&](const std::filesystem::path& file) {
    return std::filesystem::is_regular_file(file, unknown) &&
           std::filesystem::file_size(file, unknown) > Table::kFirstPart;
  };
  if (std::ranges::none_of(files, is_large)) return std::nullopt;
  DataFiles out(folder_, data_, code_, choice_);
  out.first_rows_ = true;
  return out;
}

bool DataFiles::is_about_a_line(const std::string& message) const {
  for (const auto& [path, table] : tables_) {
    const std::string start = path.string() + ":";
    for (std::size_t at = message.find(start); at != std::string::npos; at = message.find(start, at + 1)) {
      const std::size_t end = at + start.size();
      const bool begins = at == 0 || message[at - 1] == '(';
      if (begins && end < message.size() && message[end] >= '0' && message[end] <= '9') return true;
    }
  }
  return false;
}

const Table& DataFiles::first() {
  if (choice_) return chosen();
  if (!data_.has("file")) return main();
  return named(data_, "file", data_.texts("file").value().front());
}

const Table& DataFiles::chosen() {
  if (choice_->table) return *choice_->table;
  if (is_missing(choice_->file)) throw PlacedError(fmt::format("{}: does not exist", choice_->file));
  return read(choice_->file);
}

const Table& DataFiles::main() {
  if (choice_) return chosen();
  if (!data_.has("file")) data_.fail("[data] names no file; write, for example, file = \"data.csv\"");
  return table(data_, "file");
}

std::vector<std::string> DataFiles::columns() {
  std::vector<std::string> out = main().names();
  if (choice_ && !choice_->group.empty()) std::erase(out, choice_->group);
  return out;
}

const Table& DataFiles::table(const Section& section, std::string_view key) {
  return named(section, key, section.text(key).value_or(""));
}

std::filesystem::path DataFiles::path(const Section& section, std::string_view key) const {
  return path(section, key, section.text(key).value_or(""));
}

std::filesystem::path DataFiles::path(const Section& section, std::string_view key, const std::string& name) const {
  if (name.empty()) section.fail(key, "must name a file");
  if (name.find('\0') != std::string::npos) section.fail(key, "holds a zero byte");
  return folder_ / name;
}

void DataFiles::require_inside(const Section& section, std::string_view key, const std::filesystem::path& path) const {
  if (code_.outside) return;
  std::error_code failed;
  const auto resolved = [&](const std::filesystem::path& p) {
    const std::filesystem::path whole = std::filesystem::absolute(p, failed);
    return failed ? p : std::filesystem::weakly_canonical(whole, failed);
  };
  const std::filesystem::path home = resolved(folder_.empty() ? "." : folder_), where = failed ? path : resolved(path);
  const bool inside =
      !failed && std::mismatch(home.begin(), home.end(), where.begin(), where.end()).first == home.end();
  if (!inside)
    section.fail(key,
                 fmt::format("names '{}', which lies outside of the study's folder; when you trust the study, add {}",
                             path.string(), option("allow_outside")));
}

const Table& DataFiles::named(const Section& section, std::string_view key, const std::string& name) {
  const std::filesystem::path path = this->path(section, key, name);
  require_inside(section, key, path);
  if (!tables_.contains(path) && is_missing(path)) {
    section.fail(key, fmt::format("names '{}', which does not exist", path.string()));
  }
  return read(path);
}

const Table& DataFiles::read(const std::filesystem::path& path) {
  std::shared_ptr<const Table>& table = tables_[path];
  if (table) return *table;
  try {
    std::optional<Table> first = first_rows_ ? Table::read_first(path.string(), options_) : std::nullopt;
    table = std::make_shared<const Table>(first ? *std::move(first) : Table::read(path.string(), options_));
  } catch (const TooLarge& e) {
    throw TooLargeData(e.message());
  }
  return *table;
}

std::vector<std::string> DataFiles::read_files() const {
  std::vector<std::string> out;
  for (const auto& [path, table] : tables_)
    if (table) out.push_back(path.string());
  for (const std::filesystem::path& path : others_) out.push_back(path.string());
  return out;
}

std::vector<const Table*> DataFiles::all_tables() {
  if (!has_main()) data_.fail("[data] names no file; write, for example, file = \"data.csv\"");
  std::vector<std::string> names = data_.has("file") ? data_.texts("file").value() : std::vector<std::string>{""};
  std::vector<const Table*> tables = {&first()};
  names.erase(names.begin());
  parts_.reserve(names.size());
  for (const std::string& name : names) {
    const Table* table = &named(data_, "file", name);
    if (choice_ && !choice_->rows.empty() && table->rows() == choice_->all_rows) {
      parts_.push_back(table->some_rows(choice_->rows));
      table = &parts_.back();
    }
    tables.push_back(table);
  }
  return tables;
}

std::shared_ptr<const formula::DataSet> DataFiles::data_set() {
  if (data_set_) return data_set_;
  formula::DataSet out = make_data_set(all_tables(), {data_.flag("drop_missing").value_or(false), used_});
  out.constants = read_constants(data_);
  for (const formula::Constant& c : out.constants)
    if (std::ranges::any_of(out.columns, [&](const formula::Column& column) { return column.name == c.name; }))
      data_.fail("constants", fmt::format("names '{}', which is a column of the data", c.name));
  data_set_ = std::make_shared<const formula::DataSet>(std::move(out));
  return data_set_;
}

void DataFiles::refuse_formula_keys() const {
  for (const char* key : {"drop_missing", "constants"})
    if (data_.has(key)) data_.fail(key, "works when all models of the study are formulas");
}

std::string observed_column(const Section& model, std::string_view key, DataFiles& files) {
  if (auto name = model.text(key)) return *name;
  if (auto name = files.column()) return *name;
  const Table& table = files.main();
  const std::vector<std::string> columns = files.columns();
  if (columns.size() == 1) return columns.front();
  if (table.has("y")) return "y";
  throw PlacedError(fmt::format("{}: which column holds the data? Write column = \"{}\" in [data]", table.file(),
                                table.names().front()));
}

}  // namespace evident::study
