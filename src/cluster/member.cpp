#include "cluster/member.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/pack.hpp"
#include "base/version.hpp"
#include "evident/base/error.hpp"

namespace evident::cluster {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostThreads = 4096;
constexpr std::string_view kBuild = "evident ";

unsigned number_in(const char* variable) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): before any thread is started
  if (text == nullptr) return 0;
  const long value = std::strtol(text, nullptr, 10);  // OMP_NUM_THREADS may go on: "4,2"
  return value > 0 && value <= static_cast<long>(kMostThreads) ? static_cast<unsigned>(value) : 0;
}

std::string first_line(const char* file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::vector<bool> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {};
  std::vector<bool> out(CPU_SETSIZE);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = CPU_ISSET(i, &set) != 0;
  return out;
}

/// Nothing where the bytes do not begin as those of this and all later versions.
std::optional<std::string> build_in(std::span<const std::byte> bytes) {
  try {
    std::string text = Unpacker(bytes).get_text();
    if (text.starts_with(kBuild)) return text;
  } catch (const RunError&) {  // NOLINT(bugprone-empty-catch): so it is something else
  }
  return std::nullopt;
}

}  // namespace

Member this_member(std::string_view commit) {
  Member me;
  me.build = fmt::format("{}{}{}", kBuild, version(), commit.empty() ? "" : fmt::format(" (commit {})", commit));
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  me.host = host[0] != '\0' ? host : "unknown";
  // A number of a process means the same to two of them only within one boot and one name space of processes.
  std::error_code ignored;
  me.place = me.host + " " + first_line("/proc/sys/kernel/random/boot_id") + " " +
             fs::read_symlink("/proc/self/ns/pid", ignored).string();
  me.process = getpid();
  me.asked = number_in("OMP_NUM_THREADS");
  if (me.asked == 0) me.asked = number_in("SLURM_CPUS_PER_TASK");
  me.processors = processors();
  return me;
}

std::vector<std::byte> packed(const Member& m) {
  Packer out;
  out.put(m.build);
  out.put(m.place);
  out.put(m.host);
  out.put(m.process);
  out.put(m.asked);
  std::string bits;
  for (const bool b : m.processors) bits += b ? '1' : '0';
  out.put(bits);
  return out.finish();
}

Member unpacked(std::span<const std::byte> bytes) {
  Unpacker in(bytes);
  Member m;
  m.build = in.get_text();
  m.place = in.get_text();
  m.host = in.get_text();
  m.process = in.get<std::int64_t>();
  m.asked = in.get<unsigned>();
  for (const char c : in.get_text()) m.processors.push_back(c == '1');
  in.end();
  return m;
}

std::vector<Member> unpacked_all(const std::vector<std::vector<std::byte>>& bytes) {
  const auto words = [&](std::size_t r) { return build_in(bytes[r]).value_or("an older evident"); };
  for (std::size_t r = 1; r < bytes.size(); ++r)
    if (build_in(bytes[r]) != build_in(bytes[0]))
      throw InputError(
          fmt::format("rank {} runs {}, and rank 0 {}; start the same program on all ranks", r, words(r), words(0)));
  std::vector<Member> out;
  for (const std::vector<std::byte>& one : bytes) out.push_back(unpacked(one));
  return out;
}

unsigned threads_for(std::size_t rank, const std::vector<Member>& members) {
  const Member& me = members[rank];
  if (me.asked > 0) return me.asked;
  double share = 0;
  for (std::size_t p = 0; p < me.processors.size(); ++p) {
    if (!me.processors[p]) continue;
    std::size_t users = 0;
    for (const Member& m : members) users += m.place == me.place && p < m.processors.size() && m.processors[p] ? 1 : 0;
    share += 1.0 / static_cast<double>(users);
  }
  constexpr double kRounding = 1e-6;
  return static_cast<unsigned>(std::max(1.0, std::floor(share + kRounding)));
}

std::string words_for(std::size_t rank, const Member& m) {
  return fmt::format("rank {} (process {} on {})", rank, m.process, m.host);
}

bool is_gone(std::int64_t process) {
  if (::kill(static_cast<pid_t>(process), 0) != 0) return errno == ESRCH;
  // A process that ended and was not yet looked after: its state stands after the name in brackets.
  const std::string line = first_line(fmt::format("/proc/{}/stat", process).c_str());
  const std::size_t at = line.rfind(')');
  return at != std::string::npos && at + 2 < line.size() && line[at + 2] == 'Z';
}

}  // namespace evident::cluster
