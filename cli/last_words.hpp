// What is kept when the program has to end: a signal came, or another rank of the team is lost.
//
//   const LastWords last_words(membership, interrupt, [](const std::string& why) { return why + "; nothing is kept";
//   });
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>

#include "base/team.hpp"
#include "evident/cluster/launch.hpp"
#include "interrupt.hpp"
#include "journal/temporaries.hpp"
#include "output.hpp"
#include "report/text.hpp"

namespace evident::cli {

/// On rank 0, which writes the results, while it lives; then its work is done, and that is said. The others keep their
/// words, because rank 0 may be lost while it writes: the words must not refer to what goes away.
class LastWords {
 public:
  LastWords(cluster::Membership& membership, Interrupt& interrupt,
            const std::function<std::string(const std::string& why)>& words)
      : membership_(membership) {
    interrupt.set_words(words);
    membership.when_lost([words](const std::string& who) {
      Temporaries::remove_all();
      say(words(who));
    });
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
