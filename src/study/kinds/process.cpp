// Kind "process": a model that is a program of any language, which speaks a line protocol.
#include "external/process.hpp"

#include <array>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "study/external_fields.hpp"
#include "study/kinds/all.hpp"
#include "study/sampler_options.hpp"

namespace evident::study {
namespace {

const std::string kCommandMeaning =
    "the program and its arguments, run in the study's folder; it runs only with " + option("allow_code");
const std::array<Field, 7> kFields = {{
    {"command", "list of texts", "", kCommandMeaning},
    kParametersField,
    kOptionsField,
    kColumnsField,
    {"timeout", "time", "60s", "for an answer to a batch; then the program is ended and replaced"},
    {"restarts", "whole number", "3", "new tries of a batch before the run is given up"},
    {"workers", "whole number", "as many as threads", "most programs at once"},
}};

double read_timeout(const Section& section) {
  const auto text = section.text("timeout");
  if (!text) return 60;
  try {
    return read_duration(*text);
  } catch (const InputError& e) {
    section.fail("timeout", e.message());
  }
}

std::shared_ptr<const Model> make(const Section& section, DataFiles& files) {
  const auto command = section.texts("command");
  if (!command)
    section.fail("[[model]] of kind \"process\" needs a command, for example command = [\"python3\", \"model.py\"]");
  for (const std::string& word : *command)
    if (word.find('\0') != std::string::npos) section.fail("command", "holds a zero byte");
  require_code(section, "command", files);
  if (!section.has("parameters"))
    section.fail(
        "[[model]] of kind \"process\" needs parameters; below it write, for example, [model.parameters] and mu "
        "= \"normal(0, 10)\"");
  std::error_code ignored;
  for (const std::string& word : *command)  // a script beside the study
    if (std::filesystem::is_regular_file(files.folder() / word, ignored)) files.depends_on(files.folder() / word);
  external::ProcessOptions options;
  options.command = *command;
  options.folder = files.folder().string();
  options.parameters = read_parameters(section);
  options.options = read_text_options(section);
  options.columns = read_columns(section, files);
  options.timeout_seconds = read_timeout(section);
  options.restarts = section.integer("restarts", 0, 1000).value_or(options.restarts);
  options.workers = section.integer("workers", 1, 100'000).value_or(0);
  options.stop = files.code().stop;
  options.notice = files.code().notice;
  return external::start_process(std::move(options));
}

}  // namespace

const Kind kProcess = {
    "process", "A model of your own: a program that reads and answers lines", kFields, make, nullptr, nullptr, true};

}  // namespace evident::study
