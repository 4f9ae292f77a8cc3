// evident gather: the shards of a batch, put together.
#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "batch/gather.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report/text.hpp"

namespace evident::cli {
namespace {

class Gather final : public Command {
 public:
  std::string name() const override { return "gather"; }
  std::string description() const override { return "Put the shards of a batch together"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident gather out\n"
           "  evident gather node1/out node2/out --out all\n"
           "\n"
           "'evident batch STUDY ... --out out --shard 1/2' makes the first of two shards.\n"
           "All shards must be there and finished, of the same study, list and version; the files are then\n"
           "those of a batch that was never divided. What is missing is named, with the command that makes it.\n"
           "Exit status: 0 success, 1 a data set has failed, 2 bad usage or input, 130 or 143 stopped by a signal.";
  }

  void declare(CLI::App& app) override {
    app.add_option("folders", folders_, "output folders of the shards")->required()->type_name("DIR...");
    app.add_option("--out", out_, "folder for the results (default: that of the shards)")->type_name("DIR");
    app.add_flag("--force", force_, "replace results that are there already");
    app.add_flag("--quiet", quiet_, "no table on standard output");
  }

  void run() override {
    if (!out_ && folders_.size() > 1) throw InputError("--out is needed where shards are in several folders");
    const std::string out = out_.value_or(folders_.front());
    if (out.empty()) throw InputError("--out must not be empty");
    batch::GatherRequest request{.from = {}, .out = out, .force = force_};
    request.from.assign(folders_.begin(), folders_.end());
    interrupt().set_words([](const std::string& why) { return why + "; repeat the command"; });
    const batch::Summary summary = batch::gather(request);
    if (!quiet_)
      print(batch::to_text(summary, report::detect_style(STDOUT_FILENO)) +
            fmt::format("\nResults are in {}\n", report::printable(out)));
    if (const std::string failed = batch::failure_text(summary); !failed.empty())
      throw RunError(failed + "; mend them, repeat their shards with --resume, and gather again");
  }

 private:
  std::vector<std::string> folders_;
  std::optional<std::string> out_;
  bool force_ = false, quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> gather_command() { return std::make_unique<Gather>(); }

}  // namespace evident::cli
