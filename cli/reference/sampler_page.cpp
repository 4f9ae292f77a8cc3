// docs/options.md: the options of the samplers, as tables.
#include <fmt/format.h>

#include "reference/markdown.hpp"
#include "reference/page.hpp"
#include "study/sampler_options.hpp"

namespace evident::cli::reference {

std::string sampler_page() {
  std::string out =
      "# Options of the samplers\n\n"
      "<!-- Printed by `evident reference --format options`; a test compares. Edit src/study/sampler_options.cpp "
      "instead. "
      "-->\n\n"
      "Each is a key of `[sampler]` in a [study](studies.md), a setting of the [C interface](c-api.md), and a keyword "
      "argument of "
      "`compare` in [Python](python.md).\n"
      "Those marked * may stand in `[model.sampler]`, too. Those in bold may be set for a study from a file, by a flag "
      "of the program, in C and in Python;\nthey have the last word over the file.\n\n"
      "| Option | Values | Default | Methods | |\n|---|---|---|---|---|\n";
  for (const study::SamplerOption& option : study::sampler_options()) {
    const std::string_view bold = option.set_by == study::SetBy::everyone ? "**" : "";
    const std::string_view star = option.place == study::Place::model ? " \\*" : "";
    out += fmt::format("| {0}`{1}`{0}{2} | {3} | {4} | {5} | {6} |\n", bold, option.name, star,
                       in_markdown(values_text(option)), in_markdown(std::string(option.fallback)),
                       methods_text(option), in_markdown(std::string(option.meaning)));
  }
  return out;
}

}  // namespace evident::cli::reference
