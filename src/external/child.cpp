#include "external/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "evident/base/error.hpp"
#include "external/launch.hpp"
#include "external/own_processes.hpp"
#include "external/protocol.hpp"

namespace evident::external {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLinesKept = 10, kLineLength = 300;
constexpr int kLastReads = 64;  // of standard error, when the program has ended
constexpr auto kSlice = 100ms;  // how often a waiting call looks whether it should stop

std::string exit_text(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return fmt::format("it ended with status {}", info.si_status);
  const char* name = ::sigabbrev_np(info.si_status);
  return fmt::format("it was ended by signal SIG{}", name != nullptr ? name : "?");
}

/// write() to a program that has gone is an error here, and not a signal that ends whoever uses this library.
ssize_t write_without_signal(int to, std::string_view text) {
  sigset_t broken, before, waiting;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&waiting);
  const bool was_there = sigismember(&waiting, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  const ssize_t n = ::write(to, text.data(), text.size());
  const int error = errno;
  constexpr timespec kNow{};
  if (n < 0 && error == EPIPE && !was_there) sigtimedwait(&broken, nullptr, &kNow);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return n;
}

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Child::Child(const Program& program) {
  Launched launched = launch(program);
  pid_ = launched.pid;
  mark_ = std::move(launched.mark);
  in_ = std::move(launched.in);
  out_ = std::move(launched.out);
  err_ = std::move(launched.err);
}

// The program leads a group of its own, so that what it started ends with it. The number of the group cannot be given
// to anybody else before the program is waited for.
Child::~Child() {
  in_.close();
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  end_marked(mark_);  // what has left the group
}

void Child::say_goodbye() {
  std::string_view text = "bye\n";
  if (in_.is_open()) send(text);
  in_.close();
}

bool Child::wait(std::chrono::milliseconds time) const {
  const auto end = Clock::now() + time;
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_)
      return true;
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(2ms);
  }
}

std::string Child::last_words() const {
  std::string out;
  for (const std::string& line : last_lines_) out += (out.empty() ? "" : " | ") + line;
  return out;
}

std::string Child::how_it_ended() const {
  if (!wait(3s)) return "it closed its standard output";
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return exit_text(info);
}

void Child::exchange(std::string_view text, const std::function<bool(std::string_view)>& take,
                     const std::function<void(std::string_view)>& heard, const Patience& patience) {
  const auto start = Clock::now();
  for (;;) {
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    if (patience.stop.stop_requested()) throw FatalError("stopped while a program was asked");
    if (waited >= patience.seconds)
      throw Failure(
          fmt::format("it gave no answer within {:g} seconds ('timeout' in the model allows more)", patience.seconds));
    const bool sending = !text.empty() && in_.is_open();
    std::array<pollfd, 3> watch = {{{out_.number(), POLLIN, 0}, {err_.number(), POLLIN, 0}, {-1, POLLOUT, 0}}};
    if (sending) watch[2].fd = in_.number();
    const auto left = std::chrono::duration<double, std::milli>(1000 * (patience.seconds - waited));
    const auto slice = std::min<std::chrono::duration<double, std::milli>>(kSlice, left);
    if (::poll(watch.data(), watch.size(), static_cast<int>(slice.count()) + 1) < 0 && errno != EINTR)
      throw Failure(fmt::format("it cannot be watched: {}", std::strerror(errno)));
    if (watch[1].revents != 0) listen(heard);
    if (sending && watch[2].revents != 0 && !send(text)) in_.close();
    if (watch[0].revents == 0) continue;
    if (!receive(take, heard)) continue;
    if (!text.empty()) throw Failure("it answered before it had read the question");
    return;
  }
}

/// False when the program reads no more.
bool Child::send(std::string_view& text) {
  const ssize_t n = write_without_signal(in_.number(), text);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  text.remove_prefix(static_cast<std::size_t>(n));
  return true;
}

bool Child::receive(const std::function<bool(std::string_view)>& take,
                    const std::function<void(std::string_view)>& heard) {
  std::array<char, 16384> buffer;
  const ssize_t n = ::read(out_.number(), buffer.data(), buffer.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n > 0) return take({buffer.data(), static_cast<std::size_t>(n)});
  const std::string how = how_it_ended();
  for (int k = 0; k < kLastReads && listen(heard); ++k) {
  }
  throw Failure(how);
}

/// False when there is nothing more to hear for now.
bool Child::listen(const std::function<void(std::string_view)>& heard) {
  if (!err_.is_open()) return false;
  std::array<char, 4096> buffer;
  const ssize_t n = ::read(err_.number(), buffer.data(), buffer.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) {
    err_.close();
    if (!partial_.empty()) keep(std::exchange(partial_, {}), heard);
    return false;
  }
  for (const char c : std::string_view(buffer.data(), static_cast<std::size_t>(n))) {
    if (c != '\n') {
      if (partial_.size() < kLineLength) partial_ += c;
    } else if (!partial_.empty()) {
      keep(std::exchange(partial_, {}), heard);
    }
  }
  return true;
}

void Child::keep(std::string line, const std::function<void(std::string_view)>& heard) {
  if (heard) heard(line);
  last_lines_.push_back(std::move(line));
  if (last_lines_.size() > kLinesKept) last_lines_.pop_front();
}

}  // namespace evident::external
