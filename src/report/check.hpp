// What `evident check` found, for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "compare/model_check.hpp"
#include "report/text.hpp"

namespace evident::report {

struct CheckedModel {
  std::string name = {}, kind = {};
  ModelCheck check = {};
};

struct CheckedStudy {
  std::string study = {};   ///< file name, without folders
  std::string method = {};  ///< by which it will be compared
  std::vector<CheckedModel> models = {};
};

/// A few lines a model. Ends with a line break.
std::string check_text(const CheckedStudy& study);
/// Times are in fields whose name has "seconds"; apart from them and `forecast` the document is the same for the same
/// seed.
std::string check_json(const CheckedStudy& study);

}  // namespace evident::report
