#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "evident/base/error.hpp"
#include "report/html_bundles.hpp"
#include "report/text.hpp"

namespace evident::report {
namespace {

const HtmlBundle& bundle_of(const std::string& kind) {
  const std::span<const HtmlBundle> bundles = html_bundles();
  if (bundles.empty()) {
    throw RunError("this evident was built without HTML reports; build it with -DEVIDENT_REPORT=ON, which needs npm");
  }
  const auto found = std::ranges::find(bundles, kind, &HtmlBundle::kind);
  if (found != bundles.end()) return *found;
  throw RunError(fmt::format("no HTML report is called '{}'; there are {}", kind, fmt::join(html_kinds(), ", ")));
}

// Only the two embedded texts may run, nothing may be fetched or sent. Style attributes are allowed: charts set them.
std::string security_policy(const HtmlBundle& bundle) {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src 'unsafe-inline'; style-src-elem '{}'; "
      "style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
      bundle.script_hash, bundle.style_hash);
}

void escape_line(std::string_view line, std::string& out) {
  for (const char c : printable(line)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
}

}  // namespace

std::vector<std::string> html_kinds() {
  std::vector<std::string> kinds;
  for (const HtmlBundle& bundle : html_bundles()) kinds.emplace_back(bundle.kind);
  return kinds;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    escape_line(text.substr(0, end), out);
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string json_for_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else {
      out += json[i];
    }
  }
  return out;
}

std::string html_page(const HtmlPage& page) {
  const HtmlBundle& bundle = bundle_of(page.kind);
  if (!nlohmann::json::accept(page.json)) {
    throw RunError(fmt::format("the data of the '{}' report are not JSON in UTF-8", page.kind));
  }
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", security_policy(bundle));
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  out += fmt::format("<meta name=\"generator\" content=\"evident {}\">\n", version());
  out += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n", html_text(page.title), bundle.style);
  out +=
      fmt::format("<body>\n<noscript><h1>{}</h1>\n<p>The charts need JavaScript. The main results:</p>\n<pre>{}</pre>",
                  html_text(page.title), html_text(page.summary));
  out += "</noscript>\n<div id=\"report\"></div>\n<script type=\"application/json\" id=\"data\">";
  out += json_for_script(page.json);
  out += fmt::format("</script>\n<script>{}</script>\n</body>\n</html>\n", bundle.script);
  return out;
}

}  // namespace evident::report
