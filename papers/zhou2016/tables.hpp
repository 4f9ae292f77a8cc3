// The tables and the figure, one file each.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"
#include "settings.hpp"

namespace zhou2016 {

/// `data` is "simple" or "complex".
Results goodwin_table(const Settings& settings, const std::string& data);
/// "pet-evidence" and "pet-bayes-factor" come from the same runs: those of `names` are returned.
std::vector<Results> pet_tables(const Settings& settings, const std::vector<std::string>& names);
Results pet_bias_table(const Settings& settings);
Results mixture_table(const Settings& settings);
Results schedule_figure(const Settings& settings);

}  // namespace zhou2016
