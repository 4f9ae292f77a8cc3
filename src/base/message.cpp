#include "base/option.hpp"

#include <new>
#include <system_error>

#include "evident/base/error.hpp"

namespace evident {

std::string message_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "out of memory; use fewer particles or less data, or a machine with more of it";
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again)
    return "no thread can be started: too many are running (ulimit -u), or there is no memory for one more";
  const auto* own = dynamic_cast<const Error*>(&error);
  return own != nullptr ? own->message() : error.what();
}

}  // namespace evident
