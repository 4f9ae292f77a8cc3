// The program's command line as data, read from what its commands declare: the manual, the man pages and the shells'
// completion are all written from it.
//
//   const Page program = read_pages();
//   program.parts[2].title();            // "evident compare"
#pragma once

#include <string>
#include <vector>

namespace evident::cli::reference {

/// What may follow an option, or stand as an argument.
enum class Takes { nothing, anything, file, folder, words };

/// An option or an argument.
struct Entry {
  std::vector<std::string> names;  ///< --threads, --nthreads; of an argument its one name
  std::string value;               ///< FILE; empty for an option that takes nothing
  std::string description;
  std::string group;  ///< heading of an option
  bool required = false, several = false;
  Takes takes = Takes::nothing;
  std::vector<std::string> words;  ///< that are offered; a file may be meant, too
  std::string ending;              ///< of the files, ".toml"; may be empty

  /// "--out DIR"; "--threads, --nthreads K".
  std::string label() const;
};

struct Page {
  std::vector<std::string> path;  ///< evident, simulate, goodwin
  std::string description;
  std::vector<Entry> arguments, options;
  std::vector<std::string> examples;  ///< a command each
  std::vector<std::string> notes;     ///< a paragraph each
  std::string exit_status;            ///< "0 success, ..."; may be empty
  std::vector<Page> parts;            ///< commands below it

  std::string title() const;   ///< evident simulate goodwin
  std::string dashed() const;  ///< evident-simulate-goodwin
  std::string usage() const;   ///< what follows the title: "[OPTIONS] STUDY.toml"
  std::vector<std::string> groups() const;
};

/// The whole program; hidden commands are left out. Throws std::logic_error where a description is missing.
Page read_pages();

/// What the environment can set: name and meaning.
struct Variable {
  const char *name, *meaning;
};
const std::vector<Variable>& variables();

/// Exit statuses that hold for all commands.
std::string exit_statuses();

std::string markdown(const Page& program);
/// docs/options.md, and python/evident/_options.py.
std::string sampler_page();
std::string python_options();
/// The page of one command, for man(1).
std::string man_page(const Page& page);
std::string bash_completion(const Page& program);
std::string zsh_completion(const Page& program);
std::string fish_completion(const Page& program);

}  // namespace evident::cli::reference
