#include "external/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "evident/base/error.hpp"
#include "external/own_processes.hpp"
#include "external/protocol.hpp"

namespace evident::external {
namespace {

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) < 0) throw Failure(fmt::format("no pipe to it could be made: {}", std::strerror(errno)));
  Pipe out{Descriptor(ends[0]), Descriptor(ends[1])};
  // Below 3 they would be in the way of the child's own descriptors, when this program was started without some of
  // them.
  for (Descriptor* d : {&out.read, &out.write}) {
    if (d->number() > 2) continue;
    *d = Descriptor(::fcntl(d->number(), F_DUPFD_CLOEXEC, 3));
    if (!d->is_open()) throw Failure(fmt::format("no pipe to it could be made: {}", std::strerror(errno)));
  }
  return out;
}

void unblock(const Descriptor& d) { ::fcntl(d.number(), F_SETFL, ::fcntl(d.number(), F_GETFL) | O_NONBLOCK); }

/// What a program is started with.
struct Start {
  std::vector<char*> arguments, environment;
  int ends[3];
};

/// Between fork and exec only what a signal handler may do is allowed: no memory is taken, nothing is locked.
[[noreturn]] void become(const Program& program, const Start& start, int report, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died in between
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  bool ready = program.folder.empty() || ::chdir(program.folder.c_str()) == 0;
  for (int k = 0; ready && k < 3; ++k) ready = ::dup2(start.ends[k], k) >= 0;
  if (ready) {
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execve(program.file.c_str(), start.arguments.data(), start.environment.data());
  }
  const int why = errno;
  [[maybe_unused]] const ssize_t told = ::write(report, &why, sizeof why);
  ::_exit(127);
}

bool can_run(const std::string& file) {
  struct stat about {};
  return ::stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_program(const std::string& name, const std::string& folder) {
  namespace fs = std::filesystem;
  if (name.empty() || name.find('\0') != std::string::npos) throw InputError("the command names no program");
  if (name.find('/') != std::string::npos) {
    const std::string file = fs::absolute(fs::path(folder) / name).string();
    if (!can_run(file)) throw InputError(fmt::format("'{}' is not there or is no program that may be run", file));
    return file;
  }
  const char* const variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string file = fs::absolute(fs::path(rest.substr(0, end)) / name).string();
    if (end > 0 && can_run(file)) return file;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  throw InputError(fmt::format("there is no program '{}' in the PATH{}", name,
                               name.find(' ') != std::string::npos
                                   ? "; write the command as a list: command = [\"python3\", \"model.py\"]"
                                   : "; one in the folder of the study is './" + name + "'"));
}

Launched launch(const Program& program) {
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), report = make_pipe();
  Start start{.arguments = {}, .environment = {}, .ends = {in.read.number(), out.write.number(), err.write.number()}};
  const std::string mark = next_mark();
  for (const std::string& a : program.arguments) start.arguments.push_back(const_cast<char*>(a.c_str()));
  for (char** variable = environ; *variable != nullptr; ++variable) start.environment.push_back(*variable);
  start.environment.push_back(const_cast<char*>(mark.c_str()));
  start.arguments.push_back(nullptr);
  start.environment.push_back(nullptr);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid < 0) throw Failure(fmt::format("it cannot be started: {}", std::strerror(errno)));
  if (pid == 0) become(program, start, report.write.number(), parent);
  ::setpgid(pid, pid);  // whichever of the two comes first
  Launched launched{pid, std::move(in.write), std::move(out.read), std::move(err.read), mark};
  report.write.close();
  int why = 0;
  ssize_t n = 0;
  while ((n = ::read(report.read.number(), &why, sizeof why)) < 0 && errno == EINTR) {
  }
  unblock(launched.in);
  unblock(launched.out);
  unblock(launched.err);
  if (n == 0) return launched;  // exec closed the pipe
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED) < 0 && errno == EINTR) {
  }
  throw Failure(fmt::format("it cannot be started: {}", std::strerror(why)));
}

}  // namespace evident::external
