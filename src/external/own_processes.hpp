// What the programs of process models start, and what those start in turn. A process that has left the group of its
// program (setsid), or whose parent has gone, still has the environment that the program was given: a mark in it tells
// whose it is.
//
//   const std::string mark = next_mark();          // "EVIDENT_PROGRAM=4711-2f8a....7"
//   ... the program is started with it in its environment ...
//   end_marked(mark);
#pragma once

#include <string>

namespace evident::external {

/// A variable of the environment with its value; no two programs have the same.
std::string next_mark();
/// Ends every process of this user whose environment has the mark, and those that they start meanwhile.
void end_marked(const std::string& mark);

}  // namespace evident::external
