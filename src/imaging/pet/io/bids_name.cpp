#include <algorithm>

#include "imaging/pet/io/bids.hpp"

namespace evident::imaging {
namespace {

bool is_label(std::string_view s) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+';
  };
  return !s.empty() && std::ranges::all_of(s, plain);
}

}  // namespace

BidsName parse_bids_name(std::string_view file_name) {
  BidsName name;
  const std::size_t dot = file_name.find('.');
  name.extension = dot == std::string_view::npos ? "" : std::string(file_name.substr(dot));
  std::string_view rest = file_name.substr(0, dot);
  while (true) {
    const std::size_t end = rest.find('_');
    const std::string_view part = rest.substr(0, end);
    if (end == std::string_view::npos) {
      if (is_label(part)) name.suffix = std::string(part);
      return name;
    }
    const std::size_t dash = part.find('-');
    if (dash == std::string_view::npos || !is_label(part.substr(0, dash)) || !is_label(part.substr(dash + 1))) {
      name.entities.clear();
      return name;
    }
    name.entities.emplace_back(part.substr(0, dash), part.substr(dash + 1));
    rest.remove_prefix(end + 1);
  }
}

std::string BidsName::value(std::string_view key) const {
  for (const auto& [k, v] : entities) {
    if (k == key) return v;
  }
  return {};
}

bool BidsName::within(const BidsName& other, std::string_view except) const {
  return std::ranges::all_of(entities, [&](const auto& entity) {
    return entity.first == except || other.value(entity.first) == entity.second;
  });
}

}  // namespace evident::imaging
