// How a team is looked after: failures, signs of life, ranks that are lost, and the end.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/pack.hpp"
#include "cluster/mpi_team.hpp"

namespace evident::cluster {
namespace {

using std::chrono::milliseconds;

constexpr auto kTurn = milliseconds(100);
constexpr auto kPatience = std::chrono::seconds(30);  // for others to end in good order when something failed
constexpr double kParting = 2;                        // seconds to see that all have met after one of them has gone
constexpr std::size_t kMostText = 8000;

// Signs of life are rarer in large teams, where rank 0 has many to send and to read.
double seconds_between_signs(std::size_t ranks) { return std::max(2.0, 1e-3 * static_cast<double>(ranks)); }

double timeout_from_environment() {
  constexpr double kDefault = 60, kLeast = 3;
  const char* text = std::getenv("EVIDENT_TEAM_TIMEOUT");  // NOLINT(concurrency-mt-unsafe)
  const double value = text == nullptr ? kDefault : std::strtod(text, nullptr);
  return value >= kLeast ? value : kDefault;
}

/// Signals belong to the thread that asks for them, not to those of MPI or of a team.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

MpiTeam::MpiTeam(const MpiApi& api, int rank, int size, std::string_view commit)
    : Team(static_cast<std::size_t>(rank), static_cast<std::size_t>(size)),
      api_(api),
      timeout_(timeout_from_environment()),
      heard_(static_cast<std::size_t>(size), 0.0) {
  const Member me = this_member(commit);
  members_ = unpacked_all(all_gather_bytes(packed(me)));
  for (std::size_t r = 0; r < members_.size(); ++r)
    if (r != this->rank() && members_[r].place == me.place) neighbours_.push_back(r);
  const SignalsHeld held;
  service_ = std::thread([this] { look_after(); });
}

MpiTeam::~MpiTeam() {
  closing_ = true;
  wake_.notify_all();
  if (service_.joinable()) service_.join();
}

void MpiTeam::when_lost(std::function<void(const std::string&)> last_words) {
  const std::lock_guard lock(state_mutex_);
  last_words_ = std::move(last_words);
}

void MpiTeam::when_failed(std::function<void()> stop) {
  const std::lock_guard lock(state_mutex_);
  stop_ = std::move(stop);
  if (failed_ && stop_) stop_();
}

std::size_t MpiTeam::threads_of_all(unsigned own) const {
  std::size_t sum = 0;
  for (std::size_t r = 0; r < size(); ++r) sum += threads_for(r, members_);
  return own == threads_for(rank(), members_) ? sum : own * size();
}

void MpiTeam::tell(Notice notice, const std::string& text, int status, std::size_t except) {
  Packer out;
  out.put(notice);
  out.put(status);
  out.put(text.substr(0, kMostText));
  const std::vector<std::byte> bytes = out.finish();
  const std::lock_guard lock(mutex_);
  if (!leads()) return send(1, 0, bytes);
  for (std::size_t r = 1; r < size(); ++r)
    if (r != except) send(1, r, bytes);
}

void MpiTeam::set_failed(const std::string& what, int status) {
  const std::lock_guard lock(state_mutex_);
  if (failed_) return;
  failure_ = what;
  failure_status_ = status;
  by_another_ = true;
  failed_ = true;
  if (stop_) stop_();
}

void MpiTeam::fail(const std::string& what, int status) {
  if (failed_ || ending_) return;  // they know
  told(Notice::failed, what, status);
  failed_ = true;
}

/// False when the network is gone; then the launcher has to end the others.
bool MpiTeam::told(Notice notice, const std::string& text, int status) {
  try {
    tell(notice, text, status, 0);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void MpiTeam::rethrow_failure() {
  const std::lock_guard lock(state_mutex_);
  if (by_another_) throw TeamFailure(failure_, failure_status_);
}

void MpiTeam::look_after() {
  auto before = Clock::now();
  while (!closing_) {
    {
      std::unique_lock lock(state_mutex_);
      wake_.wait_for(lock, kTurn, [&] { return closing_.load(); });
    }
    const auto now = Clock::now();
    note_a_standstill();
    last_turn_ = now.time_since_epoch().count();
    clock_ += std::min(1.0, std::chrono::duration<double>(now - before).count());
    before = now;
    try {
      read_notices();
      if (closing_) break;
      give_signs_of_life();
    } catch (const std::exception& e) {
      set_failed(e.what(), 1);
    }
    std::string who = lost();
    if (who.empty()) who = silent();
    if (!who.empty() && !closing_ && !may_have_left()) end_lost(who);
  }
}

void MpiTeam::read_notices() {
  for (;;) {
    const std::optional<Letter> letter = receive(1);
    if (!letter) return;
    heard_[letter->from] = clock_;
    Unpacker in(letter->bytes);
    const auto notice = in.get<Notice>();
    const auto status = in.get<int>();
    const std::string text = in.get_text();
    if (notice == Notice::failed) {
      const std::string what = leads() ? fmt::format("rank {}: {}", letter->from, text) : text;
      if (leads() && !failed_) tell(Notice::failed, what, status, letter->from);
      set_failed(what, status);
    } else if (notice == Notice::lost) {
      end_lost(text);
    }
  }
}

void MpiTeam::give_signs_of_life() {
  if (clock_ - last_sign_ < seconds_between_signs(size())) return;
  last_sign_ = clock_;
  tell(Notice::life, "", 0, 0);
}

// Everybody is heard by rank 0, and rank 0 by everybody.
std::string MpiTeam::silent() {
  for (std::size_t r = 0; r < size(); ++r) {
    if (r == rank() || (!leads() && r > 0)) continue;
    if (clock_ - heard_[r] > timeout_)
      return fmt::format("{} gave no sign of life for {:.0f} s", words_for(r, members_[r]), timeout_);
  }
  return {};
}

// Others may see before this rank that all have met, and end: that is no loss.
bool MpiTeam::may_have_left() {
  if (!leaving_) return false;
  if (!gone_since_) gone_since_ = clock_;
  return clock_ - *gone_since_ < kParting;
}

std::string MpiTeam::lost() {
  for (const std::size_t r : neighbours_)
    if (is_gone(members_[r].process)) return words_for(r, members_[r]) + " died";
  return {};
}

/// This process stood still, by SIGSTOP say: what became of the others meanwhile has been said by them.
void MpiTeam::note_a_standstill() {
  // Signs of life are some time apart, so the others may give up well before the whole of their patience is over.
  const double still = std::min(5.0, timeout_ / 2);
  constexpr double kAfterwards = 10;  // seconds in which the others are seen to be gone
  const Clock::duration turn(Clock::now().time_since_epoch().count() - last_turn_);
  if (std::chrono::duration<double>(turn).count() > still) silent_until_ = clock_ + kAfterwards;
}

// Rank 0 if it lives; the lowest of those that can see that it does not.
bool MpiTeam::speaks() const {
  if (clock_ < silent_until_) return false;
  if (leads()) return true;
  for (std::size_t r = 0; r < rank(); ++r) {
    const bool seen = std::ranges::find(neighbours_, r) != neighbours_.end();
    if (!seen || !is_gone(members_[r].process)) return r == 0 && clock_ - heard_[0] > timeout_ && rank() == 1;
  }
  return true;
}

void MpiTeam::end_if_lost() {
  if (const std::string who = lost(); !who.empty() && !closing_ && !leaving_) end_lost(who);
}

void MpiTeam::end_lost(const std::string& who) {
  if (ending_.exchange(true)) std::this_thread::sleep_for(std::chrono::hours(1));  // another thread is at it
  note_a_standstill();
  const int said = leaving_ ? leaving_status_.load() : failed_ ? failure_status_ : 0;
  if (said == 0 && speaks()) {
    const std::lock_guard lock(state_mutex_);
    if (last_words_)
      last_words_(who);
    else
      fmt::print(stderr, "evident: {}; nothing was begun: start it again\n", who);
    std::fflush(stderr);
  } else if (said == 0) {
    std::this_thread::sleep_for(std::chrono::seconds(10));  // who speaks may be slow, and ends us when it has spoken
  }
  // The others are ended by the launcher; those that it forgets see for themselves. MPI may hang now: it is given a
  // second.
  const int status = said == 0 ? 1 : said;
  std::thread([&] {
    if (leads()) told(Notice::lost, who, status);
    if (mutex_.try_lock_for(milliseconds(500))) api_.abort(status);
  }).detach();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ::_exit(status);
}

/// Waits until all ranks leave: as long as it takes, when all is well, and not for long when it is not.
bool MpiTeam::met_others(bool well, int& status) {
  MpiRequest request;
  {
    const std::lock_guard lock(mutex_);
    check(api_.barrier(1, &request), "wait for the others");
  }
  auto start = Clock::now();
  for (;;) {
    {
      int done = 0;
      const std::lock_guard lock(mutex_);
      check(api_.test(&request, &done), "wait for the others");
      if (done != 0) {
        closing_ = true;  // before anybody ends: that is no loss
        return true;
      }
    }
    if (well && failed_) {  // it was, until now
      well = false;
      status = failure_status_;
      start = Clock::now();
    }
    if (!well && Clock::now() - start > kPatience) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
}

int MpiTeam::leave(int status) {
  bool met = false;
  leaving_status_ = status;
  leaving_ = true;
  try {
    met = met_others(status == 0 && !failed_, status);
  } catch (const std::exception&) {
    status = status == 0 ? 1 : status;
  }
  closing_ = true;
  wake_.notify_all();
  if (service_.joinable()) service_.join();
  std::fflush(nullptr);
  if (!met) {
    api_.abort(status == 0 ? 1 : status);
    ::_exit(status == 0 ? 1 : status);
  }
  reap();
  if (given_up_.empty() && sent_.empty()) {
    api_.close();
    return status;
  }
  ::_exit(status);
}

}  // namespace evident::cluster
