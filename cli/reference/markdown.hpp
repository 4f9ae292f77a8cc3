// What the pages in Markdown share.
#pragma once

#include <string>

namespace evident::cli::reference {

/// Text in a table or paragraph; what Markdown would take for its own is kept as it is.
std::string in_markdown(const std::string& text);

}  // namespace evident::cli::reference
