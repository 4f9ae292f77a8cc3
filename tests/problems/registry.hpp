// All problems with a known evidence, in one list. docs/correctness.md shows it, and a test holds the two together.
//
//   for (const Problem& p : registry()) ...                      // no data files needed
//   for (const Problem& p : problems_with_data(folder)) ...      // those whose data are there
//   known("PET, 2 compartments").log_evidence;                   // the number alone
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problems/problems.hpp"

namespace evident::problems {

/// One of each family in problems.hpp and published.hpp, at the sizes that tests and benches use.
std::vector<Problem> registry();

/// What is known of a problem on the paper's data.
struct Known {
  std::string_view name;
  std::string_view file;  ///< below the data folder
  double log_evidence, standard_error;
  std::string_view how;
};
const std::vector<Known>& known_with_data();
/// By name; throws InputError when there is none.
const Known& known(std::string_view name);

/// Problems on the data of the paper, as models; those whose files are missing are left out. `names`: only these, empty
/// for all.
std::vector<Problem> problems_with_data(const std::string& folder, const std::vector<std::string_view>& names = {});

}  // namespace evident::problems
