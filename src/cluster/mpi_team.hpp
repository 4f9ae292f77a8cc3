// A team of MPI's ranks.
//
// All calls of MPI go through one lock, so that a thread of the team's own can look after it: it passes on what goes
// wrong elsewhere, gives signs of life, and notices a rank that died or fell silent. Waiting is polling that gets
// lazier, so that ranks which share a core do not take it from each other.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/team.hpp"
#include "cluster/member.hpp"
#include "cluster/mpi_api.hpp"

namespace evident::cluster {

class MpiTeam final : public Team {
 public:
  /// Throws InputError, the same on all ranks, when they run different builds.
  MpiTeam(const MpiApi& api, int rank, int size, std::string_view commit);
  ~MpiTeam() override;

  void fail(const std::string& what, int status) override;
  void rethrow_failure() override;
  std::string lost() override;
  std::size_t threads_of_all(unsigned own) const override;

  const std::vector<Member>& members() const { return members_; }
  void when_lost(std::function<void(const std::string&)> last_words);
  void when_failed(std::function<void()> stop);
  /// Does not return when a rank is lost.
  void end_if_lost();
  int leave(int status);

 protected:
  void do_all_gather(std::span<double> all, std::span<const std::size_t> first) override;
  void do_broadcast(std::span<std::byte> bytes) override;
  void do_exchange(const std::vector<std::vector<double>>& send, std::vector<std::vector<double>>& receive) override;
  void do_post(std::size_t to, std::vector<std::byte> bytes) override;
  std::optional<Letter> do_fetch() override;

 private:
  using Clock = std::chrono::steady_clock;
  /// What an operation works on. It outlives the operation, even one that is given up.
  struct Pending {
    std::vector<double> in, out;
    std::vector<std::byte> bytes;
    std::vector<int> counts, first, in_counts, in_first;
    MpiRequest request = {};
  };
  enum class Notice : std::uint8_t { life, failed, lost };

  void check(int code, const char* what) const;
  /// Throws, and keeps what the operation works on, when another rank failed.
  void wait(std::unique_ptr<Pending> operation, const std::function<void(Pending&)>& done);
  bool is_done(Pending& operation);
  void throw_if_failed();
  void send(int channel, std::size_t to, std::vector<std::byte> bytes);  // the lock is held
  void reap();                                                           // the lock is held
  std::optional<Letter> receive(int channel);

  void look_after();
  void read_notices();
  void give_signs_of_life();
  std::string silent();
  bool may_have_left();
  void tell(Notice notice, const std::string& text, int status, std::size_t except);
  bool told(Notice notice, const std::string& text, int status);
  bool met_others(bool well, int& status);
  void set_failed(const std::string& what, int status);
  [[noreturn]] void end_lost(const std::string& who);
  bool speaks() const;
  void note_a_standstill();

  const MpiApi& api_;
  std::timed_mutex mutex_;  ///< of MPI
  std::list<std::unique_ptr<Pending>> sent_, given_up_;
  std::vector<Member> members_;
  std::vector<std::size_t> neighbours_;  ///< ranks whose process this one can see
  double timeout_;                       ///< seconds of silence

  std::mutex state_mutex_;  ///< of what follows
  std::condition_variable wake_;
  std::string failure_;
  int failure_status_ = 1;
  std::function<void(const std::string&)> last_words_;
  std::function<void()> stop_;
  bool by_another_ = false;
  std::atomic<bool> failed_ = false, closing_ = false, ending_ = false;
  std::atomic<bool> leaving_ = false;    ///< the work is over, and this rank waits for the others
  std::atomic<int> leaving_status_ = 0;  ///< with what; why it is not 0 has been said

  std::vector<double> heard_;  ///< by the service thread's own clock, which stands still while the process does
  double last_sign_ = 0;
  std::atomic<double> clock_ = 0, silent_until_ = 0;
  std::atomic<Clock::rep> last_turn_ = Clock::now().time_since_epoch().count();
  std::optional<double> gone_since_;  ///< when a rank was first seen to be gone while this one was leaving
  std::thread service_;
};

}  // namespace evident::cluster
