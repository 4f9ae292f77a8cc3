#include "cluster/mpi_team.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <limits>
#include <numeric>

#include "base/pack.hpp"

namespace evident::cluster {
namespace {

constexpr std::size_t kMostLetter = std::size_t{1} << 30U;

/// From doing nothing for a moment to sleeping half a millisecond.
void pause(std::size_t turn) {
  constexpr std::size_t kSpins = 200, kYields = 1200;
  if (turn < kSpins) return;
  if (turn < kYields) {
    sched_yield();
    return;
  }
  const std::size_t more = std::min<std::size_t>(turn - kYields, 9);
  std::this_thread::sleep_for(std::chrono::microseconds(50 + 50 * more));
}

int as_count(std::size_t n) {
  if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw RunError("a message between the processes is too large (more than 2^31 numbers); use fewer particles");
  return static_cast<int>(n);
}

}  // namespace

void MpiTeam::check(int code, const char* what) const {
  if (code == 0) return;
  char text[512] = "";
  api_.text_of_error(code, text, sizeof text);
  throw RunError(fmt::format("MPI could not {}: {}", what, text));
}

void MpiTeam::throw_if_failed() {
  if (!failed_) return;
  const std::lock_guard lock(state_mutex_);
  throw TeamFailure(failure_, failure_status_);
}

bool MpiTeam::is_done(Pending& operation) {
  int done = 0;
  const std::lock_guard lock(mutex_);
  check(api_.test(&operation.request, &done), "wait");
  return done != 0;
}

void MpiTeam::wait(std::unique_ptr<Pending> operation, const std::function<void(Pending&)>& done) {
  Pending& pending = *operation;
  for (std::size_t turn = 0; !is_done(pending); ++turn) {
    if (ending_) std::this_thread::sleep_for(std::chrono::hours(1));  // the program is being ended
    if (failed_) {
      {
        const std::lock_guard lock(mutex_);
        given_up_.push_back(std::move(operation));
      }
      return throw_if_failed();
    }
    pause(turn);
  }
  done(pending);
}

void MpiTeam::do_all_gather(std::span<double> all, std::span<const std::size_t> first) {
  auto p = std::make_unique<Pending>();
  p->out.resize(all.size());
  as_count(all.size());
  for (std::size_t r = 0; r < size(); ++r) {
    p->first.push_back(static_cast<int>(first[r]));
    p->counts.push_back(static_cast<int>(first[r + 1] - first[r]));
  }
  std::copy(all.begin() + first[rank()], all.begin() + first[rank() + 1], p->out.begin() + first[rank()]);
  {
    const std::lock_guard lock(mutex_);
    check(api_.all_gather(p->out.data(), p->counts.data(), p->first.data(), &p->request), "gather");
  }
  wait(std::move(p), [&](Pending& d) { std::copy(d.out.begin(), d.out.end(), all.begin()); });
}

void MpiTeam::do_broadcast(std::span<std::byte> bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 30U;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const std::span<std::byte> piece = bytes.subspan(at, std::min(kPiece, bytes.size() - at));
    auto p = std::make_unique<Pending>();
    p->bytes.assign(piece.begin(), piece.end());
    {
      const std::lock_guard lock(mutex_);
      check(api_.broadcast(p->bytes.data(), as_count(piece.size()), &p->request), "broadcast");
    }
    wait(std::move(p), [&](Pending& d) { std::copy(d.bytes.begin(), d.bytes.end(), piece.begin()); });
  }
}

void MpiTeam::do_exchange(const std::vector<std::vector<double>>& send, std::vector<std::vector<double>>& receive) {
  auto p = std::make_unique<Pending>();
  std::size_t out = 0, in = 0;
  for (std::size_t r = 0; r < size(); ++r) {
    p->first.push_back(as_count(out));
    p->counts.push_back(as_count(send[r].size()));
    p->in_first.push_back(as_count(in));
    p->in_counts.push_back(as_count(receive[r].size()));
    p->out.insert(p->out.end(), send[r].begin(), send[r].end());
    out += send[r].size();
    in += receive[r].size();
  }
  p->in.resize(in);
  {
    const std::lock_guard lock(mutex_);
    check(api_.exchange(p->out.data(), p->counts.data(), p->first.data(), p->in.data(), p->in_counts.data(),
                        p->in_first.data(), &p->request),
          "exchange");
  }
  wait(std::move(p), [&](Pending& d) {
    auto from = d.in.begin();
    for (std::vector<double>& r : receive) {
      std::copy_n(from, r.size(), r.begin());
      from += static_cast<std::ptrdiff_t>(r.size());
    }
  });
}

void MpiTeam::send(int channel, std::size_t to, std::vector<std::byte> bytes) {
  auto p = std::make_unique<Pending>();
  p->bytes = std::move(bytes);
  check(api_.send(channel, p->bytes.data(), as_count(p->bytes.size()), static_cast<int>(to), &p->request), "send");
  sent_.push_back(std::move(p));
  reap();
}

void MpiTeam::reap() {
  std::erase_if(sent_, [&](const std::unique_ptr<Pending>& p) {
    int done = 0;
    return api_.test(&p->request, &done) == 0 && done != 0;
  });
}

std::optional<Letter> MpiTeam::receive(int channel) {
  auto p = std::make_unique<Pending>();
  int found = 0, from = 0, count = 0;
  {
    const std::lock_guard lock(mutex_);
    reap();
    check(api_.probe(channel, &found, &from, &count), "look for messages");
    if (found == 0) return std::nullopt;
    if (count < 0 || static_cast<std::size_t>(count) > kMostLetter || from < 0 ||
        static_cast<std::size_t>(from) >= size())
      Unpacker::refuse();
    p->bytes.resize(static_cast<std::size_t>(count));
    check(api_.receive_probed(channel, p->bytes.data(), count, &p->request), "receive");
  }
  Letter letter{static_cast<std::size_t>(from), {}};
  wait(std::move(p), [&](Pending& d) { letter.bytes = std::move(d.bytes); });
  return letter;
}

void MpiTeam::do_post(std::size_t to, std::vector<std::byte> bytes) {
  throw_if_failed();
  if (bytes.size() > kMostLetter) throw RunError("a message between the processes is too large; use smaller chunks");
  const std::lock_guard lock(mutex_);
  send(0, to, std::move(bytes));
}

std::optional<Letter> MpiTeam::do_fetch() {
  throw_if_failed();
  return receive(0);
}

}  // namespace evident::cluster
