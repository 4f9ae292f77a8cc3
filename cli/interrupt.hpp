// Ctrl-C and friends: one signal is enough.
//
//   Interrupt interrupt(membership);            // before any thread is started
//   interrupt.set_words([](const std::string& why) { return why + "; what is done is kept in out"; });
//   compare(..., interrupt.token());
//
// A signal asks the work to stop, and most of it does within a moment. What does not, because it is inside of somebody
// else's code or waits for a file, is not waited for: after a little more than a second, or at a second signal, what is
// half-written is removed, the words are said, and the program ends.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "evident/cluster/launch.hpp"

namespace evident::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP ask for an orderly stop.
class Interrupt {
 public:
  /// When another rank of the team gives up, that is a stop, too.
  explicit Interrupt(cluster::Membership& membership);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  /// What is said when a signal ends the program: `why`, and what is kept. It must not refer to what goes away.
  void set_words(std::function<std::string(const std::string& why)> words);
  /// "stopped by SIGINT", or empty when no signal came.
  std::string reason() const;
  /// With what is kept.
  std::string words() const;
  /// The exit status that a shell gives for the signal; 0 when none came.
  int status() const { return signal_ == 0 ? 0 : 128 + signal_; }
  /// Throws RunError when a signal came.
  void check() const;
  /// Of the work and the thread that watches over it, one says how the program ends: whichever asks first.
  bool may_speak() { return !spoken_.exchange(true); }

 private:
  using Clock = std::chrono::steady_clock;
  void wait();
  int milliseconds_left() const;
  bool take_signal();
  [[noreturn]] void end_now();

  cluster::Membership& membership_;
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::atomic<bool> spoken_ = false;
  std::optional<Clock::time_point> deadline_;
  mutable std::mutex mutex_;  // of the words
  std::function<std::string(const std::string&)> words_;
  int signals_ = -1, done_ = -1;  // descriptors
  std::thread waiter_;
};

}  // namespace evident::cli
