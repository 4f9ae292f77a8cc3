#include "evident/base/context.hpp"

#include <algorithm>

#include "base/pack.hpp"
#include "base/team.hpp"

namespace evident {

std::vector<CheckpointStore::Bytes> find_all(const std::vector<CheckpointSlot>& wanted, Team& team) {
  std::vector<CheckpointStore::Bytes> found(wanted.size());
  const bool kept = std::ranges::any_of(wanted, [](const CheckpointSlot& k) { return static_cast<bool>(k); });
  if (!kept) return found;
  if (team.leads())
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (auto bytes = wanted[i].find()) found[i] = std::move(*bytes);
  if (team.single()) return found;
  Packer all;
  for (const CheckpointStore::Bytes& bytes : found) all.put_bytes(bytes);
  const CheckpointStore::Bytes told = team.broadcast(team.leads() ? all.finish() : CheckpointStore::Bytes());
  Unpacker in(told);
  for (CheckpointStore::Bytes& bytes : found) {
    const std::span<const std::byte> one = in.get_bytes();
    bytes.assign(one.begin(), one.end());
  }
  in.end();
  return found;
}

}  // namespace evident
