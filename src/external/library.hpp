// Models from shared libraries that speak the C interface of evident/external/model.h.
//
//   ParameterSpace space;
//   space.add("mu", normal(0, 10));
//   const auto model = load_library({.file = "/home/me/libmine.so", .parameters = space, .columns = {{"y", y}}});
//
// The library runs inside this program: a fault of it is a fault of the program, and it can do whatever the user can.
// Ask before you load one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evident/model/model.hpp"
#include "external/parts.hpp"

namespace evident::external {

struct LibraryOptions {
  std::string file = {};           ///< with its path
  ParameterSpace parameters = {};  ///< none: the library tells names and priors
  std::vector<TextOption> options = {};
  std::vector<DataColumn> columns = {};
  std::string folder = {};  ///< of the study
  bool serial = false;      ///< one call at a time, for a library that is not made for threads
};

/// Throws InputError for a library that cannot be loaded, lacks a function, was built for another interface, refuses
/// the data or tells no parameters. Errors of later calls are FatalErrors. An infinite log likelihood counts as NaN.
std::shared_ptr<const Model> load_library(LibraryOptions options);

}  // namespace evident::external
