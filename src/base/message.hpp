// Words for what goes wrong. What the standard library throws for lack of memory or threads says nothing to people.
#pragma once

#include <exception>
#include <string>

namespace evident {

/// What an exception says, options marked (base/option.hpp), or what to do where memory or threads have run out.
std::string message_of(const std::exception& error);

}  // namespace evident
