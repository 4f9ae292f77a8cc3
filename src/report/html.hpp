// A report as one HTML file that needs nothing else: data, script and style are inside, and the page may not use the
// network.
//
//   std::string page = html_page({.kind = "pet", .title = "sub-01", .json = data, .summary = table});
//   write_file("report.html", page);
//
// What a kind of report shows, and the JSON that it reads, is in web/src/<kind>/data.ts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace evident::report {

struct HtmlPage {
  std::string kind = {};     ///< one of html_kinds()
  std::string title = {};    ///< any text
  std::string json = {};     ///< one JSON document; texts in it may contain anything
  std::string summary = {};  ///< plain text, a table say, for readers without JavaScript
};

/// The reports that this build can make, in alphabetical order; none when it was built without (EVIDENT_REPORT).
std::vector<std::string> html_kinds();

/// Throws RunError when this build has no such report, or when `json` is not JSON in UTF-8.
std::string html_page(const HtmlPage& page);

/// Text as HTML shows it: `<`, `>`, `&` and quotes written as references, bytes that are no UTF-8 as '?'.
std::string html_text(std::string_view text);

/// The same JSON, with nothing in it that HTML or JavaScript could take for their own: `<`, `>`, `&`, U+2028 and U+2029
/// become \u escapes, which is valid because outside of strings JSON has none of them.
std::string json_for_script(std::string_view json);

}  // namespace evident::report
