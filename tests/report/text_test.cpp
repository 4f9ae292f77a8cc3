#include "report/text.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

namespace evident::report {
namespace {

TEST(Text, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("αβ"), 2u);
  EXPECT_EQ(display_width("日本"), 4u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u) << "a combining accent";
  EXPECT_EQ(display_width("\xFF"), 1u) << "broken UTF-8";
  EXPECT_EQ(display_width("\xE6\x97"), 2u) << "cut in the middle";
}

TEST(Text, FittedIsAlwaysOfTheAskedWidth) {
  EXPECT_EQ(fitted("ab", 4), "ab  ");
  EXPECT_EQ(fitted("abcdef", 4), "ab..");
  EXPECT_EQ(fitted("日本語", 5), "日.. ");
  for (std::size_t width = 0; width < 12; ++width) {
    for (const char* text : {"", "a", "abcdefgh", "日本語日本語", "a\xFF\xFFz"}) {
      EXPECT_EQ(display_width(fitted(text, width)), width) << text;
    }
  }
}

TEST(Text, Durations) {
  EXPECT_EQ(duration(0.04), "0.0 s");
  EXPECT_EQ(duration(9.94), "9.9 s");
  EXPECT_EQ(duration(9.96), "10 s");
  EXPECT_EQ(duration(65), "1:05");
  EXPECT_EQ(duration(3725), "1:02:05");
  EXPECT_EQ(duration(-1), "?");
  EXPECT_EQ(duration(1e300 * 1e300), "?");
}

TEST(Text, AFileIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const TextStyle style = detect_style(ends[1]);
  EXPECT_FALSE(style.terminal);
  EXPECT_FALSE(style.colour);
  EXPECT_FALSE(style.cursor);
  close(ends[0]);
  close(ends[1]);
}

TEST(Text, UnicodeFollowsTheEnvironment) {
  setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(detect_style(0).unicode);
  setenv("LC_ALL", "en_GB.UTF-8", 1);
  EXPECT_TRUE(detect_style(0).unicode);
  unsetenv("LC_ALL");
}

}  // namespace
}  // namespace evident::report
