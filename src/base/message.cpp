#include "base/option.hpp"

#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "evident/base/error.hpp"

namespace evident {

std::string message_of(const std::exception& error) {
  // Of containers that were asked for more than there can be.
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
      dynamic_cast<const std::length_error*>(&error) != nullptr)
    return "out of memory; use fewer particles or less data, or a machine with more of it";
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again)
    return "no thread can be started: too many are running (ulimit -u), or there is no memory for one more";
  const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (file != nullptr && file->path1().empty()) return file->code().message();
  if (file != nullptr) return file->path1().string() + ": " + file->code().message();
  if (std::string_view(error.what()).find("boost::") != std::string_view::npos)
    return "a computation left the range of numbers; look for parameters that are extreme, or data that are";
  const auto* own = dynamic_cast<const Error*>(&error);
  return own != nullptr ? own->message() : error.what();
}

}  // namespace evident
