// evident new model NAME: a folder with a model of your own that works, to change.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "choices.hpp"
#include "cmd/new/templates.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "output.hpp"
#include "report/output_folder.hpp"
#include "report/text.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;

struct File {
  const char* name;
  const std::string_view* text;
};

struct Language {
  std::string_view name;
  bool is_built;
  std::vector<File> files;
};

const std::vector<Language>& languages() {
  namespace t = templates;
  static const std::vector<Language> all = {
      {"c",
       true,
       {{"model.c", &t::c_model},
        {"Makefile", &t::c_makefile},
        {"evident_model.h", &t::header},
        {"study.toml", &t::c_study},
        {"data.csv", &t::data},
        {"README.md", &t::c_readme}}},
      {"c++",
       true,
       {{"model.cpp", &t::cpp_model},
        {"Makefile", &t::cpp_makefile},
        {"evident_model.h", &t::header},
        {"study.toml", &t::cpp_study},
        {"data.csv", &t::data},
        {"README.md", &t::cpp_readme}}},
      {"python",
       false,
       {{"model.py", &t::python_model},
        {"study.toml", &t::python_study},
        {"data.csv", &t::data},
        {"README.md", &t::python_readme}}},
      {"r",
       false,
       {{"model.R", &t::r_model}, {"study.toml", &t::r_study}, {"data.csv", &t::data}, {"README.md", &t::r_readme}}},
  };
  return all;
}

const Language& find_language(const std::string& name) {
  std::vector<std::string_view> known;
  for (const Language& language : languages()) {
    if (language.name == name) return language;
    known.push_back(language.name);
  }
  throw InputError(fmt::format("--language must be one of {}, was '{}'", fmt::join(known, ", "), name));
}

void write(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) throw RunError(fmt::format("{}: cannot be written", path.string()));
}

class New final : public Command {
 public:
  std::string name() const override { return "new"; }
  std::string description() const override { return "Make a folder with a model of your own to change"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident new model mine\n"
           "  evident new model mine --language python\n\n"
           "The folder holds a model that works, data and a study; its README.md tells how to run it.";
  }
  std::vector<std::string> parts() const override { return {"model"}; }

  void declare(CLI::App& app) override {
    app.require_subcommand(1);
    CLI::App* model = app.add_subcommand("model", "A model in a language of your choice");
    model->allow_extras();
    model->add_option("name", name_, "the folder to make")->required()->type_name("NAME");
    std::vector<std::string> known;
    for (const Language& language : languages()) known.emplace_back(language.name);
    offer(model->add_option("--language", language_, "c, c++, python or r (default c)"), known)->type_name("LANGUAGE");
  }

  void run() override {
    const Language& language = find_language(language_);
    if (name_.empty()) throw InputError("NAME must not be empty");
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(name_, ignored)))
      throw InputError(fmt::format("{}: exists; choose another name", report::printable(name_)));
    report::OutputFolder folder(name_, false);
    std::vector<std::string_view> names;
    for (const File& file : language.files) {
      write(folder.path() / file.name, *file.text);
      names.emplace_back(file.name);
    }
    folder.publish_unlisted();
    const std::string shown = report::printable(name_);
    print(fmt::format("Wrote to {}: {}\nNow run\n  cd {}\n{}  evident compare study.toml --allow-code\n", shown,
                      fmt::join(names, " "), shown, language.is_built ? "  make\n" : ""));
  }

 private:
  std::string name_, language_ = "c";
};

}  // namespace

std::unique_ptr<Command> new_command() { return std::make_unique<New>(); }

}  // namespace evident::cli
