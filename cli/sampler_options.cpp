#include "sampler_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "base/overloaded.hpp"
#include "choices.hpp"
#include "compare/method.hpp"
#include "evident/base/error.hpp"
#include "output.hpp"
#include "report/text.hpp"
#include "study/read_options.hpp"

namespace evident::cli {
namespace {

using study::SamplerOption;

std::string upper(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

/// The word for the value in the help. Options of whole numbers have limits that few people meet, so they are left out.
void describe(CLI::Option& flag, const SamplerOption& option) {
  const std::string text(option.meaning);
  std::visit(Overloaded{[&](const study::WholeNumber&) { flag.type_name("N"); },
                        [&](const study::Number& x) {
                          flag.type_name("X")->description(fmt::format("{}; {}", text, x.range.text()));
                        },
                        [&](const study::Word& w) {
                          offer(&flag, {w.words().begin(), w.words().end()})->type_name(upper(option.name));
                        },
                        [&](const auto&) { flag.type_name(upper(option.name)); }},
             option.takes);
}

}  // namespace

void SamplerOptions::declare(CLI::App& app) {
  for (const SamplerOption& option : study::sampler_options())
    if (option.set_by == study::SetBy::everyone) declare(app, option);
  app.add_flag("--no-pilot", no_pilot_, "the same as --recipe adaptive");
  declare_rest(app);
}

void SamplerOptions::declare_few(CLI::App& app, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) declare(app, study::sampler_option(name));
  declare_rest(app);
}

void SamplerOptions::declare(CLI::App& app, const SamplerOption& option) {
  flags_.push_back(Flag{option});
  Flag& flag = flags_.back();
  describe(*app.add_option(fmt::format("--{}", option.name), flag.text, std::string(option.meaning)), option);
}

void SamplerOptions::declare_rest(CLI::App& app) {
  app.add_option("--model", models_, "only this model; may be given several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_flag("--allow-code", allow_code_, "let models run code of their own: libraries and programs that you trust");
  app.add_flag("--allow-outside", allow_outside_, "let the study read data outside of its own folder");
  app.add_option("--mem", memory_, "the largest data file that is read, such as 500M or 16G (default 4G)")
      ->type_name("SIZE");
}

std::vector<std::pair<const SamplerOption*, std::string>> SamplerOptions::texts() const {
  std::vector<std::pair<const SamplerOption*, std::string>> out;
  for (const Flag& flag : flags_) {
    if (!flag.text) continue;
    if (no_pilot_ && (flag.option.name == "recipe" || flag.option.name == "islands"))
      throw InputError(fmt::format("--no-pilot excludes --{}; give one of them", flag.option.name));
    out.emplace_back(&flag.option, *flag.text);
  }
  if (no_pilot_) out.emplace_back(&study::sampler_option("recipe"), "adaptive");
  return out;
}

study::Overrides SamplerOptions::overrides(const std::stop_token& stop, bool quiet) const {
  study::Overrides out;
  out.code = {.allowed = allow_code_, .outside = allow_outside_, .stop = stop};
  if (memory_) out.code.largest_file = bytes_of("mem", *memory_);
  if (!quiet) out.code.notice = notice;
  for (const auto& [option, text] : texts()) out.settings.push_back(setting_of_text(*option, text));
  static_cast<void>(study::options_of(out.settings));  // finds a bad value before any file is read
  out.models = models_;
  return out;
}

std::vector<std::pair<std::string, std::string>> SamplerOptions::given() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [option, text] : texts())
    if (option->name != "threads") out.emplace_back(option->name, text);
  for (const std::string& m : models_) out.emplace_back("model", m);
  return out;
}

}  // namespace evident::cli
