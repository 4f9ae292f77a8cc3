#include <algorithm>
#include <string_view>

#include "base/overloaded.hpp"
#include "choices.hpp"
#include "cmd/pet/options.hpp"
#include "cmd/pet/values.hpp"
#include "command_line.hpp"
#include "output.hpp"

namespace evident::cli {
namespace {

constexpr std::size_t kWidth = 52;  // of the help's second column

std::string wrapped(std::string_view text) {
  std::string out;
  while (text.size() > kWidth) {
    const std::size_t space = text.rfind(' ', kWidth);
    if (space == std::string_view::npos) break;
    out += std::string(text.substr(0, space)) + "\n";
    text.remove_prefix(space + 1);
  }
  return out + std::string(text);
}

std::vector<std::string> offered_words(const PetTakes& takes) {
  const auto list = [](std::span<const std::string_view> words) {
    return std::vector<std::string>(words.begin(), words.end());
  };
  return std::visit(
      Overloaded{[&](const PetWord& w) { return list(w.words); }, [&](const PetText& t) { return list(t.words); },
                 [](const PetYesNo&) {
                   return std::vector<std::string>{"yes", "no"};
                 },
                 [](const auto&) { return std::vector<std::string>(); }},
      takes);
}

}  // namespace

void PetCommandOptions::declare(CLI::App& app) {
  app_ = &app;
  app.add_option("BIDS_ROOT", bids_root_, "a BIDS data set")->type_name(" ");
  app.add_option("DERIVATIVES", bids_out_, "folder for the results of a data set")->type_name(" ");
  offer(app.add_option("LEVEL", level_, "of the analysis: participant"), {"participant"})->type_name(" ");
  for (const PetGroup& group : pet_options())
    for (const PetOption& option : group.options) declare(app, group, option);
}

void PetCommandOptions::declare(CLI::App& app, const PetGroup& group, const PetOption& option) {
  given_.push_back(Given{option});
  Given& given = given_.back();
  const std::string name = flag(option.key, "") + (option.key == "threads" ? ",--nthreads" : "");
  const std::string text = wrapped(option.text), heading(group.heading);
  if (std::holds_alternative<PetSwitch>(option.takes)) {
    app.add_flag(name, given.is_on, text)->group(heading);
    return;
  }
  CLI::Option* const declared = app.add_option(name, given.texts, text)->expected(1)->allow_extra_args(false);
  declared->type_name(std::string(option.value))->group(heading);
  if (option.several) declared->take_all();
  if (const auto words = offered_words(option.takes); !words.empty()) offer(declared, words);
}

PetCommand PetCommandOptions::command() const {
  PetCommand out{.bids_root = bids_root_, .bids_out = bids_out_, .level = level_};
  for (const bool files : {false, true})  // a bad value is found before a file that is not there
    for (const Given& given : given_) {
      if (std::holds_alternative<PetFile>(given.option.takes) != files) continue;
      if (given.is_on) set(given.option, "", out);
      for (const std::string& text : given.texts) set(given.option, text, out);
    }
  out.request.command = command_line(*app_, "evident pet",
                                     {"--dry-run", "--resume", "--force", "--threads", "--mem", "--chunk",
                                      "--quiet"});  // they leave no trace in the files
  out.request.spelling = flag;
  return out;
}

}  // namespace evident::cli
