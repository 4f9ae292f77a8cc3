// For a program that has to end at once: the programs of its models end with it.
#pragma once

namespace evident::external {

/// With all that they have started.
void end_all_programs();

}  // namespace evident::external
