// Small helps for the completion scripts.
#pragma once

#include <functional>
#include <string>

#include "reference/page.hpp"

namespace evident::cli::reference {

/// Every page below `page`, and itself.
inline void each_page(const Page& page, const std::function<void(const Page&)>& visit) {
  visit(page);
  for (const Page& part : page.parts) each_page(part, visit);
}

/// The commands that lead to a page, as the scripts keep them: "" for the program, " simulate goodwin".
inline std::string place(const Page& page) {
  std::string out;
  for (std::size_t i = 1; i < page.path.size(); ++i) out += " " + page.path[i];
  return out;
}

}  // namespace evident::cli::reference
