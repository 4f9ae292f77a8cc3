// The team that the program was started in: `mpirun -n 4 evident ...` or `srun -n 4 evident ...`; else a team of one.
//
//   Membership membership = Membership::join();      // before any thread is started
//   compare(candidates, {.threads = membership.threads(), .team = &membership.team()});
//   return membership.leave(0);                      // the last thing that main does
//
// MPI is a module, evident_mpi.so, that is loaded only when a launcher of MPI has started the program. EVIDENT_MPI=0 in
// the environment keeps it away; EVIDENT_MPI_MODULE names another file; EVIDENT_TEAM_TIMEOUT is the time in seconds
// after which a silent rank counts as lost (60).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace evident {
class Team;
}  // namespace evident

namespace evident::cluster {

class Membership {
 public:
  /// Throws InputError when a launcher has started several processes that cannot be made a team: ranks of other
  /// versions, say, or of another commit of the sources, where the program knows its own.
  static Membership join(std::string_view commit = {});
  ~Membership();
  Membership(Membership&&) noexcept;
  Membership& operator=(Membership&&) noexcept;

  Team& team();
  /// Threads for this rank when the user names no number: what the launcher gave it. 0, one per core, when alone.
  unsigned threads() const;
  /// "4 ranks on 1 machine, 1 thread each (Open MPI v4.1.4)"; empty when alone.
  std::string description() const;

  /// "rank 0 sent 17 messages, ..."; empty when alone.
  std::string traffic() const;

  /// How to end when a rank is lost: called on one rank, from a thread of its own, with "rank 2 (...) died". Then the
  /// program ends with 1, on all ranks.
  void when_lost(std::function<void(const std::string& who)> last_words);
  /// How to stop working when another rank gave up; called from a thread of its own.
  void when_failed(std::function<void()> stop);
  /// Ends the program as when_lost() says, if a rank is lost; for a signal that the launcher sent because of it.
  void end_if_lost();

  /// Waits for the others and returns the exit status; may end the program itself.
  int leave(int status);

 private:
  struct State;
  explicit Membership(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// What is known of the module without a launcher.
struct MpiModule {
  std::string file{};     ///< empty when there is none
  std::string looked{};   ///< where it was looked for
  std::string library{};  ///< "Open MPI v4.1.4"; empty when it cannot be used
  std::string problem{};  ///< why it cannot be used
};
MpiModule mpi_module();

}  // namespace evident::cluster
