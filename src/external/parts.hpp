// What a model outside of evident is given: columns of data and options, both as the study has them.
#pragma once

#include <string>
#include <vector>

namespace evident::external {

struct DataColumn {
  std::string name = {};
  std::vector<double> values = {};
};

/// A line of [model.options]; numbers are written so that they are read back exactly.
struct TextOption {
  std::string name = {};
  std::string text = {};
};

}  // namespace evident::external
