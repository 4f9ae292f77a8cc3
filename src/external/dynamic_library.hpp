// A shared library that was opened while the program runs. The only place that knows how the system does that.
#pragma once

#include <string>

namespace evident::external {

class DynamicLibrary {
 public:
  /// Throws InputError with the system's reason.
  explicit DynamicLibrary(const std::string& file);

  /// Null when the library has none of that name.
  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }

 private:
  void* address(const char* name) const;

  void* handle_ = nullptr;
};

}  // namespace evident::external
