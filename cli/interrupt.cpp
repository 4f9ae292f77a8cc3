#include "interrupt.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <future>

#include "base/team.hpp"
#include "evident/base/error.hpp"
#include "external/end_all.hpp"
#include "journal/temporaries.hpp"
#include "output.hpp"

namespace evident::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kGrace = 1200ms;     // for the work to stop by itself
constexpr auto kOneSignal = 200ms;  // `timeout`, say, sends it to the program and to its group
constexpr auto kLast = 400ms;       // to remove what is half-written and to speak, on a disk or to a pipe that may hang

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
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
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

void Interrupt::set_words(std::function<std::string(const std::string& why)> words) {
  const std::lock_guard lock(mutex_);
  words_ = std::move(words);
}

int Interrupt::milliseconds_left() const {
  if (!deadline_) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now()).count();
  return left > 0 ? static_cast<int>(left) : 0;
}

/// False when there is none.
bool Interrupt::take_signal() {
  signalfd_siginfo info{};
  if (::read(signals_, &info, sizeof info) != sizeof info) return false;
  if (deadline_ && Clock::now() - (*deadline_ - kGrace) < kOneSignal) return true;
  if (signal_.exchange(static_cast<int>(info.ssi_signo)) != 0) end_now();
  deadline_ = Clock::now() + kGrace;
  stop_.request_stop();
  membership_.end_if_lost();  // launchers end the other ranks when one died
  return true;
}

void Interrupt::wait() {
  for (;;) {
    pollfd watch[2] = {{signals_, POLLIN, 0}, {done_, POLLIN, 0}};
    if (::poll(watch, 2, milliseconds_left()) < 0) continue;
    if (watch[1].revents != 0) return;
    if (watch[0].revents != 0) take_signal();
    if (deadline_ && Clock::now() >= *deadline_) end_now();
  }
}

// In a thread of its own, because each of these steps may wait for something that never comes.
void Interrupt::end_now() {
  auto ended = std::make_shared<std::promise<void>>();
  const std::future<void> over = ended->get_future();
  try {
    std::thread([this, ended] {
      Temporaries::remove_all();
      external::end_all_programs();
      if (may_speak()) {
        notice(words());
        membership_.team().fail(reason(), status());
      }
      ended->set_value();
    }).detach();
    over.wait_for(kLast);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): no thread can be had; the end comes without words
  }
  ::_exit(status());
}

std::string Interrupt::reason() const {
  const int number = signal_;
  return number == 0 ? "" : fmt::format("stopped by SIG{}", sigabbrev_np(number));
}

std::string Interrupt::words() const {
  const std::lock_guard lock(mutex_);
  return words_ ? words_(reason()) : reason() + "; nothing was written";
}

void Interrupt::check() const {
  if (signal_ != 0) throw RunError(reason());
}

}  // namespace evident::cli
