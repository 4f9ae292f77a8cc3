// The words that an option takes, and what they stand for.
//
//   constexpr Words<Grouping, 2> kGroupings = {{{"joint", Grouping::joint}, {"single", Grouping::single}}};
//   names<kGroupings>();              // "joint", "single"
//   meaning(kGroupings, "joint");     // Grouping::joint
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace evident {

template <class T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;

template <const auto& words>
std::span<const std::string_view> names() {
  static constexpr auto list = [] {
    std::array<std::string_view, std::tuple_size_v<std::remove_cvref_t<decltype(words)>>> out;
    std::ranges::transform(words, out.begin(), [](const auto& word) { return word.first; });
    return out;
  }();
  return list;
}

/// `word` is one of the words.
template <class T, std::size_t N>
T meaning(const Words<T, N>& words, std::string_view word) {
  return std::ranges::find(words, word, &std::pair<std::string_view, T>::first)->second;
}

}  // namespace evident
