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

#include "base/pack.hpp"

namespace evident::cluster {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostThreads = 4096;

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

}  // namespace

Member this_member() {
  Member me;
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
  m.place = in.get_text();
  m.host = in.get_text();
  m.process = in.get<std::int64_t>();
  m.asked = in.get<unsigned>();
  for (const char c : in.get_text()) m.processors.push_back(c == '1');
  in.end();
  return m;
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
