// While ranks are being started there is no team yet that could notice a loss. Launchers end the others when one of
// them dies; whoever is left then says so.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace evident::cluster {

/// While it lives, SIGTERM and the like end the process with a message, said by the lowest rank that is left here.
/// All signals are held back in the thread that made it.
class StartWatch {
 public:
  /// `rank_variable` is where the launcher tells a process its rank.
  StartWatch(std::string rank_variable, long ranks);
  ~StartWatch();
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;

 private:
  struct Mask;
  void watch();
  [[noreturn]] void end(int signal) const;

  std::string variable_;
  long ranks_;
  std::atomic<bool> over_ = false;
  std::unique_ptr<Mask> before_;
  std::thread thread_;
};

}  // namespace evident::cluster
