// python/evident/_options.py: options as keyword arguments with types, for editors and for mypy.
#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "cmd/pet/table.hpp"
#include "reference/page.hpp"
#include "study/sampler_options.hpp"

namespace evident::cli::reference {
namespace {

std::string literal(std::span<const std::string_view> words) {
  return fmt::format("Literal[\"{}\"]", fmt::join(words, "\", \""));
}

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

std::string type_of(const PetOption& option) {
  const std::string one = std::visit(Overloaded{[](const PetNumber&) -> std::string { return "float"; },
                                                [](const PetWholeNumber&) -> std::string { return "int"; },
                                                [](const PetWord& w) { return literal(w.words); },
                                                [](const PetText& t) { return std::string(t.type); },
                                                [](const PetFile&) -> std::string { return "Union[str, PathLike]"; },
                                                [](const auto&) -> std::string { return "bool"; }},
                                     option.takes);
  return option.several ? fmt::format("Union[{0}, Sequence[{0}]]", one) : one;
}

std::string values_text(const PetOption& option) {
  return std::visit(Overloaded{[](const PetNumber& n) {
                                 const auto& range = n.open ? study::above_and_below : study::between;
                                 return fmt::format("; number {}", range(n.lower, n.upper).text());
                               },
                               [](const PetWholeNumber& n) {
                                 return fmt::format("; whole number between {} and {}", n.lower, n.upper);
                               },
                               [](const auto&) { return std::string(); }},
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
      "Printed by `evident reference --format python`; a test compares. Edit src/study/sampler_options.cpp or\n"
      "cli/cmd/pet/table.cpp instead.\n"
      "\"\"\"\n"
      "from __future__ import annotations\n"
      "\n"
      "from os import PathLike\n"
      "from typing import Literal, Optional, Sequence, TypedDict, Union\n"
      "\n"
      "\n"
      "class SamplerOptions(TypedDict, total=False):\n"
      "    \"\"\"Of compare() and evidence(): the keys of [sampler] in a study.\"\"\"\n"
      "\n";
  for (const study::SamplerOption& option : study::sampler_options()) {
    const bool is_word = std::holds_alternative<study::Word>(option.takes);
    std::string text(option.meaning);
    if (!is_word) text += fmt::format("; {}", values_text(option));
    if (!option.fallback.empty()) text += fmt::format("; default {}", option.fallback);
    out += member(option.name, type_of(option), text);
  }
  out +=
      "\n\n"
      "class PetOptions(TypedDict, total=False):\n"
      "    \"\"\"Of pet.map(), beside its own arguments.\"\"\"\n"
      "\n";
  std::vector<std::string_view> switches;
  for (const PetGroup& group : pet_options()) {
    for (const PetOption& option : group.options) {
      if (option.whose == PetFor::program) continue;
      out += member(option.key, type_of(option), std::string(option.text) + values_text(option));
      if (std::holds_alternative<PetSwitch>(option.takes)) switches.push_back(option.key);
    }
  }
  return out + fmt::format("\n\nPET_SWITCHES = (\"{}\")\n", fmt::join(switches, "\", \""));
}

}  // namespace evident::cli::reference
