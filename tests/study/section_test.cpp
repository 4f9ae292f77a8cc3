#include "study/section.hpp"

#include <gtest/gtest.h>

#include <array>

#include "study/messages.hpp"
#include "support/temporary_folder.hpp"

namespace evident::study {
namespace {

Section table(std::string_view text) {
  return parse_toml("[t]\n" + std::string(text), "s.toml").section("t", "[t]").value();
}

TEST(Section, ReadsEveryType) {
  const Section t =
      table("n = 3\nx = 0.5\ns = \"a\"\nf = true\nl = [1, 2.5]\ni = [1, 2]\nw = [\"a\", \"b\"]\nbig = 1e4\n");
  EXPECT_EQ(t.integer("n", 0, 10), 3u);
  EXPECT_EQ(t.number("n"), 3.0);
  EXPECT_EQ(t.number("x"), 0.5);
  EXPECT_EQ(t.text("s"), "a");
  EXPECT_EQ(t.flag("f"), true);
  EXPECT_EQ(t.numbers("l"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(t.integers("i", 0, 9), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(t.texts("w"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(t.texts("s"), (std::vector<std::string>{"a"})) << "one text is a list of one";
  EXPECT_EQ(t.integer("big", 0, 100000), 10000u);
  EXPECT_FALSE(t.number("absent"));
  EXPECT_FALSE(t.text("absent"));
}

TEST(Section, MessagesNamePlaceValueAndRange) {
  const Section t =
      table("cess = 1.5\nn = -1\nm = 0.5\ns = 7\nl = []\nd = 2020-01-01\nnan = nan\ninf = inf\nh = 99999999999\n");
  EXPECT_EQ(message_of([&] { t.number("cess", above_and_below(0, 1)); }),
            "s.toml:2: 'cess' in [t] must be above 0 and below 1, was 1.5");
  EXPECT_EQ(message_of([&] { t.integer("n", 2, 100); }), "s.toml:3: 'n' in [t] must be between 2 and 100, was -1");
  EXPECT_EQ(message_of([&] { t.integer("m", 2, 100); }),
            "s.toml:4: 'm' in [t] must be a whole number between 2 and 100, was 0.5");
  EXPECT_EQ(message_of([&] { t.text("s"); }), "s.toml:5: 's' in [t] must be a text in quotes, was 7");
  EXPECT_EQ(message_of([&] { t.numbers("l"); }), "s.toml:6: 'l' in [t] must not be an empty list");
  EXPECT_EQ(message_of([&] { t.number("d"); }), "s.toml:7: 'd' in [t] must be a number, was a date or time");
  EXPECT_EQ(message_of([&] { t.number("nan"); }), "s.toml:8: 'nan' in [t] must be a finite number, was nan");
  EXPECT_EQ(message_of([&] { t.number("inf", at_least(0)); }), "s.toml:9: 'inf' in [t] must be at least 0, was inf");
  EXPECT_EQ(message_of([&] { t.integer("h", 0, 1024); }),
            "s.toml:10: 'h' in [t] must be between 0 and 1024, was 99999999999");
}

TEST(Section, UnknownKeysNameTheNearest) {
  constexpr std::array<std::string_view, 2> known = {"particles", "seed"};
  EXPECT_EQ(message_of([&] { table("seed = 1\npartciles = 2\n").check_keys(known); }),
            "s.toml:3: unknown key 'partciles' in [t]; did you mean 'particles'?");
  EXPECT_EQ(message_of([&] { table("zzzzzzzz = 2\n").check_keys(known); }),
            "s.toml:2: unknown key 'zzzzzzzz' in [t]; known are particles, seed");
  EXPECT_NO_THROW(table("seed = 1\nparticles = 2\n").check_keys(known));
}

TEST(Section, ChoicesNameTheNearest) {
  constexpr std::array<std::string_view, 2> known = {"linear", "cess"};
  EXPECT_EQ(message_of([&] { table("s = \"liner\"").choice("s", known); }),
            "s.toml:2: 's' in [t] has no choice \"liner\"; did you mean 'linear'?");
  EXPECT_EQ(table("s = \"cess\"").choice("s", known), "cess");
}

TEST(Section, ArraysOfTablesKnowTheirLines) {
  const Section root =
      parse_toml("[[model]]\nname = \"a\"\n\n[[model]]\nname = \"b\"\n[model.sampler]\nx = 1\n", "s.toml");
  const std::vector<Section> models = root.sections("model", "[[model]]");
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(message_of([&] { models[1].fail("oh"); }), "s.toml:4: oh");
  EXPECT_EQ(message_of([&] { models[1].section("sampler", "[model.sampler]")->fail("x", "oh"); }),
            "s.toml:7: 'x' in [model.sampler] oh");
  EXPECT_EQ(message_of([&] { parse_toml("model = 3", "s.toml").sections("model", "[[model]]"); }),
            "s.toml:1: 'model' must be a list of tables, [[model]], was 3");
}

TEST(Toml, MalformedFilesNameTheLine) {
  EXPECT_EQ(message_of([] { parse_toml("a = 1\nb = = 2\n", "s.toml"); }).rfind("s.toml:2:5: not valid TOML: ", 0), 0u);
  const TemporaryFolder folder;
  const std::string empty = folder.write("empty.toml", " \n");
  EXPECT_EQ(message_of([&] { read_toml(empty); }), empty + ": is empty");
  EXPECT_EQ(message_of([&] { read_toml(folder.path()); }), folder.path().string() + ": is a folder, not a file");
  EXPECT_EQ(message_of([] { read_toml("/no/such.toml"); }),
            "/no/such.toml: cannot be opened: No such file or directory");
  EXPECT_EQ(message_of([] { read_toml("/dev/zero"); }), "/dev/zero: is a device, not a regular file");
}

TEST(Toml, DeepNestingIsAnErrorNotACrash) {
  const std::string deep = "a = " + std::string(100000, '[');
  EXPECT_EQ(message_of([&] { parse_toml(deep, "s.toml"); }).rfind("s.toml:1:", 0), 0u);
}

TEST(Toml, TablesNeedNames) {
  for (const char* text : {"a = 1\n[.b]\n", "a = 1\n  [[ +b ]]\n", "a = 1\n[\xC3\xA4]\n", "a = 1\n[\n"})
    EXPECT_EQ(message_of([&] { parse_toml(text, "s.toml"); }),
              "s.toml:2: not valid TOML: the name of a table is expected after '['");
  EXPECT_EQ(message_of([] { parse_toml("[]\n", "s.toml"); }).rfind("s.toml:1:", 0), 0U);
  EXPECT_EQ(parse_toml("a = [\n  [+1, 2],\n[-5e0]]\n[\"b\"]\n[[c]]\n[ 'd' ]\n", "s.toml").entries().size(), 4U);
}

TEST(Toml, OtherLettersStandInQuotesAndComments) {
  EXPECT_EQ(message_of([] { parse_toml("a = 1\n\xC3\xA4 = 1\n", "s.toml"); }),
            "s.toml:2: not valid TOML: letters other than a to z stand in quotes or comments only");
  const Section root = parse_toml("\xEF\xBB\xBF\"\xC3\xA4\" = '\xCE\x93' # \xC3\xB6\n", "s.toml");
  EXPECT_EQ(root.text("\xC3\xA4"), "\xCE\x93");
  for (const char* text : {"a = \"\\\xC3\xA4\"", "a = \"\"\"b\\\n  \xC3\xA4\"\"\""})
    EXPECT_EQ(message_of([&] { parse_toml(text, "s.toml"); }),
              "s.toml:1: a backslash in a text cannot be followed by letters other than a to z");
}

TEST(Toml, MissingValuesAreNamed) {
  for (const auto& [text, before] : {std::pair{"a = ]", ']'}, {"a = [}", '}'}, {"a = [1,,2]", ','}, {"a = # b", '#'}})
    EXPECT_EQ(message_of([&] { parse_toml(text, "s.toml"); }),
              "s.toml:1: not valid TOML: a value is expected before '" + std::string(1, before) + "'");
  EXPECT_EQ(parse_toml("a = [1, # one\n  2, ] # [,\nb = { c = [], d = {} }\nc = '='\n", "s.toml").entries().size(), 3U);
}

TEST(Toml, QuotesWithinWordsAreRefused) {
  EXPECT_EQ(message_of([] { parse_toml("m = 0c=\"\xC5\x90\"", "s.toml").entries(); }).rfind("s.toml:1:", 0), 0U);
  EXPECT_EQ(message_of([] { parse_toml("m = 0X\"\xC5\x90\"", "s.toml"); }),
            "s.toml:1: not valid TOML: a quote within a word");
  // toml++ 3.3 looks for the end of a number within the quotes, and does not bear the letter there.
  for (const auto& [text, what] : {std::pair{"a = 22{\"\xC3\xA9", "bracket"},
                                   {"a = [1, 22[\"\xC3\xA9\"", "bracket"},
                                   {"a = 22=\"\xC3\xA9\"", "'='"},
                                   {"a = 22.\"\xC3\xA9\"", "quote"},
                                   {"a = [{b = {c = 1}}, 22='\xC3\xA9']", "'='"},
                                   {"[b]\"\xC3\xA9\" = 1", "quote"}})
    EXPECT_EQ(message_of([&] { parse_toml(text, "s.toml"); }),
              std::string("s.toml:1: not valid TOML: a ") + what + " within a word");
  EXPECT_EQ(parse_toml("22.'\xC3\xA9'=[{b={c='d'},'e'=1},{f=[[\"g\"],\n['h']]}]\n23=\"\xC3\xA9\"\n", "s.toml")
                .entries()
                .size(),
            2U);
  EXPECT_EQ(parse_toml("\"a\".'b'=[\"c\",'d']\ne={\"f\"='g'}\n", "s.toml").entries().size(), 2U);
}

// toml++ 3.3 does not bear it when a date, a blank and a digit are all there is.
TEST(Toml, DatesWithATimeAreRefused) {
  for (const std::string text : {"a = 1979-05-27 7", "a = 3766-02-/5 3 ", "a = [1979-05-27 7,",
                                 "a = { b = 19_79-05-27 7}", "a = 1979-05-27 07:32:00", "a = 1979-05-27 07{'\xC3\xA9'",
                                 "\xEF\xBB\xBF"
                                 "a=1979-05-27 7"})
    EXPECT_EQ(message_of([&] { parse_toml(text, "s.toml"); }), "s.toml:1: a date with a time is no value of a study");
  EXPECT_EQ(parse_toml("a = 1979-05-27 # 7\nb = '1979-05-27 7'\nc-ab-cd-ef = [ 10, 20 ]\n", "s.toml").entries().size(),
            3U);
}

TEST(Toml, ZeroBytesAreRefused) {
  const std::string text("a = 1\n[\0\0]\n", 11);
  EXPECT_EQ(message_of([&] { parse_toml(text, "s.toml"); }), "s.toml: is not a text file (byte 8 is zero)");
}

TEST(Toml, KeysWithAMillionPartsAreAnErrorNotACrash) {
  std::string path = "a";
  for (int i = 0; i < 1000000; ++i) path += i % 2 == 0 ? ".a" : ". \"a.b\\\"\"";
  for (const std::string& text :
       {"\n[" + path + "]\n", "\n" + path + " = 1\n", "\nx = { y = [{ " + path + " = 1 }] }\n"})
    EXPECT_EQ(message_of([&] { parse_toml(text, "s.toml"); }),
              "s.toml:2: a key has more than 16 parts; no key of a study has");
}

TEST(Toml, DotsElsewhereAreNoPartsOfKeys) {
  const std::string dots(100, '.');
  const std::string numbers =
      "1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5, 3.5";
  const Section root =
      parse_toml("a = \"" + dots + "\\\"\" # " + dots + "\nb = '" + dots + "\\'\nc = \"\"\"" + dots + "\"\n" + dots +
                     "\"\"\"\"\nd = '''" + dots + "'''\ne = [" + numbers + "]\nf.g.h = 1\n",
                 "s.toml");
  EXPECT_EQ(root.text("a"), dots + "\"");
  EXPECT_EQ(root.text("b"), dots + "\\");
  EXPECT_EQ(root.text("c"), dots + "\"\n" + dots + "\"");
  EXPECT_EQ(root.text("d"), dots);
  EXPECT_EQ(root.numbers("e")->size(), 18U);
}

}  // namespace
}  // namespace evident::study
