// evident doctor: what this program is and where it runs, and a second of tests of itself.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cmd/doctor/facts.hpp"
#include "cmd/doctor/self_test.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "output.hpp"
#include "report/text.hpp"

namespace evident::cli {
namespace {

using doctor::Check;
using doctor::Fact;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLabelWidth = 20, kTextWidth = 76;

/// "  Label     text", with the text in lines below each other.
std::string line(std::string_view label, std::string_view text) {
  std::string out = fmt::format("  {:<{}}", label, kLabelWidth);
  while (text.size() > kTextWidth) {
    std::size_t space = text.rfind(' ', kTextWidth);
    if (space == std::string_view::npos) space = text.find(' ');
    if (space == std::string_view::npos) break;
    out += fmt::format("{}\n  {:<{}}", text.substr(0, space), "", kLabelWidth);
    text.remove_prefix(space + 1);
  }
  return out + std::string(text) + "\n";
}

std::string facts_text(const char* title, const std::vector<Fact>& facts) {
  std::string out = fmt::format("\n{}\n", title);
  for (const Fact& fact : facts) {
    out += line(fact.label, (fact.failed ? "FAILED: " : "") + report::printable(fact.text));
    if (!fact.advice.empty()) out += line("", "-> " + report::printable(fact.advice));
  }
  return out;
}

std::string checks_text(const std::vector<Check>& checks) {
  std::string out = "\nSelf-test\n";
  for (const Check& check : checks) {
    out += line(check.label, (check.passed ? "ok: " : "FAILED: ") + check.text);
    if (!check.advice.empty()) out += line("", "-> " + check.advice);
  }
  return out;
}

Json facts_json(const std::vector<Fact>& facts) {
  Json out = Json::object();
  for (const Fact& fact : facts) {
    out[fact.key] = fact.value;
    if (fact.failed) out[fact.key]["failed"] = true;
  }
  return out;
}

Json checks_json(const std::vector<Check>& checks) {
  Json out = Json::object();
  for (const Check& check : checks) {
    Json one = {{"passed", check.passed}, {"text", check.text}};
    if (!check.advice.empty()) one["advice"] = check.advice;
    for (const auto& [name, value] : check.numbers) one[name] = value;
    out[check.key] = std::move(one);
  }
  return out;
}

class Doctor final : public Command {
 public:
  std::string name() const override { return "doctor"; }
  std::string description() const override {
    return "Tell what this program is built with, and test it on this machine";
  }
  std::string examples() const override {
    return "Examples:\n"
           "  evident doctor\n"
           "  evident doctor --json | jq '.self_test.speed.pet_likelihoods_per_second'\n"
           "\n"
           "Versions, instruction sets, threads, memory, MPI and Python; then a second of tests: evidences that\n"
           "are known exactly, SIMD kernels against plain code, and speed. Send its output with a question or bug.\n"
           "Exit status: 0 all is well, 1 something failed, and what to do is told, 2 bad usage.";
  }

  void declare(CLI::App& app) override { app.add_flag("--json", json_, "print one JSON document"); }

  void run() override {
    const std::vector<Fact> program = doctor::program_facts(), machine = doctor::machine_facts();
    const auto start = std::chrono::steady_clock::now();
    std::vector<Check> checks = doctor::evidence_checks();
    for (Check& check : doctor::simd_checks()) checks.push_back(std::move(check));
    checks.push_back(doctor::speed_check());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

    std::vector<std::string> failed;
    for (const std::vector<Fact>& facts : {program, machine})
      for (const Fact& fact : facts)
        if (fact.failed) failed.push_back(fact.label);
    for (const Check& check : checks)
      if (!check.passed) failed.push_back(check.label);

    if (json_) {
      const Json document = {{"schema", 1},
                             {"version", version()},
                             {"program", facts_json(program)},
                             {"machine", facts_json(machine)},
                             {"self_test", checks_json(checks)},
                             {"seconds", seconds.count()},
                             {"well", failed.empty()}};
      print(escaped_json(document.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n");
    } else {
      print(fmt::format("evident {}\n{}{}{}{}", version(), facts_text("Program", program),
                        facts_text("Machine", machine), checks_text(checks),
                        failed.empty() ? fmt::format("\nAll is well ({:.1f} s).\n", seconds.count()) : ""));
    }
    if (!failed.empty()) throw RunError(fmt::format("not well: {}; '->' tells what to do", fmt::join(failed, ", ")));
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> doctor_command() { return std::make_unique<Doctor>(); }

}  // namespace evident::cli
