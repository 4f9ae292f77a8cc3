#include "reference/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "choices.hpp"
#include "program.hpp"

namespace evident::cli::reference {
namespace {

/// Help is broken into lines for terminals; here it is not.
std::string one_line(const std::string& text) {
  std::istringstream in(text);
  std::string out, word;
  while (in >> word) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// What the word for a value means: FILE.nc is a file.
struct ValueKind {
  Takes takes;
  std::string ending = {};
};
ValueKind kind_of(const std::string& value) {
  static const std::map<std::string, ValueKind> known = {
      {"FILE", {Takes::file}},           {"STUDY", {Takes::file}},         {"STUDY.toml", {Takes::file, ".toml"}},
      {"FILE.nc", {Takes::file, ".nc"}}, {"DIR", {Takes::folder}},         {"RESULTS", {Takes::folder}},
      {"BIDS_ROOT", {Takes::folder}},    {"DERIVATIVES", {Takes::folder}},
  };
  const auto found = known.find(value);
  return found == known.end() ? ValueKind{Takes::anything} : found->second;
}

Entry read_entry(CLI::Option& option, const std::string& path) {
  Entry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  const bool argument = entry.names.empty();
  if (argument) entry.names.push_back(option.get_name());
  entry.description = one_line(option.get_description());
  if (entry.description.empty()) throw std::logic_error(path + ": " + entry.names.front() + " has no description");
  entry.group = option.get_group();
  entry.required = option.get_required();
  if (option.get_items_expected_max() == 0) return entry;
  std::string value = one_line(option.get_type_name());
  entry.several = value.ends_with("...");
  if (entry.several) value.erase(value.size() - 3);
  if (value.empty() && argument) value = entry.names.front();
  if (value.empty()) throw std::logic_error(path + ": " + entry.names.front() + " has no word for its value");
  const ValueKind kind = kind_of(value);
  entry.value = value;
  entry.takes = kind.takes;
  entry.ending = kind.ending;
  entry.words = offered(option);
  if (!entry.words.empty()) entry.takes = Takes::words;
  return entry;
}

constexpr std::string_view kExamples = "Examples:", kExitStatus = "Exit status: ";

/// The text below the options: examples, paragraphs, exit statuses.
void read_footer(const std::string& text, Page& page) {
  std::istringstream in(text);
  bool new_paragraph = true;
  for (std::string line; std::getline(in, line);) {
    if (line == kExamples || line.empty()) {
      new_paragraph = true;
    } else if (line.starts_with("  ")) {
      page.examples.push_back(one_line(line));
    } else if (line.starts_with(kExitStatus)) {
      page.exit_status = line.substr(kExitStatus.size());
    } else if (new_paragraph) {
      page.notes.push_back(line);
      new_paragraph = false;
    } else {
      page.notes.back() += " " + line;
    }
  }
}

Page read_page(CLI::App& app, std::vector<std::string> path) {
  Page page;
  page.path = std::move(path);
  page.path.push_back(app.get_name());
  page.description = app.get_description();
  for (CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    Entry entry = read_entry(*option, page.title());
    (option->nonpositional() ? page.options : page.arguments).push_back(std::move(entry));
  }
  const CLI::App* above = app.get_parent();  // what a command does not say itself CLI11 takes from there
  if (above == nullptr || above->get_footer() != app.get_footer()) read_footer(app.get_footer(), page);
  for (CLI::App* part : app.get_subcommands([](CLI::App*) { return true; }))
    if (!part->get_group().empty()) page.parts.push_back(read_page(*part, page.path));
  return page;
}

}  // namespace

std::string Entry::label() const {
  return fmt::format("{}{}{}{}", fmt::join(names, ", "), value.empty() ? "" : " ", value, several ? "..." : "");
}

std::string Page::title() const { return fmt::format("{}", fmt::join(path, " ")); }
std::string Page::dashed() const { return fmt::format("{}", fmt::join(path, "-")); }

std::string Page::usage() const {
  std::string out;
  const auto add = [&](const std::string& word) { out += (out.empty() ? "" : " ") + word; };
  if (path.size() == 1) add("COMMAND");
  if (path.size() > 1 && !parts.empty()) add(parts.size() > 1 ? "KIND" : parts.front().path.back());
  add("[OPTIONS]");
  for (const Entry& argument : arguments) {
    const std::string word = argument.value + (argument.several ? "..." : "");
    add(argument.required ? word : "[" + word + "]");
  }
  return out;
}

std::vector<std::string> Page::groups() const {
  std::vector<std::string> out;
  for (const Entry& option : options)
    if (std::ranges::find(out, option.group) == out.end()) out.push_back(option.group);
  return out;
}

Page read_pages() {
  const Program program = make_program();
  return read_page(*program.app, {});
}

const std::vector<Variable>& variables() {
  static const std::vector<Variable> all = {
      {"NO_COLOR", "any value: tables and progress have no colours"},
      {"EVIDENT_MPI", "0: each process that mpirun or srun starts works for itself"},
      {"EVIDENT_MPI_MODULE", "the module for MPI, where it is not beside the program or in its library folder"},
      {"EVIDENT_TEAM_TIMEOUT", "seconds after which a silent rank of mpirun or srun counts as lost (60)"},
  };
  return all;
}

std::string exit_statuses() {
  return "0 success, 1 the run failed, 2 bad usage or input, 130 or 143 stopped by a signal.";
}

}  // namespace evident::cli::reference
