#include "base/printable.hpp"

#include <gtest/gtest.h>

namespace evident {
namespace {

TEST(Printable, HasNoControlCharacters) {
  EXPECT_EQ(printable("a\nb\x1b[2Jc\td"), "a b [2Jc d");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            " 2J")
      << "the one-byte form of escape-bracket";
  EXPECT_EQ(printable("ok α"), "ok α");
  EXPECT_EQ(printable("\xFFz"), "?z");
}

TEST(Printable, NothingTurnsTheDirection) {
  EXPECT_EQ(printable("safe\u202Egpj.exe"), "safe gpj.exe");
  for (const char* mark : {"\u061C", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066",
                           "\u2067", "\u2068", "\u2069"})
    EXPECT_EQ(printable(std::string("a") + mark + "b"), "a b");
  EXPECT_EQ(printable("שלום"), "שלום") << "letters that run from right to left are text like any other";
}

TEST(Printable, LinesKeepWhatTheProgramWritesItself) {
  EXPECT_EQ(printable_lines("a\n\x1b[1mb\x1b[0m\tc\r\x1b[2A\x1b[J"), "a\n\x1b[1mb\x1b[0m\tc\r\x1b[2A\x1b[J");
  EXPECT_EQ(printable_lines("\x1b]0;title\a\x1b[5;5H\x1b"), " ]0;title  [5;5H ");
  EXPECT_EQ(printable_lines("a\u202Eb\n"), "a b\n");
}

TEST(Printable, LongTextLosesItsMiddle) {
  EXPECT_EQ(abridged("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(abridged("abcdefgh", 4), "ab...gh");
  EXPECT_EQ(abridged("aαbβcγd", 6), "aα...γd");
  EXPECT_EQ(abridged("ααααα", 6), "α...α") << "characters stay whole";
  EXPECT_EQ(abridged("\x80\x80\x80\x80", 2), "...");
}

TEST(Printable, JsonKeepsItsValues) {
  EXPECT_EQ(escaped_json("{\"a\u202E\": \"\u009B\x7F é\"}\n"), "{\"a\\u202e\": \"\\u009b\\u007f é\"}\n");
}

}  // namespace
}  // namespace evident
