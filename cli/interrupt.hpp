// Ctrl-C and friends, as a stop_token.
//
//   Interrupt interrupt(membership);            // before any thread is started
//   compare(..., interrupt.token());
//   interrupt.check();                          // throws when a signal came
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "evident/cluster/launch.hpp"

namespace evident::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP ask for an orderly stop. A second signal ends the program at once, after
/// `last_words` was called.
class Interrupt {
 public:
  /// When another rank of the team gives up, that is a stop, too.
  explicit Interrupt(cluster::Membership& membership);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  void set_last_words(std::function<void()> last_words);
  /// "stopped by SIGINT", or empty when no signal came.
  std::string reason() const;
  /// Throws RunError that names the signal, if one came.
  void check() const;

 private:
  void wait();

  cluster::Membership& membership_;
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  std::mutex mutex_;
  std::function<void()> last_words_;
  int signals_ = -1, done_ = -1;  // descriptors
  std::thread waiter_;
};

}  // namespace evident::cli
