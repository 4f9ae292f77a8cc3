// Figures as SVG: dots with error bars, published beside ours, and curves with marks.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results.hpp"

namespace zhou2016 {

/// One line a row: published (hollow) and ours (full), each with a bar of one SD on both sides. What lies outside
/// lo .. hi is drawn as an arrow at the edge.
std::string dot_plot(const std::string& title, const std::vector<Section>& sections, double lo, double hi);

struct Panel {
  std::string title;
  std::vector<std::pair<double, double>> points;  ///< both above 0: axes are logarithmic
  std::vector<bool> marked;                       ///< one for each point
};
std::string curves(const std::string& title, const std::string& x, const std::string& y,
                   const std::vector<Panel>& panels);

}  // namespace zhou2016
