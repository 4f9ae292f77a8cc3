#include "base/option.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "base/team.hpp"
#include "evident/base/error.hpp"

namespace evident {
namespace {

std::string angular(std::string_view key, std::string_view value) {
  return "<" + std::string(key) + (value.empty() ? "" : "|" + std::string(value)) + ">";
}

TEST(Option, IsSpelledByTheFrontEnd) {
  const std::string text = "give " + option("nuclide") + ", for example " + option("nuclide", "C11") + "; or not";
  EXPECT_EQ(spelled(text, angular), "give <nuclide>, for example <nuclide|C11>; or not");
  EXPECT_EQ(spelled(text), "give option nuclide, for example option nuclide=C11; or not");
  EXPECT_EQ(spelled(option("a") + option("b"), angular), "<a><b>");
  EXPECT_EQ(spelled("no option here", angular), "no option here");
  EXPECT_EQ(spelled("", angular), "");
}

TEST(Option, AnErrorKnowsItsOptionsAndReadsWellWithoutAFrontEnd) {
  const InputError error(option("vb") + " needs whole blood, or " + option("blood_tail", "0.5"));
  EXPECT_STREQ(error.what(), "option vb needs whole blood, or option blood_tail=0.5");
  EXPECT_EQ(spelled(error.message(), angular), "<vb> needs whole blood, or <blood_tail|0.5>");
  EXPECT_THAT(error.options(), testing::ElementsAre("vb", "blood_tail"));
  EXPECT_TRUE(InputError("study.toml:7: unknown key").options().empty());
  EXPECT_STREQ(RunError("plain").what(), "plain");
  static_assert(std::is_nothrow_copy_constructible_v<InputError>);
}

TEST(Option, SurvivesWrapping) {
  const InputError inner(option("resume") + " is missing");
  const RunError wrapped("model 'x': " + message_of(inner));
  const TeamFailure told("rank 2: " + wrapped.message() + "; stopped", 1);
  EXPECT_EQ(spelled(message_of(told), angular), "rank 2: model 'x': <resume> is missing; stopped");
  EXPECT_STREQ(told.what(), "rank 2: model 'x': option resume is missing; stopped");
}

TEST(Option, TextOfUsersIsNoMark) {
  for (const std::string text : {"{option:vb}", "--vb", "option vb", "<vb>", "\x01vb\x02", "%vb%", "\xEF\xB7\x8Fvb"})
    EXPECT_EQ(spelled(text, angular), text);
  // Even a value with the characters of marks stays one value.
  EXPECT_EQ(spelled(option("data", "a" + option("force", "1") + "b") + "!", angular), "<data|aforce1b>!");
  // Text between such characters that is no key is left alone, and so are marks after it.
  const std::string begin = option("x").substr(0, 3), end = option("x").substr(4);
  EXPECT_EQ(spelled(begin + "a b" + end + option("vb"), angular), "a b" + end + "<vb>");
}

TEST(Option, AMessageThatWasCutKeepsItsWords) {
  const std::string text = "add " + option("resume", "yes");
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_THAT(spelled(text.substr(0, size), angular),
                testing::StartsWith(text.substr(0, std::min<std::size_t>(size, 4))));
  EXPECT_EQ(spelled(text.substr(0, 4 + 3 + 6), angular), "add resume");
}

}  // namespace
}  // namespace evident
