// What is said when another rank of the team is lost and the program is about to end.
//
//   const LastWords last_words(membership, [](const std::string& who) { return who + "; nothing was written"; });
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>

#include "base/team.hpp"
#include "evident/cluster/launch.hpp"
#include "output.hpp"
#include "report/text.hpp"

namespace evident::cli {

/// On rank 0, which writes the results, while it lives; then its work is done, and that is said. The others keep their
/// words, because rank 0 may be lost while it writes: the words must not refer to what goes away.
class LastWords {
 public:
  LastWords(cluster::Membership& membership, std::function<std::string(const std::string& who)> words)
      : membership_(membership) {
    membership.when_lost([words = std::move(words)](const std::string& who) { say(words(who)); });
  }
  ~LastWords() {
    if (membership_.team().leads())
      membership_.when_lost([](const std::string& who) { say(who + "; its part of the work was done already"); });
  }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

 private:
  // Whichever rank is left says it, even one that is silent otherwise.
  static void say(const std::string& text) { fmt::print(stderr, "evident: {}\n", with_flags(report::printable(text))); }

  cluster::Membership& membership_;
};

}  // namespace evident::cli
