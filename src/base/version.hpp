// The version of the library and of the program: "0.1.0".
#pragma once

#include <string_view>

namespace evident {

std::string_view version();

}  // namespace evident
