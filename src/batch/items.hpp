// The data sets of a batch: each has a name, a study, and data in place of the study's own.
//
//   ItemList list = items_of_files("study.toml", {"subjects/*.csv"});
//   list = items_of_groups("study.toml", "subject");          // the groups of the study's own file
//   list = items_of_list("subjects.tsv", "study.toml");       // a list of data files or of studies
//
// Names are given by the list, else they are the files' names without ending; where that is not enough to tell them
// apart, without the folders that all of them share. No two are alike: the random numbers of a data set come from its
// name, so neither its place in the list nor what else is in it matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "study/data_choice.hpp"

namespace evident::batch {

struct Item {
  std::string name;
  std::string study;                      ///< a file
  std::string data = {};                  ///< a file in place of the study's; empty: the study's own
  std::optional<std::size_t> group = {};  ///< number of a group of the list's table
};

struct ItemList {
  std::vector<Item> items;
  std::string study;   ///< of all items; empty when each has its own
  std::string source;  ///< "groups of column 'subject' of data.csv", for people
  std::shared_ptr<const study::GroupedTable> groups = {};

  /// The data of an item, if it is not the study's own.
  std::optional<study::DataChoice> data_of(const Item& item) const;
  /// A sum over everything that is known before the files are read: names, paths, the rows of groups.
  std::uint64_t sum() const;
};

/// No list is longer.
inline constexpr std::size_t kMaxItems = 10'000'000;

/// Each pattern is a file or, with * ? [ ], all files that it matches, in the order of their names. Throws InputError
/// when there is none.
ItemList items_of_files(const std::string& study, const std::vector<std::string>& patterns);
ItemList items_of_groups(const std::string& study, const std::string& column, const study::CodeAccess& code = {});
/// A file with one path a line, relative to its own folder; or a table with columns among `data` (or `file`), `study`
/// and `name`. A path that ends in .toml is a study. Data files need a `study`, in the list or here. Whether the files
/// exist is not looked at.
ItemList items_of_list(const std::string& list, const std::string& study = {});

}  // namespace evident::batch
