#include "external/inside_library.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "evident/base/error.hpp"
#include "external/end_all.hpp"
#include "journal/temporaries.hpp"

namespace evident::external {
namespace {

thread_local const InsideLibrary* innermost = nullptr;

}  // namespace

InsideLibrary::InsideLibrary(const std::string& file, std::string_view where)
    : file_(file), where_(where), outer_(innermost) {
  innermost = this;
}

InsideLibrary::~InsideLibrary() { innermost = outer_; }

void InsideLibrary::watch_for_exit() {
  const bool heard = std::atexit(&InsideLibrary::at_exit) == 0 && std::at_quick_exit(&InsideLibrary::at_exit) == 0;
  if (!heard) throw RunError("there are too many functions to call at the end of the program");
}

// exit() cannot be undone, and other threads are at work: what is half-written is removed, and no destructor runs.
void InsideLibrary::at_exit() {
  if (innermost == nullptr) return;
  Temporaries::remove_all();
  end_all_programs();
  fmt::print(stderr,
             "evident: the library {} ended the program {}: it called exit(); it must return a number other than 0 and "
             "tell why in evident_model_last_error\n",
             std::filesystem::path(innermost->file_).filename().string(), innermost->where_);
  std::fflush(nullptr);
  constexpr int kRunFailed = 1;
  ::_exit(kRunFailed);
}

}  // namespace evident::external
