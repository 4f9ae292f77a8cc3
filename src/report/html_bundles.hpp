// The script and the style of each HTML report, as the build embedded them (cmake/web.cmake).
#pragma once

#include <span>
#include <string_view>

namespace evident::report {

struct HtmlBundle {
  std::string_view kind;  ///< folder of web/src
  std::string_view script, script_hash;
  std::string_view style, style_hash;
};

/// Empty when evident was built without reports.
std::span<const HtmlBundle> html_bundles();

}  // namespace evident::report
