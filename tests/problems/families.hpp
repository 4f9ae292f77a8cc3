// The families of the suite, one file each or a few; suite.cpp puts them together and splits them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "problems/suite.hpp"

namespace evident::problems {

using SuiteEntries = std::vector<SuiteEntry>;

SuiteEntries one_mode();
SuiteEntries ridges();
SuiteEntries unequal_mode_entries();
SuiteEntries many_mode_entries();
SuiteEntries mode_product_entries();
SuiteEntries heavy_tails();
SuiteEntries funnels();
SuiteEntries hierarchies();
SuiteEntries normal_mixtures();
SuiteEntries plateaus();
SuiteEntries discontinuities();
SuiteEntries spikes();
SuiteEntries impossible_regions();
SuiteEntries many_rows();
SuiteEntries many_coordinates();
SuiteEntries waves();
SuiteEntries counts();
SuiteEntries doses();

/// Random numbers of one instance of a problem: those of no other problem.
Stream numbers_of(std::string_view name, std::uint64_t instance);

/// An entry whose problem is the same for every instance, or is drawn for each.
SuiteEntry fixed_entry(std::string family, std::string name, std::function<Problem()> make);
SuiteEntry drawn_entry(std::string family, std::string name, std::function<Problem(std::uint64_t)> make);

}  // namespace evident::problems
