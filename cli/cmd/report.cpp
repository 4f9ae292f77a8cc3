// evident report: the HTML page of a results folder.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "command.hpp"
#include "evident/base/error.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report/files.hpp"
#include "report/output_files.hpp"
#include "report/study_report.hpp"
#include "report/text.hpp"

namespace evident::cli {
namespace {

namespace fs = std::filesystem;

class Report final : public Command {
 public:
  std::string name() const override { return "report"; }
  std::string description() const override { return "Make an HTML report from the results of 'compare'"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident report study.evident --force\n"
           "  evident report study.evident --out ~/for-my-colleague.html\n"
           "\n"
           "The report is one file that needs no network: open it in any browser, print it, send it.\n"
           "'evident compare' writes it too, as report.html in the folder of its results.\n"
           "Exit status: 0 success, 1 this program was built without reports, 2 bad usage or input.";
  }

  void declare(CLI::App& app) override {
    app.add_option("results", results_, "the results folder of 'evident compare'")->required()->type_name("RESULTS");
    app.add_option("--out", out_, "the file to write (default: RESULTS/report.html)")->type_name("FILE");
    app.add_flag("--force", force_, "replace the file when it exists");
  }

  void run() override {
    const fs::path out = out_path();
    if (fs::is_directory(out)) throw InputError(fmt::format("{}: is a folder; --out names a file", out.string()));
    if (fs::exists(out) && !force_)
      throw InputError(fmt::format("{}: exists already; --force replaces it", out.string()));
    if (const fs::path parent = out.parent_path();
        !parent.empty() && fs::is_directory(results_) && !fs::is_directory(parent))
      throw InputError(fmt::format("{}: there is no such folder to write into", parent.string()));
    const std::string page = report::study_report(results_);
    interrupt().check();
    write(out, page);
    print(fmt::format("The report is {}\n", report::printable(out.string())));
  }

 private:
  /// In a results folder the page is one of the files that its manifest lists, and only a page of ours is replaced.
  void write(const fs::path& out, const std::string& page) const {
    const report::OutputFiles files(out.has_parent_path() ? out.parent_path() : fs::path("."));
    if (!out_ || (files.manifest() && files.manifest()->lists(out.filename().string())))
      files.publish_text(out.filename().string(), page);
    else
      report::replace_file(out, page);  // the user has named the very file
  }

  fs::path out_path() const {
    if (!out_) return fs::path(results_) / "report.html";
    if (out_->empty()) throw InputError("--out must not be empty");
    return *out_;
  }

  std::string results_;
  std::optional<std::string> out_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> report_command() { return std::make_unique<Report>(); }

}  // namespace evident::cli
