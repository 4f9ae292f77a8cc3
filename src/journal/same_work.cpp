#include "journal/same_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/pack.hpp"

namespace evident {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

struct Work {
  Facts facts;
  std::uint64_t sum = 0;
};

std::vector<std::byte> packed_work(const JournalIdentity& identity) {
  Packer out;
  out.put(identity.fingerprint());
  for (const auto& [name, value] : identity.facts()) {
    out.put(name);
    out.put(value);
  }
  return out.finish();
}

Work unpacked_work(std::span<const std::byte> bytes, std::size_t facts) {
  Unpacker in(bytes);
  Work out;
  out.sum = in.get<std::uint64_t>();
  for (std::size_t k = 0; k < facts; ++k) {
    std::string name = in.get_text();
    out.facts.emplace_back(std::move(name), in.get_text());
  }
  in.end();
  return out;
}

/// What is different, for people: "seed is 2 there and 1 here".
std::string first_difference(const Facts& there, const Facts& here) {
  // What is only the consequence of another difference says less than that.
  const auto follows = [](const std::string& name) {
    return name.starts_with("log likelihood") || name.starts_with("sum of all");
  };
  std::vector<std::size_t> order;
  for (const bool last : {false, true})
    for (std::size_t k = 0; k < std::min(there.size(), here.size()); ++k)
      if (follows(here[k].first) == last) order.push_back(k);
  for (const std::size_t k : order) {
    if (there[k] == here[k]) continue;
    if (there[k].first == here[k].first)
      return fmt::format("{} is {} there and {} on rank 0", here[k].first, there[k].second, here[k].second);
    return fmt::format("it has the {}, and rank 0 the {}", there[k].first, here[k].first);
  }
  return "it reads other data than rank 0";
}

}  // namespace

void require_same_work(const JournalIdentity& own, Team& team) {
  if (team.single()) return;
  Packer count;
  count.put(static_cast<std::uint64_t>(own.facts().size()));
  const auto counts = team.all_gather_bytes(count.finish());
  const auto all = team.all_gather_bytes(packed_work(own));
  std::vector<Work> works;
  for (std::size_t r = 0; r < all.size(); ++r) {
    Unpacker in(counts[r]);
    const auto facts = in.get<std::uint64_t>();
    in.end();
    works.push_back(unpacked_work(all[r], facts));
  }
  for (std::size_t r = 1; r < works.size(); ++r) {
    if (works[r].sum == works[0].sum && works[r].facts == works[0].facts) continue;
    throw InputError(
        fmt::format("rank {} is not about to do the work of rank 0: {}; start the same command on all ranks, where "
                    "they see the same files",
                    r, first_difference(works[r].facts, works[0].facts)));
  }
}

}  // namespace evident
