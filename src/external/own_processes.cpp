#include "external/own_processes.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "external/end_all.hpp"

namespace evident::external {
namespace {

constexpr const char* kVariable = "EVIDENT_PROGRAM";
constexpr int kRounds = 20;  // a process may start another one while it is looked for

/// Of this process, whose number alone may belong to somebody else tomorrow.
const std::string& mark_of_all() {
  static const std::string mark = [] {
    std::uint64_t random = 0;
    [[maybe_unused]] const ssize_t ignored = ::getrandom(&random, sizeof random, 0);
    return fmt::format("{}={}-{:016x}.", kVariable, ::getpid(), random);
  }();
  return mark;
}

std::atomic<std::uint64_t> started = 0;

/// A mark is at the beginning of a variable; that of all programs is the beginning of each one's.
bool has_mark(const char* process, const std::string& mark) {
  std::ifstream in(fmt::format("/proc/{}/environ", process), std::ios::binary);
  const std::string environment = '\0' + std::string(std::istreambuf_iterator<char>(in), {});
  return environment.find('\0' + mark) != std::string::npos;
}

std::vector<pid_t> marked(const std::string& mark) {
  std::vector<pid_t> out;
  DIR* const folder = ::opendir("/proc");
  if (folder == nullptr) return out;
  while (const dirent* entry = ::readdir(folder)) {  // NOLINT(concurrency-mt-unsafe): of a folder of its own
    char* end = nullptr;
    const long process = std::strtol(entry->d_name, &end, 10);
    if (*end == '\0' && process > 0 && process != ::getpid() && has_mark(entry->d_name, mark))
      out.push_back(static_cast<pid_t>(process));
  }
  ::closedir(folder);
  return out;
}

}  // namespace

std::string next_mark() { return mark_of_all() + std::to_string(++started) + "."; }

void end_marked(const std::string& mark) {
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<pid_t> found = marked(mark);
    if (found.empty()) return;
    for (const pid_t process : found) ::kill(process, SIGKILL);
  }
}

void end_all_programs() {
  if (started > 0) end_marked(mark_of_all());
}

}  // namespace evident::external
