#include "evident/study/data_files.hpp"

#include <fmt/format.h>

#include <array>

#include "evident/study/placed_error.hpp"

namespace evident::study {
namespace {

constexpr std::array<std::string_view, 3> kKeys = {"file", "delimiter", "column"};

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

DataFiles::DataFiles(std::filesystem::path folder, Section data) : folder_(std::move(folder)), data_(std::move(data)) {
  data_.check_keys(kKeys);
  options_.delimiter = delimiter(data_);
  data_.text("column");  // its type is checked here, whether or not a model asks for it
}

const Table& DataFiles::main() {
  if (!data_.has("file")) data_.fail("[data] names no file; write, for example, file = \"data.csv\"");
  return table(data_, "file");
}

const Table& DataFiles::table(const Section& section, std::string_view key) {
  const std::optional<std::string> name = section.text(key);
  if (!name || name->empty()) section.fail(key, "must name a file");
  if (name->find('\0') != std::string::npos) section.fail(key, "holds a zero byte");
  const std::filesystem::path path = folder_ / *name;
  std::shared_ptr<const Table>& table = tables_[path];
  if (!table) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
      section.fail(key, fmt::format("names '{}', which does not exist", path.string()));
    }
    table = std::make_shared<const Table>(Table::read(path.string(), options_));
  }
  return *table;
}

std::string observed_column(const Section& model, std::string_view key, DataFiles& files) {
  if (auto name = model.text(key)) return *name;
  if (auto name = files.column()) return *name;
  const Table& table = files.main();
  if (table.names().size() == 1) return table.names().front();
  if (table.has("y")) return "y";
  throw PlacedError(fmt::format("{}: which column holds the data? Write column = \"{}\" in [data]", table.file(),
                                table.names().front()));
}

}  // namespace evident::study
