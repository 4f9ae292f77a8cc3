#include "interrupt.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

#include "evident/base/error.hpp"

namespace evident::cli {
namespace {

// The signals to watch; one that is ignored (a job under nohup) stays ignored.
sigset_t watched() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present {};
    sigaction(number, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaddset(&set, number);
  }
  return set;
}

}  // namespace

Interrupt::Interrupt(cluster::Membership& membership) : membership_(membership) {
  const sigset_t set = watched();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);  // threads that start later inherit it
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  done_ = eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || done_ < 0) throw RunError("cannot watch for signals: too many open files");
  waiter_ = std::thread([this] { wait(); });
  membership_.when_failed([this] { stop_.request_stop(); });
}

Interrupt::~Interrupt() {
  membership_.when_failed({});
  const std::uint64_t one = 1;
  while (::write(done_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  waiter_.join();
  ::close(signals_);
  ::close(done_);
}

void Interrupt::set_last_words(std::function<void()> last_words) {
  std::lock_guard lock(mutex_);
  last_words_ = std::move(last_words);
}

void Interrupt::wait() {
  for (;;) {
    pollfd watch[2] = {{signals_, POLLIN, 0}, {done_, POLLIN, 0}};
    if (::poll(watch, 2, -1) < 0) continue;
    if (watch[0].revents & POLLIN) {
      signalfd_siginfo info{};
      if (::read(signals_, &info, sizeof info) != sizeof info) continue;
      membership_.end_if_lost();  // launchers end the other ranks when one died
      if (signal_.exchange(static_cast<int>(info.ssi_signo)) != 0) {
        std::lock_guard lock(mutex_);
        if (last_words_) last_words_();
        ::_exit(1);
      }
      stop_.request_stop();
    } else if (watch[1].revents) {
      return;
    }
  }
}

std::string Interrupt::reason() const {
  const int number = signal_;
  return number == 0 ? "" : fmt::format("stopped by SIG{}", sigabbrev_np(number));
}

void Interrupt::check() const {
  if (const std::string why = reason(); !why.empty()) throw RunError(why + "; nothing was written");
}

}  // namespace evident::cli
