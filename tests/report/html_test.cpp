#include "report/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "evident/base/error.hpp"
#include "report/html_bundles.hpp"

namespace evident::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)>&\"'\xE2\x80\xA8\xE2\x80\xA9<!-- <script>";

// What is between the first `from` and the next `to`.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

class Html : public testing::Test {
 protected:
  void SetUp() override {
    if (html_kinds().empty()) GTEST_SKIP() << "built with EVIDENT_REPORT=OFF";
  }
};

TEST(HtmlText, HasNoMarkup) {
  EXPECT_EQ(html_text("a <b> & \"c\" 'd'"), "a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(html_text("two\nlines\n"), "two\nlines\n");
  EXPECT_EQ(html_text("broken \xFF, bell \a, zero " + std::string(1, '\0')), "broken ?, bell  , zero  ");
  EXPECT_EQ(html_text(""), "");
}

TEST(HtmlText, JsonForScriptIsTheSameJson) {
  nlohmann::json value = {{kHostile, {kHostile, 1.5, nullptr}}};
  const std::string safe = json_for_script(value.dump());
  EXPECT_EQ(nlohmann::json::parse(safe), value);
  EXPECT_THAT(safe, Not(testing::ContainsRegex("[<>&]|\xE2\x80[\xA8\xA9]")));
  EXPECT_EQ(json_for_script("\"\xE2\x80\xA6\xE2\x80\""), "\"\xE2\x80\xA6\xE2\x80\"") << "others of the same row stay";
}

TEST_F(Html, UserTextCannotLeaveItsPlace) {
  const nlohmann::json data = {{"title", kHostile}, {kHostile, 1}};
  const std::string page = html_page({.kind = "pet", .title = kHostile, .json = data.dump(), .summary = kHostile});
  const std::string plain = html_page({.kind = "pet", .title = "t", .json = "{}", .summary = "s"});
  for (const char* tag : {"<script", "</script", "<img", "<!--", "</title", "</noscript", "</pre"}) {
    EXPECT_EQ(occurrences(page, tag), occurrences(plain, tag)) << tag;
  }
  EXPECT_EQ(nlohmann::json::parse(between(page, "id=\"data\">", "</script>")), data);
}

TEST_F(Html, ThePolicyLetsOnlyTheEmbeddedScriptRun) {
  const std::string page = html_page({.kind = "pet", .title = "t", .json = "{}", .summary = "s"});
  const std::string policy = between(page, "Content-Security-Policy\" content=\"", "\"");
  const HtmlBundle& bundle = html_bundles().front();
  EXPECT_THAT(policy, testing::StartsWith("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(policy, HasSubstr(std::string(bundle.script_hash)));
  EXPECT_THAT(between(policy, "script-src ", ";"), Not(HasSubstr("unsafe")));
  EXPECT_THAT(policy, Not(testing::ContainsRegex("http|\\*|connect-src")));
  EXPECT_THAT(page, Not(testing::ContainsRegex("<(script|link|img|iframe)[^>]* (src|href)=")));
  EXPECT_LT(page.find("Content-Security-Policy"), page.find("<style>")) << "a policy holds for what follows it";
}

TEST_F(Html, SaysTheSummaryWithoutScript) {
  const std::string page = html_page({.kind = "pet", .title = "A & B", .json = "{}", .summary = "x  1\ny  2"});
  EXPECT_THAT(between(page, "<noscript>", "</noscript>"), HasSubstr("<pre>x  1\ny  2</pre>"));
  EXPECT_EQ(between(page, "<title>", "</title>"), "A &amp; B");
}

TEST_F(Html, RefusesWhatItCannotShow) {
  EXPECT_THROW(html_page({.kind = "nothing", .json = "{}"}), RunError);
  for (const char* bad : {"", "{", "{} {}", "NaN", "\"\xFF\""}) {
    EXPECT_THROW(html_page({.kind = "pet", .json = bad}), RunError) << bad;
  }
}

TEST_F(Html, BundlesAreSmallEnoughToMail) {
  for (const HtmlBundle& bundle : html_bundles()) {
    EXPECT_GT(bundle.script.size(), 1000u);
    EXPECT_GT(bundle.style.size(), 100u);
    EXPECT_LT(bundle.script.size() + bundle.style.size(), 800'000u) << bundle.kind;
  }
}

TEST(HtmlOff, WithoutReportsTheMessageSaysHowToGetThem) {
  if (!html_kinds().empty()) GTEST_SKIP() << "built with EVIDENT_REPORT=ON";
  try {
    html_page({.kind = "pet", .title = "t", .json = "{}", .summary = ""});
    FAIL();
  } catch (const RunError& e) {
    EXPECT_THAT(e.what(), HasSubstr("EVIDENT_REPORT=ON"));
  }
}

}  // namespace
}  // namespace evident::report
