// A team: processes that run the same program on the same input, perhaps on several machines, and share the work.
//
//   Team& team = team_of_one();                              // or that of cluster/launch.hpp, under mpirun
//   team.all_gather(all, first);                             // rank r knows all[first[r] .. first[r+1]); then all do
//   for (auto& bytes : team.all_gather_bytes(own)) use(bytes);  // what each rank gave, in the order of ranks
//
// Every rank calls the same operations in the same order, from one thread at a time. Letters (`post`, `fetch`) are for
// work that is handed out as ranks get ready. Whatever the number of ranks, results must not depend on it: reductions
// have a fixed order (base/partition.hpp), never that of the network.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evident/base/context.hpp"
#include "evident/base/error.hpp"

namespace evident {

/// Another member of the team failed: what it said, and its exit status.
class TeamFailure : public FatalError {
 public:
  TeamFailure(const std::string& what, int status) : FatalError(what), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

/// What this rank sent and received.
struct TeamTraffic {
  std::uint64_t operations = 0;  ///< collective ones
  std::uint64_t letters = 0;     ///< sent
  std::uint64_t bytes_out = 0, bytes_in = 0;
  double seconds = 0;  ///< in collective operations, waiting included
};

struct Letter {
  std::size_t from = 0;
  std::vector<std::byte> bytes;
};

class Team {
 public:
  virtual ~Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t rank() const { return rank_; }
  std::size_t size() const { return size_; }
  bool single() const { return size_ == 1; }
  bool leads() const { return rank_ == 0; }  ///< writes files and talks

  /// Entries first[r] .. first[r+1]-1 of `all` are rank r's; afterwards every rank has all of them.
  void all_gather(std::span<double> all, std::span<const std::size_t> first);
  /// The bytes of each rank, in the order of ranks.
  std::vector<std::vector<std::byte>> all_gather_bytes(std::span<const std::byte> own);
  /// The bytes of rank 0; those of the others are not looked at.
  std::vector<std::byte> broadcast(std::span<const std::byte> bytes);
  /// send[r] goes to rank r; receive[r] has the size of what comes from rank r. What a rank has for itself is not sent.
  void exchange(const std::vector<std::vector<double>>& send, std::vector<std::vector<double>>& receive);

  /// Sends a letter and does not wait.
  void post(std::size_t to, std::vector<std::byte> bytes);
  /// The next letter, if one is there.
  std::optional<Letter> fetch();

  /// Tells the others that this rank gives up. Their operations throw TeamFailure.
  virtual void fail(const std::string& what, int status) = 0;
  /// Throws TeamFailure when another rank gave up.
  virtual void rethrow_failure() {}
  /// Who is gone, in words, as far as this rank can tell now: "rank 2 (process 4711 on node7) died"; empty: nobody.
  virtual std::string lost() { return {}; }
  /// Threads of all ranks together, where this rank has `own`.
  virtual std::size_t threads_of_all(unsigned own) const { return own; }

  TeamTraffic traffic() const;
  /// A number that all ranks agree on, one higher at each call: tells the letters of one piece of work from the next.
  std::uint64_t next_occasion() { return ++occasions_; }

  /// No message is larger; what says it is, is not believed.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 33U;

 protected:
  Team(std::size_t rank, std::size_t size) : rank_(rank), size_(size) {}
  virtual void do_all_gather(std::span<double> all, std::span<const std::size_t> first) = 0;
  /// `bytes` has the same size everywhere.
  virtual void do_broadcast(std::span<std::byte> bytes) = 0;
  virtual void do_exchange(const std::vector<std::vector<double>>& send, std::vector<std::vector<double>>& receive) = 0;
  virtual void do_post(std::size_t to, std::vector<std::byte> bytes) = 0;
  virtual std::optional<Letter> do_fetch() = 0;

 private:
  std::size_t rank_, size_;
  std::atomic<std::uint64_t> operations_{0}, letters_{0}, bytes_out_{0}, bytes_in_{0}, nanoseconds_{0};
  std::uint64_t occasions_ = 0;
};

/// Shares of `count` things for the ranks, in order and as equal as can be: rank r has first[r] .. first[r+1]-1.
std::vector<std::size_t> even_shares(std::size_t count, std::size_t ranks);

}  // namespace evident
