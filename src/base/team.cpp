#include "base/team.hpp"

#include <chrono>
#include <cstring>
#include <string>

namespace evident {
namespace {

class Alone final : public Team {
 public:
  Alone() : Team(0, 1) {}
  void fail(const std::string&, int) override {}

 protected:
  void do_all_gather(std::span<double>, std::span<const std::size_t>) override {}
  void do_broadcast(std::span<std::byte>) override {}
  void do_exchange(const std::vector<std::vector<double>>&, std::vector<std::vector<double>>&) override {}
  void do_post(std::size_t, std::vector<std::byte>) override {}
  std::optional<Letter> do_fetch() override { return std::nullopt; }
};

/// Adds the time that it lives.
class Timed {
 public:
  explicit Timed(std::atomic<std::uint64_t>& nanoseconds) : to_(nanoseconds), start_(Clock::now()) {}
  ~Timed() {
    to_ +=
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count());
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<std::uint64_t>& to_;
  Clock::time_point start_;
};

std::uint64_t checked(double size) {
  if (!(size >= 0 && size <= static_cast<double>(Team::kMostBytes)))
    throw RunError("a message between the processes claims an impossible length; something is wrong with the network");
  return static_cast<std::uint64_t>(size);
}

std::size_t doubles_for(std::size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

}  // namespace

Team& team_of_one() {
  static Alone one;
  return one;
}

void Team::all_gather(std::span<double> all, std::span<const std::size_t> first) {
  if (single()) return;
  const Timed timed(nanoseconds_);
  const std::size_t own = first[rank_ + 1] - first[rank_];
  ++operations_;
  bytes_out_ += own * sizeof(double);
  bytes_in_ += (all.size() - own) * sizeof(double);
  do_all_gather(all, first);
}

// First the lengths, then the bytes, as doubles that are never computed with.
std::vector<std::vector<std::byte>> Team::all_gather_bytes(std::span<const std::byte> own) {
  if (single()) return {{own.begin(), own.end()}};
  std::vector<double> lengths(size_);
  lengths[rank_] = static_cast<double>(own.size());
  all_gather(lengths, even_shares(size_, size_));
  std::vector<std::size_t> first(size_ + 1);
  for (std::size_t r = 0; r < size_; ++r) first[r + 1] = first[r] + doubles_for(checked(lengths[r]));
  checked(static_cast<double>(first[size_]) * sizeof(double));
  std::vector<double> all(first[size_]);
  if (!own.empty()) std::memcpy(all.data() + first[rank_], own.data(), own.size());
  all_gather(all, first);
  std::vector<std::vector<std::byte>> out(size_);
  for (std::size_t r = 0; r < size_; ++r) {
    out[r].resize(static_cast<std::size_t>(lengths[r]));
    if (!out[r].empty()) std::memcpy(out[r].data(), all.data() + first[r], out[r].size());
  }
  return out;
}

std::vector<std::byte> Team::broadcast(std::span<const std::byte> bytes) {
  std::vector<std::byte> out(bytes.begin(), bytes.end());
  if (single()) return out;
  const Timed timed(nanoseconds_);
  double length = static_cast<double>(bytes.size());
  do_broadcast(std::as_writable_bytes(std::span(&length, 1)));
  out.resize(checked(length));
  if (!out.empty()) do_broadcast(out);
  ++operations_;
  (leads() ? bytes_out_ : bytes_in_) += out.size();
  return out;
}

void Team::exchange(const std::vector<std::vector<double>>& send, std::vector<std::vector<double>>& receive) {
  if (single()) return;
  const Timed timed(nanoseconds_);
  ++operations_;
  for (const auto& s : send) bytes_out_ += s.size() * sizeof(double);
  for (const auto& r : receive) bytes_in_ += r.size() * sizeof(double);
  do_exchange(send, receive);
}

void Team::post(std::size_t to, std::vector<std::byte> bytes) {
  ++letters_;
  bytes_out_ += bytes.size();
  do_post(to, std::move(bytes));
}

std::optional<Letter> Team::fetch() {
  std::optional<Letter> letter = do_fetch();
  if (letter) bytes_in_ += letter->bytes.size();
  return letter;
}

TeamTraffic Team::traffic() const {
  return {operations_, letters_, bytes_out_, bytes_in_, 1e-9 * static_cast<double>(nanoseconds_.load())};
}

std::vector<std::size_t> even_shares(std::size_t count, std::size_t ranks) {
  std::vector<std::size_t> first(ranks + 1);
  for (std::size_t r = 0; r <= ranks; ++r) first[r] = count / ranks * r + count % ranks * r / ranks;
  return first;
}

}  // namespace evident
