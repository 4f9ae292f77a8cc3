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

constexpr int kFailed = 1;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whether the process that started this one is the launcher itself, and not a shell that it started for each rank.
bool launcher_is_parent(const std::string& variable) {
  const std::string environment = '\0' + contents(fs::path("/proc") / std::to_string(getppid()) / "environ");
  return environment.size() > 1 && environment.find('\0' + variable + "=") == std::string::npos;
}

/// What a process runs, where it is not what this one runs, nor a shell with something else inside.
std::string other_program(long process) {
  const fs::path of = fs::path("/proc") / std::to_string(process);
  std::error_code failed;
  const fs::path theirs = fs::read_symlink(of / "exe", failed), ours = fs::read_symlink("/proc/self/exe", failed);
  const fs::path children = of / "task" / std::to_string(process) / "children";
  if (failed || theirs.filename() == ours.filename() || !fs::exists(children, failed)) return {};
  return contents(children).empty() ? theirs.string() : "";
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

StartWatch::StartWatch(std::string rank_variable, long ranks, long ranks_here)
    : variable_(std::move(rank_variable)), ranks_(ranks), ranks_here_(ranks_here), before_(std::make_unique<Mask>()) {
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
  constexpr int kTurnsToMeet = 250;  // five seconds: far more than a start takes, where all are well
  for (int turns = 0; !over_; ++turns) {
    const int number = sigtimedwait(&watched, nullptr, &turn);
    if (number > 0) {
      // A launcher that ends the others does so because one has died.
      const std::string who = who_is_missing(true);
      if (!who.empty()) end(who, kFailed);
      end(fmt::format("stopped by SIG{}", sigabbrev_np(number)), 128 + number);
    }
    if (turns == kTurnsToMeet) {
      turns = 0;
      if (const std::string who = who_is_missing(false); !who.empty() && !over_) end(who, kFailed);
    }
  }
}

std::string StartWatch::who_is_missing(bool others_are_ended) const {
  const std::map<long, long> here = siblings(variable_);
  const bool all_here = ranks_here_ == ranks_ && launcher_is_parent(variable_);
  const bool one_missing = here.size() + 1 == static_cast<std::size_t>(ranks_);
  for (long r = 0; r < ranks_ && one_missing && (all_here || others_are_ended); ++r)
    if (!here.contains(r)) return fmt::format("rank {} ended", r);
  if (!all_here) return {};
  for (const auto& [r, process] : here)
    if (const std::string name = other_program(process); !name.empty())
      return fmt::format("rank {} does not join, it is {}", r, name);
  return {};
}

void StartWatch::end(const std::string& why, int status) const {
  const std::map<long, long> here = siblings(variable_);
  if (!here.empty() && here.begin()->second == static_cast<long>(getpid())) {
    fmt::print(stderr, "evident: {} while the ranks were being started; nothing was begun: start it again\n", why);
    std::fflush(stderr);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(800));  // the one that speaks must see who is left
  }
  ::_exit(status);
}

}  // namespace evident::cluster
