// python/evident/_options.py: options as keyword arguments with types, for editors and for mypy.
#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "reference/page.hpp"
#include "study/sampler_options.hpp"

namespace evident::cli::reference {
namespace {

std::string type_of(const study::SamplerOption& option) {
  return std::visit(
      Overloaded{[](const study::WholeNumber&) -> std::string { return "int"; },
                 [](const study::Number&) -> std::string { return "float"; },
                 [](const study::Numbers&) -> std::string { return "Sequence[float]"; },
                 [](const study::YesNo&) -> std::string { return "bool"; },
                 [](const study::Duration&) -> std::string { return "str"; },
                 [](const study::Word& w) { return fmt::format("Literal[\"{}\"]", fmt::join(w.words(), "\", \"")); }},
      option.takes);
}

/// The member of a dictionary with types, and its text.
std::string member(std::string_view name, std::string_view type, const std::string& text) {
  return fmt::format("    {}: Optional[{}]\n    \"\"\"{}.\"\"\"\n", name, type, text);
}

}  // namespace

std::string python_options() {
  std::string out =
      "\"\"\"Options as keyword arguments with their types.\n"
      "\n"
      "Printed by `evident reference --format python`; a test compares. Edit src/study/sampler_options.cpp instead.\n"
      "\"\"\"\n"
      "from __future__ import annotations\n"
      "\n"
      "from typing import Literal, Optional, Sequence, TypedDict\n"
      "\n"
      "\n"
      "class SamplerOptions(TypedDict, total=False):\n"
      "    \"\"\"Of compare() and evidence(): the keys of [sampler] in a study.\"\"\"\n"
      "\n";
  for (const study::SamplerOption& option : study::sampler_options()) {
    const bool is_word = std::holds_alternative<study::Word>(option.takes);
    std::string text(option.meaning);
    if (!is_word) text += fmt::format(" ({})", values_text(option));
    if (!option.fallback.empty()) text += fmt::format("; default {}", option.fallback);
    out += member(option.name, type_of(option), text);
  }
  return out;
}

}  // namespace evident::cli::reference
