#include "external/dynamic_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "evident/base/error.hpp"

namespace evident::external {

// The library stays open to the end of the program: it may have started threads or left objects of a thread's own,
// whose code must not vanish.
DynamicLibrary::DynamicLibrary(const std::string& file) : handle_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* why = ::dlerror();
  throw InputError(fmt::format("the library cannot be loaded: {}", why != nullptr ? why : file.c_str()));
}

void* DynamicLibrary::address(const char* name) const { return ::dlsym(handle_, name); }

}  // namespace evident::external
