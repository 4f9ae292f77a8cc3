// What rank 0 has, on every rank of a team.
//
//   const double seconds = from_rank_0(clock.seconds(), team);         // a decision that must be the same everywhere
//   const std::vector<std::vector<std::byte>> all = from_rank_0(std::move(results), team);
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/pack.hpp"
#include "base/team.hpp"

namespace evident {

template <class T>
requires std::is_trivially_copyable_v<T> T from_rank_0(T own, Team& team) {
  const std::vector<std::byte> first = team.broadcast(std::as_bytes(std::span(&own, 1)));
  if (first.size() != sizeof own) Unpacker::refuse();
  std::memcpy(&own, first.data(), sizeof own);
  return own;
}

/// Of the other ranks only the number of pieces counts.
inline std::vector<std::vector<std::byte>> from_rank_0(std::vector<std::vector<std::byte>> own, Team& team) {
  if (team.single()) return own;
  Packer all;
  for (const std::vector<std::byte>& one : own) all.put_bytes(one);
  const std::vector<std::byte> first = team.broadcast(team.leads() ? all.finish() : std::vector<std::byte>());
  Unpacker in(first);
  for (std::vector<std::byte>& one : own) {
    const std::span<const std::byte> bytes = in.get_bytes();
    one.assign(bytes.begin(), bytes.end());
  }
  in.end();
  return own;
}

}  // namespace evident
