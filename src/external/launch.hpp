// Starting a program with pipes to its standard input, output and error.
#pragma once

#include "external/child.hpp"

namespace evident::external {

struct Launched {
  pid_t pid = -1;
  Descriptor in, out, err;  ///< this program's ends; none of them blocks
  std::string mark = {};    ///< of all that it starts, in the environment (external/own_processes.hpp)
};

/// Throws Failure. The system ends the program when the calling thread ends.
Launched launch(const Program& program);

}  // namespace evident::external
