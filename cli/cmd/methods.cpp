// evident methods: the methods of comparison, and what each of them is good for.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "compare/method.hpp"
#include "output.hpp"

namespace evident::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view word(Strength strength) {
  return strength == Strength::yes ? "yes" : strength == Strength::partly ? "partly" : "no";
}

std::string_view trimmed(std::string_view line) { return line.substr(0, line.find_last_not_of(' ') + 1); }

// The strengths are numbered across, so that the table fits a narrow window; their words stand below.
std::string methods_text() {
  std::string out = "Methods of comparison, for --method or method = \"...\" in [sampler]:\n\n";
  std::size_t width = 0;
  for (const MethodInfo& m : methods()) width = std::max(width, m.name.size());
  for (const MethodInfo& m : methods()) out += fmt::format("  {:<{}}  {}: {}\n", m.name, width, m.title, m.summary);

  std::string line = fmt::format("{:<{}}", "Strengths", width);
  for (std::size_t i = 1; i <= strengths().size(); ++i) line += fmt::format("  {:^6}", i);
  out += fmt::format("\n  {}\n", trimmed(line));
  for (const MethodInfo& m : methods()) {
    line = fmt::format("{:<{}}", m.name, width);
    for (const StrengthRow& row : strengths())
      line += fmt::format("  {:^6}", row.of(m) == Strength::no ? "." : word(row.of(m)));
    out += fmt::format("  {}\n", trimmed(line));
  }
  out += "\n";
  std::size_t number = 0;
  for (const StrengthRow& row : strengths()) out += fmt::format("  {}  {}\n", ++number, row.title);
  return out;
}

std::string methods_json() {
  Json rows = Json::array(), list = Json::array();
  for (const StrengthRow& row : strengths()) rows.push_back({{"key", row.key}, {"title", row.title}});
  for (const MethodInfo& m : methods()) {
    Json own = Json::object();
    for (const StrengthRow& row : strengths()) own[std::string(row.key)] = word(row.of(m));
    list.push_back({{"name", m.name},
                    {"title", m.title},
                    {"summary", m.summary},
                    {"union_of_models", m.union_of_models},
                    {"strengths", std::move(own)}});
  }
  return Json{{"schema", 1}, {"strengths", std::move(rows)}, {"methods", std::move(list)}}.dump(2) + "\n";
}

class Methods final : public Command {
 public:
  std::string name() const override { return "methods"; }
  std::string description() const override { return "List the methods of comparison and their strengths"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident methods\n"
           "  evident methods --json | jq '.methods[] | select(.strengths.countable == \"yes\") | .name'\n"
           "  evident compare study.toml --method all-in-one";
  }

  void declare(CLI::App& app) override { app.add_flag("--json", json_, "print the table as one JSON document"); }
  void run() override { print(json_ ? methods_json() : methods_text()); }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> methods_command() { return std::make_unique<Methods>(); }

}  // namespace evident::cli
