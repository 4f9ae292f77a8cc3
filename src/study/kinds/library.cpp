// Kind "library": a model that is a shared library with the C interface of evident/external/model.h.
#include "external/library.hpp"

#include <fmt/format.h>

#include <array>

#include "base/option.hpp"
#include "study/external_fields.hpp"
#include "study/kinds/all.hpp"

namespace evident::study {
namespace {

const std::string kLibraryMeaning =
    "the shared library, relative to the study; it runs only with " + option("allow_code");
const std::array<Field, 5> kFields = {{
    {"library", "file", "", kLibraryMeaning},
    {"parameters", "table", "those of the library", kParametersField.meaning},
    kOptionsField,
    kColumnsField,
    {"serial", "true or false", "false", "call it from one thread at a time"},
}};

std::shared_ptr<const Model> make(const Section& section, DataFiles& files) {
  const auto name = section.text("library");
  if (!name)
    section.fail(
        "[[model]] of kind \"library\" needs a library, for example library = \"libmine.so\"; 'evident new "
        "model' makes one");
  const std::filesystem::path path = files.path(section, "library");
  require_code(section, "library", files);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    section.fail("library", fmt::format("names '{}', which is not there; build it first", path.string()));
  files.depends_on(path);
  external::LibraryOptions options;
  options.file = std::filesystem::absolute(path).string();
  options.parameters = read_parameters(section);
  options.options = read_text_options(section);
  options.columns = read_columns(section, files);
  const std::filesystem::path& folder = files.folder();  // empty: the present one
  options.folder = std::filesystem::absolute(folder.empty() ? "." : folder).string();
  options.serial = section.flag("serial").value_or(false);
  return external::load_library(std::move(options));
}

}  // namespace

const Kind kLibrary = {
    "library", "A model of your own: a shared library with a small C interface", kFields, make, nullptr, nullptr, true};

}  // namespace evident::study
