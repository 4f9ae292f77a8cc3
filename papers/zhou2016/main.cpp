// Recomputes the tables and the figure of Zhou, Johansen and Aston (2016).
//
//   zhou2016 --table pet-bias --replicates 100
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "data.hpp"
#include "evident/base/error.hpp"
#include "tables.hpp"

namespace zhou2016 {
namespace {

const std::vector<std::string> kTables = {"goodwin-simple", "goodwin-complex", "pet-evidence", "pet-bayes-factor",
                                          "pet-bias",       "mixture",         "schedule"};

int parse(int argc, char** argv, Settings& settings) {
  CLI::App app("Recomputes the tables and the figure of Zhou, Johansen and Aston (2016)");
  app.add_option("--table", settings.tables, "which; may be given several times")
      ->required()
      ->check(CLI::IsMember(kTables));
  app.add_option("--replicates", settings.replicates, "independent runs of each row")->check(CLI::Range(2, 100000));
  app.add_option("--data", settings.data, "folder with pet/, gmm/ and goodwin/; default that of EVIDENT_DATA");
  app.add_option("--out", settings.out, "folder for NAME.md, NAME.json and NAME.svg")->capture_default_str();
  app.add_option("--seed", settings.seed, "of the random numbers")->capture_default_str();
  app.add_option("--threads", settings.threads, "0 = one per core; results do not depend on it")->capture_default_str();
  app.add_flag("--quick", settings.quick, "few particles, steps and replicates: a trial, not a result");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  return -1;
}

// Published numbers and true values are those of the published data.
void forget_published(Results& results) {
  for (Section& section : results.sections)
    for (Row& row : section.rows) {
      row.published.reset();
      row.reference.reset();
    }
  results.notes.emplace_back(
      "These are not the published data: nothing here can be set against published or true values.");
}

void finish(const Settings& settings, Results results) {
  if (!published_data(settings.data)) forget_published(results);
  if (settings.quick) results.notes.emplace_back("A trial with few particles, steps and replicates: not a result.");
  write(results, settings.out);
}

void run(const Settings& settings) {
  std::vector<std::string> pet;
  for (const std::string& table : settings.tables) {
    if (table == "goodwin-simple") finish(settings, goodwin_table(settings, "simple"));
    if (table == "goodwin-complex") finish(settings, goodwin_table(settings, "complex"));
    if (table == "pet-bias") finish(settings, pet_bias_table(settings));
    if (table == "mixture") finish(settings, mixture_table(settings));
    if (table == "schedule") finish(settings, schedule_figure(settings));
    if (table == "pet-evidence" || table == "pet-bayes-factor") pet.push_back(table);
  }
  if (!pet.empty())
    for (Results& results : pet_tables(settings, pet)) finish(settings, std::move(results));
}

int program(int argc, char** argv) {
  Settings settings;
  if (const int status = parse(argc, argv, settings); status >= 0) return status;
  try {
    const char* named = std::getenv("EVIDENT_DATA");
    if (settings.data.empty() && named != nullptr) settings.data = named;
    if (settings.data.empty()) throw evident::InputError("name the folder of the data: --data FOLDER, or EVIDENT_DATA");
    run(settings);
    return 0;
  } catch (const evident::InputError& e) {
    fmt::print(stderr, "zhou2016: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "zhou2016: {}\n", e.what());
    return 1;
  }
}

}  // namespace
}  // namespace zhou2016

int main(int argc, char** argv) { return zhou2016::program(argc, argv); }
