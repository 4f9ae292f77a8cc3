#include "batch/items.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_map>

#include "base/option.hpp"
#include "batch/utf8.hpp"
#include "evident/base/error.hpp"
#include "journal/journal.hpp"
#include "tables/file_text.hpp"
#include "tables/input_file.hpp"
#include "tables/table.hpp"

namespace evident::batch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxName = 500;

void check_count(std::size_t count, const std::string& source) {
  if (count > kMaxItems) throw InputError(fmt::format("{}: more than {} data sets; split the list", source, kMaxItems));
}

void check_name(const std::string& name, const std::string& file) {
  const auto fail = [&](std::string_view why) {
    throw InputError(fmt::format("the data set of {}: its name {}; give it another by a list with a column 'name'",
                                 file.empty() ? "the study" : file, why));
  };
  if (name.empty()) fail("is empty");
  if (name.size() > kMaxName) fail(fmt::format("has more than {} bytes", kMaxName));
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }))
    fail("holds a line break or another control character");
  if (!is_utf8(name)) fail("is not UTF-8");
}

const std::string& file_of(const Item& item) { return item.data.empty() ? item.study : item.data; }

void check_names(const ItemList& list) {
  if (list.items.empty()) throw InputError(fmt::format("{}: holds no data set", list.source));
  check_count(list.items.size(), list.source);
  std::unordered_map<std::string_view, std::size_t> seen;
  seen.reserve(list.items.size());
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Item& item = list.items[i];
    check_name(item.name, file_of(item));
    const auto [at, is_new] = seen.emplace(item.name, i);
    if (is_new) continue;
    const std::string &one = file_of(list.items[at->second]), &two = file_of(item);
    if (one == two && !item.group) throw InputError(fmt::format("{}: {} is in the list twice", list.source, one));
    throw InputError(
        fmt::format("{}: two data sets are called '{}' ({} and {}); names must differ: give them by a list "
                    "with a column 'name'",
                    list.source, item.name, one, two));
  }
}

/// "subjects/01/y.csv" and "subjects/02/y.csv" share "subjects/".
std::size_t shared_folders(const std::vector<Item>& items) {
  std::string_view shared = file_of(items.front());
  shared = shared.substr(0, shared.rfind('/') + 1);
  for (const Item& item : items) {
    const std::string& file = file_of(item);
    while (!std::string_view(file).starts_with(shared)) {
      shared.remove_suffix(1);
      shared = shared.substr(0, shared.rfind('/') + 1);
    }
  }
  return shared.size();
}

std::string without_ending(const std::string& name) {
  const std::size_t dot = name.rfind('.'), slash = name.rfind('/');
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  return dot == std::string::npos || dot <= begin ? name : name.substr(0, dot);
}

/// Names for those that have none.
void name_items(std::vector<Item>& items) {
  if (std::ranges::none_of(items, [](const Item& item) { return item.name.empty(); })) return;
  std::unordered_map<std::string, std::size_t> stems;
  for (const Item& item : items) ++stems[fs::path(file_of(item)).stem().string()];
  const bool distinct = stems.size() == items.size();
  const std::size_t shared = distinct ? 0 : shared_folders(items);
  for (Item& item : items)
    if (item.name.empty())
      item.name = distinct ? fs::path(file_of(item)).stem().string() : without_ending(file_of(item).substr(shared));
}

bool is_pattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

std::vector<std::string> matches(const std::string& pattern) {
  std::error_code ignored;
  if (!is_pattern(pattern) || fs::exists(pattern, ignored)) {
    if (pattern.empty()) throw InputError(option("data") + " must not be empty");
    if (is_missing(pattern)) throw InputError(option("data", pattern) + ": does not exist");
    if (fs::is_directory(pattern, ignored))
      throw InputError(fmt::format("{}: is a folder; write, for example, {}", option("data", pattern),
                                   option("data", fmt::format("'{}/*.csv'", pattern))));
    return {pattern};
  }
  glob_t found{};
  const int status = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> out(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
  ::globfree(&found);
  std::erase_if(out, [](const std::string& path) {
    std::error_code error;
    return fs::is_directory(path, error);
  });
  if (out.empty()) throw InputError(option("data", pattern) + ": matches no file");
  std::ranges::sort(out);  // by bytes, whatever the language of the user
  return out;
}

}  // namespace

std::optional<study::DataChoice> ItemList::data_of(const Item& item) const {
  if (item.group) return groups->choice(*item.group);
  if (item.data.empty()) return std::nullopt;
  return study::DataChoice{.file = item.data};
}

std::uint64_t ItemList::sum() const {
  Fingerprint sum;
  for (const Item& item : items) {
    sum.add(item.name);
    sum.add(item.study);
    sum.add(item.data);
    if (!item.group) continue;
    const study::DataChoice choice = groups->choice(*item.group);
    for (std::size_t r = 0; r < choice.table->rows(); ++r)
      for (std::size_t j = 0; j < choice.table->names().size(); ++j) sum.add(choice.table->cell(r, j));
  }
  return sum.value();
}

ItemList items_of_files(const std::string& study, const std::vector<std::string>& patterns) {
  ItemList list{.items = {}, .study = study, .source = option("data")};
  for (const std::string& pattern : patterns)
    for (std::string& file : matches(pattern)) {
      list.items.push_back({.name = {}, .study = study, .data = std::move(file)});
      check_count(list.items.size(), list.source);
    }
  if (list.items.empty()) throw InputError(option("data") + " names no file");
  name_items(list.items);
  check_names(list);
  return list;
}

ItemList items_of_groups(const std::string& study, const std::string& column, const study::CodeAccess& code) {
  ItemList list{.items = {}, .study = study, .source = {}};
  list.groups = std::make_shared<const study::GroupedTable>(study::read_data_of(study, code), column);
  list.source = fmt::format("groups of column '{}'", column);
  for (std::size_t g = 0; g < list.groups->size(); ++g)
    list.items.push_back({.name = list.groups->names()[g], .study = study, .data = {}, .group = g});
  check_names(list);
  return list;
}

namespace {

/// Reads the lines of a list.
class ListReader {
 public:
  ListReader(const std::string& file, const std::string& study)
      : file_(file), folder_(fs::path(file).parent_path()), list_{.items = {}, .study = study, .source = file} {}

  ItemList run() {
    constexpr std::size_t kMostBytes = std::size_t{1} << 31U;
    const std::string text = file_text(file_, kMostBytes);
    if (!is_table(first_line(text))) {
      plain(text);
    } else {
      table(Table::parse(text, file_));
    }
    if (list_.items.empty()) throw InputError(fmt::format("{}: is an empty list; write one file a line", file_));
    if (std::ranges::any_of(list_.items, [&](const Item& item) { return item.study != list_.study; }))
      list_.study.clear();
    name_items(list_.items);
    check_names(list_);
    return std::move(list_);
  }

 private:
  static std::string_view trimmed(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }

  template <class F>
  static void each_line(std::string_view text, F f) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(text.size(), end + 1));
      if (!line.empty() && line.front() != '#' && !f(line, number)) return;
    }
  }

  static std::string_view first_line(std::string_view text) {
    std::string_view out;
    each_line(text, [&](std::string_view line, std::size_t) {
      out = line;
      return false;
    });
    return out;
  }

  /// Does the first line hold names of columns?
  static bool is_table(std::string_view line) {
    while (!line.empty()) {
      const std::size_t end = std::min(line.find_first_of(",;\t"), line.size());
      std::string_view cell = trimmed(line.substr(0, end));
      if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
      if (cell == "data" || cell == "file" || cell == "study") return true;
      line.remove_prefix(std::min(line.size(), end + 1));
    }
    return false;
  }

  void plain(std::string_view text) {
    each_line(text, [&](std::string_view line, std::size_t number) {
      const bool is_study = line.ends_with(".toml");
      add({}, is_study ? std::string() : std::string(line), is_study ? std::string(line) : std::string(), number);
      return true;
    });
  }

  void table(const Table& t) {
    if (t.has("data") && t.has("file"))
      throw InputError(fmt::format("{}: has both 'data' and 'file', which mean the same", file_));
    const auto column = [&](std::string_view name) {
      return t.has(name) ? std::optional(t.index(name)) : std::nullopt;
    };
    const auto data = t.has("data") ? column("data") : column("file"), own = column("study"), name = column("name");
    const auto cell = [&](std::size_t row, std::optional<std::size_t> j) {
      return j ? std::string(t.cell(row, *j)) : std::string();
    };
    for (std::size_t r = 0; r < t.rows(); ++r) {
      std::string file = cell(r, data), its_study = cell(r, own);
      if (its_study.empty() && file.ends_with(".toml")) std::swap(file, its_study);
      add(cell(r, name), std::move(file), std::move(its_study), t.line(r));
    }
  }

  void add(std::string name, std::string data, std::string own, std::size_t line) {
    if (data.empty() && own.empty()) throw InputError(fmt::format("{}:{}: names no file", file_, line));
    if (own.empty() && list_.study.empty())
      throw InputError(
          fmt::format("{}:{}: '{}' is no study (*.toml); to use it as data give the study, too: evident "
                      "batch STUDY.toml {}",
                      file_, line, data, option("list", file_)));
    check_count(list_.items.size(), file_);
    list_.items.push_back({.name = std::move(name),
                           .study = own.empty() ? list_.study : (folder_ / own).string(),
                           .data = data.empty() ? std::string() : (folder_ / data).string()});
  }

  std::string file_;
  fs::path folder_;
  ItemList list_;
};

}  // namespace

ItemList items_of_list(const std::string& list, const std::string& study) { return ListReader(list, study).run(); }

}  // namespace evident::batch
