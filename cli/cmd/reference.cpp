// evident reference: the command line as a manual, man pages and completion scripts. Hidden: packages install what it
// writes, users need not know it.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "choices.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "output.hpp"
#include "reference/page.hpp"
#include "report/files.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;
using reference::Page;

/// A page for the program, and one for each command.
std::vector<const Page*> man_pages(const Page& program) {
  std::vector<const Page*> out = {&program};
  for (const Page& command : program.parts) out.push_back(&command);
  return out;
}

constexpr std::array<const char*, 7> kFormats = {"markdown", "options", "python", "man", "bash", "zsh", "fish"};

std::string one_of() {
  return fmt::format("{} or {}", fmt::join(kFormats.begin(), kFormats.end() - 1, ", "), kFormats.back());
}

class Reference final : public Command {
 public:
  std::string name() const override { return "reference"; }
  std::string description() const override { return "Write man pages, completion scripts and the command reference"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident reference --format markdown > docs/commands.md\n"
           "  evident reference --format options > docs/options.md\n"
           "  evident reference --format python > python/evident/_options.py\n"
           "  evident reference --format man --command compare | man -l -\n"
           "  evident reference --format bash > ~/.local/share/bash-completion/completions/evident\n"
           "  evident reference --out build/share";
  }
  bool hidden() const override { return true; }

  void declare(CLI::App& app) override {
    offer(app.add_option("--format", format_, "what to print: " + one_of()), {kFormats.begin(), kFormats.end()})
        ->type_name("FORMAT");
    app.add_option("--command", command_, "the command whose man page is printed (default: that of the program)")
        ->type_name("COMMAND");
    app.add_option("--out", out_, "write all of them into this folder, as they belong into /usr/share")
        ->type_name("DIR");
  }

  void run() override {
    if (format_.has_value() == out_.has_value()) throw InputError("give either --format or --out");
    if (command_ && format_ != "man") throw InputError("--command is for --format man");
    const Page program = reference::read_pages();
    if (out_) return write_all(program, *out_);
    print(text(program));
  }

 private:
  std::string text(const Page& program) const {
    if (*format_ == "markdown") return markdown(program);
    if (*format_ == "options") return reference::sampler_page();
    if (*format_ == "python") return reference::python_options();
    if (*format_ == "bash") return bash_completion(program);
    if (*format_ == "zsh") return zsh_completion(program);
    if (*format_ == "fish") return fish_completion(program);
    if (*format_ != "man") throw InputError(fmt::format("--format must be {}, was '{}'", one_of(), *format_));
    if (!command_) return man_page(program);
    for (const Page& command : program.parts)
      if (command.path.back() == *command_) return man_page(command);
    throw InputError(fmt::format("--command: there is no command '{}'", *command_));
  }

  static void write_all(const Page& program, const fs::path& folder) {
    const auto write = [&](const fs::path& name, const std::string& content) {
      fs::create_directories((folder / name).parent_path());
      report::write_file(folder / name, content);
    };
    for (const Page* page : man_pages(program)) write(fmt::format("man/man1/{}.1", page->dashed()), man_page(*page));
    write("bash-completion/completions/evident", bash_completion(program));
    write("zsh/site-functions/_evident", zsh_completion(program));
    write("fish/vendor_completions.d/evident.fish", fish_completion(program));
  }

  std::optional<std::string> format_, command_, out_;
};

}  // namespace

std::unique_ptr<Command> reference_command() { return std::make_unique<Reference>(); }

}  // namespace evident::cli
