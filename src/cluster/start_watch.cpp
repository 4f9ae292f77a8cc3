#include "cluster/start_watch.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

namespace evident::cluster {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The ranks that the same launcher has started here and that live: rank and process.
std::map<long, long> siblings(const std::string& variable) {
  std::map<long, long> found;
  std::error_code failed;
  for (fs::directory_iterator at("/proc", failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = contents(at->path() / "stat");
    const std::size_t bracket = stat.rfind(')');
    if (bracket == std::string::npos || bracket + 4 >= stat.size()) continue;
    const char state = stat[bracket + 2];  // "12 (name) S 11 ..."
    const long parent = std::strtol(stat.c_str() + bracket + 4, nullptr, 10);
    if (state == 'Z' || parent != static_cast<long>(getppid())) continue;
    const std::string environment = '\0' + contents(at->path() / "environ");
    const std::size_t place = environment.find('\0' + variable + "=");
    if (place == std::string::npos) continue;
    found[std::strtol(environment.c_str() + place + variable.size() + 2, nullptr, 10)] =
        std::strtol(name.c_str(), nullptr, 10);
  }
  return found;
}

}  // namespace

struct StartWatch::Mask {
  sigset_t set{};
};

StartWatch::StartWatch(std::string rank_variable, long ranks)
    : variable_(std::move(rank_variable)), ranks_(ranks), before_(std::make_unique<Mask>()) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_->set);
  thread_ = std::thread([this] { watch(); });
}

StartWatch::~StartWatch() {
  over_ = true;
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &before_->set, nullptr);
}

void StartWatch::watch() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&watched, number);
  const timespec turn{.tv_sec = 0, .tv_nsec = 20'000'000};
  while (!over_) {
    const int number = sigtimedwait(&watched, nullptr, &turn);
    if (number > 0) end(number);
  }
}

void StartWatch::end(int signal) const {
  const std::map<long, long> here = siblings(variable_);
  if (!here.empty() && here.begin()->second == static_cast<long>(getpid())) {
    std::string who;
    for (long r = 0; r < ranks_ && here.size() + 1 == static_cast<std::size_t>(ranks_); ++r)
      if (!here.contains(r)) who = fmt::format("rank {} died", r);
    if (who.empty()) who = fmt::format("stopped by SIG{}", sigabbrev_np(signal));
    fmt::print(stderr, "evident: {} while the ranks were being started; nothing was begun: start it again\n", who);
    std::fflush(stderr);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(800));  // the one that speaks must see who is left
  }
  ::_exit(1);
}

}  // namespace evident::cluster
