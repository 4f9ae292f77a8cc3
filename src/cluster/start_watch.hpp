// While ranks are being started there is no team yet that could notice a loss. Launchers end the others when one of
// them dies; whoever is left then says so. A rank that ends well before it has met the others, because it is another
// program, say, is no loss to a launcher: it is looked for here.
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
  /// `rank_variable` is where the launcher tells a process its rank; `ranks_here` are on this machine, 0: not known.
  StartWatch(std::string rank_variable, long ranks, long ranks_here = 0);
  ~StartWatch();
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;

 private:
  struct Mask;
  void watch();
  /// In words; `others_are_ended` by the launcher, so that one is probably gone even where ranks are elsewhere.
  std::string who_is_missing(bool others_are_ended) const;
  [[noreturn]] void end(const std::string& why, int status) const;

  std::string variable_;
  long ranks_, ranks_here_;
  std::atomic<bool> over_ = false;
  std::unique_ptr<Mask> before_;
  std::thread thread_;
};

}  // namespace evident::cluster
