#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>

#include "base/version.hpp"
#include "cmd/doctor/facts.hpp"
#include "evident/base/context.hpp"
#include "evident/cluster/launch.hpp"

namespace evident::cli::doctor {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What follows "name :" in a file such as /proc/meminfo; empty when there is none.
std::string after_colon(const char* file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return {};
}

/// The first words of a file; empty when it cannot be read.
std::vector<std::string> words_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// Folders of this process's control group, its own first: each may set a limit.
std::vector<fs::path> control_groups() {
  std::vector<fs::path> out;
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("0::/")) continue;
    fs::path inside = line.substr(4);
    for (; !inside.empty(); inside = inside.parent_path()) out.push_back("/sys/fs/cgroup" / inside);
  }
  out.emplace_back("/sys/fs/cgroup");
  return out;
}

std::optional<double> number(const std::string& text) {
  std::istringstream in(text);
  double value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

/// Cores that a container may use at a time, where it is limited.
std::optional<double> core_quota() {
  std::optional<double> least;
  for (const fs::path& folder : control_groups()) {
    const std::vector<std::string> limit = words_of(folder / "cpu.max");  // "150000 100000", or "max 100000"
    if (limit.size() != 2) continue;
    const std::optional<double> share = number(limit[0]), period = number(limit[1]);
    if (share && period && (!least || *share / *period < *least)) least = *share / *period;
  }
  return least;
}

Fact processor() {
  std::string name = after_colon("/proc/cpuinfo", "model name");
  if (name.empty()) name = "unknown";
  return {.key = "processor", .label = "Processor", .text = name, .value = name};
}

Fact threads() {
  const unsigned used = Executor(0).threads();
  const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  const std::optional<double> quota = core_quota();
  Fact fact{.key = "threads", .label = "Threads", .text = {}, .value = {{"used", used}, {"cores", cores}}};
  fact.text = fmt::format("{} by default, on {} cores", used, cores);
  if (quota) {
    fact.value["quota"] = *quota;
    fact.text += fmt::format("; a control group allows {:.3g} at a time", *quota);
    if (*quota + 0.5 < used)
      fact.advice = fmt::format("--threads {} would be as fast and wait less", std::max(1.0, std::floor(*quota)));
  }
  return fact;
}

std::string gigabytes(double bytes) { return fmt::format("{:.3g} GB", bytes / 1e9); }

Fact memory() {
  const double kilo = 1024;
  const std::optional<double> total = number(after_colon("/proc/meminfo", "MemTotal"));
  const std::optional<double> free = number(after_colon("/proc/meminfo", "MemAvailable"));
  Fact fact{.key = "memory", .label = "Memory", .text = {}, .value = Json::object()};
  fact.text =
      total && free ? fmt::format("{}, {} of it free", gigabytes(*total * kilo), gigabytes(*free * kilo)) : "unknown";
  if (total) fact.value["total"] = *total * kilo;
  if (free) fact.value["free"] = *free * kilo;
  std::optional<double> least;
  std::string by;
  const auto limit = [&](const std::optional<double>& bytes, const char* whose) {
    if (bytes && (!least || *bytes < *least)) least = bytes, by = whose;
  };
  rlimit own{};
  if (::getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
    limit(static_cast<double>(own.rlim_cur), "ulimit -v");
  for (const fs::path& folder : control_groups())
    if (const std::vector<std::string> words = words_of(folder / "memory.max"); !words.empty())
      limit(number(words[0]), "a control group");
  if (!least) {
    fact.text += "; no limit";
    return fact;
  }
  fact.value["limit"] = *least;
  fact.text += fmt::format("; {} allows {}", by, gigabytes(*least));
  constexpr double kLittle = 5e8;
  if (*least < kLittle) fact.advice = "that is little: runs with many particles may end with 'out of memory'";
  return fact;
}

Fact mpi() {
  const cluster::MpiModule module = cluster::mpi_module();
  Fact fact{.key = "mpi", .label = "MPI", .text = {}, .value = Json::object()};
  fact.value = {{"module", module.file}, {"library", module.library}};
  if (!module.library.empty()) {
    fact.text = fmt::format("{} ({})", module.library, module.file);
  } else if (module.file.empty()) {
    fact.text = "no module, so mpirun and srun cannot share a run";
    fact.advice =
        fmt::format("for clusters install the package evident-mpi, or build where libopenmpi-dev is (looked for {})",
                    module.looked);
  } else {
    fact.failed = true;
    fact.value["problem"] = module.problem;
    fact.text = fmt::format("the module cannot be used: {}", module.problem);
    fact.advice = "install the MPI that it was built with (Debian: libopenmpi3), or remove the module";
  }
  return fact;
}

/// Nothing where there is one. Without it shells and libraries complain in words of their own, so the rest is asked
/// from elsewhere.
std::optional<Fact> lost_folder() {
  std::error_code gone;
  static_cast<void>(fs::current_path(gone));
  if (!gone) return std::nullopt;
  fs::current_path("/", gone);
  return Fact{.key = "working_folder",
              .label = "Working folder",
              .text = "it does not exist any more, so no file can be named relative to it",
              .value = nullptr,
              .advice = "go to a folder that exists (cd) and start again",
              .failed = true};
}

/// Which package `import evident` would find, without importing it. The folder that one happens to be in is left out.
Fact python() {
  Fact fact{.key = "python", .label = "Python", .text = {}, .value = Json::object()};
  constexpr const char* kAsk =
      "timeout 20 python3 -c 'import sys; sys.path[:] = [p for p in sys.path if p]; from importlib.metadata import "
      "version; print(version(\"evident\"), sys.executable)' 2>/dev/null";
  std::string answer;
  // NOLINTNEXTLINE(bugprone-command-processor): the words are fixed, and python3 is what the user would start
  if (FILE* const pipe = ::popen(kAsk, "r")) {
    char buffer[512];
    while (std::fgets(buffer, sizeof buffer, pipe)) answer += buffer;
    ::pclose(pipe);
  }
  std::istringstream in(answer);
  std::string found, executable;
  if (!(in >> found >> executable)) {
    fact.text = "python3 has no package evident";
    fact.value["package"] = nullptr;
    return fact;
  }
  fact.value = {{"package", found}, {"python", executable}};
  fact.text = fmt::format("package evident {} in {}", found, executable);
  if (found != version()) fact.advice = fmt::format("this program is {}: install both from one version", version());
  return fact;
}

}  // namespace

std::vector<Fact> machine_facts() {
  const std::optional<Fact> lost = lost_folder();
  std::vector<Fact> out = {processor(), threads(), memory(), mpi(), python()};
  if (lost) out.push_back(*lost);
  return out;
}

}  // namespace evident::cli::doctor
