#include "base/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace evident {
namespace {

char folded(char c) {
  if (c == '_' || c == ' ') return '-';
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::string folded(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = folded(c);
  return out;
}

/// Insertions, deletions, changes and swaps of neighbours (optimal string alignment distance).
std::size_t typing_errors(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, previous[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string_view> known) {
  // A third of the letters may be wrong; beyond that a suggestion misleads more than it helps.
  const std::string wanted = folded(word);
  std::string_view best;
  std::size_t fewest = 0;
  for (const std::string_view candidate : known) {
    const std::size_t errors = typing_errors(wanted, folded(candidate));
    const std::size_t allowed = std::max<std::size_t>(1, std::max(wanted.size(), candidate.size()) / 3);
    // A word of which every letter is wrong is no match at all.
    if (errors > allowed || errors >= std::max(wanted.size(), candidate.size())) continue;
    if (best.empty() || errors < fewest) {
      best = candidate;
      fewest = errors;
    }
  }
  return std::string(best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string best = nearest(word, known);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

}  // namespace evident
