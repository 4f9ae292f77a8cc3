// evident models: which kinds of models a study can name, and what they take.
#include <fmt/format.h>

#include <optional>

#include "base/suggest.hpp"
#include "choices.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "output.hpp"
#include "study/kinds.hpp"
#include "study/sampler_options.hpp"

namespace evident::cli {
namespace {

constexpr std::size_t kNameWidth = 22;

// One field or option: its name, its meaning, and below that its values and its default.
std::string entry(std::string_view name, std::string_view meaning, std::string_view values) {
  return fmt::format("  {:<{}}{}\n  {:<{}}({})\n", name, kNameWidth, meaning, "", kNameWidth, values);
}

std::string entry(const study::Field& field) {
  const std::string fallback = field.fallback.empty() ? "required" : fmt::format("default {}", field.fallback);
  return entry(field.name, field.meaning, fmt::format("{}; {}", field.type, fallback));
}

std::string describe(const study::Kind& kind) {
  std::string out = fmt::format("{}\n  {}\n\n", kind.name, kind.summary);
  for (const study::Field& field : kind.fields) out += entry(field);
  if (kind.family == nullptr) return out;
  out += fmt::format("\n  As [family], for the methods that move between models, the same but for\n\n");
  for (const study::Field& field : kind.family->fields) out += entry(field);
  return out;
}

std::string sampler_text() {
  std::string out =
      "[sampler]\n  Keys of [sampler] in a study, each with the methods that heed it; those marked * may stand in\n"
      "  [model.sampler] too.\n\n";
  for (const study::SamplerOption& option : study::sampler_options()) {
    const std::string name = fmt::format("{}{}", option.name, option.place == study::Place::model ? " *" : "");
    const std::string fallback = option.fallback.empty() ? "" : fmt::format("; default {}", option.fallback);
    out += entry(name, option.meaning, values_text(option) + fallback);
    out += fmt::format("  {:<{}}with {}\n", "", kNameWidth, methods_text(option));
  }
  return out;
}

class Models final : public Command {
 public:
  std::string name() const override { return "models"; }
  std::string description() const override { return "List the kinds of models and their fields"; }
  std::string examples() const override {
    return "Examples:\n"
           "  evident models\n"
           "  evident models gaussian-mixture\n"
           "  evident models --sampler";
  }

  void declare(CLI::App& app) override {
    const std::span<const std::string_view> known = study::kind_names();
    offer(app.add_option("kind", kind_, "show this kind only"), {known.begin(), known.end()})->type_name("KIND");
    app.add_flag("--sampler", sampler_, "show the keys of [sampler] instead");
  }

  void run() override {
    if (sampler_) return print(sampler_text());
    if (kind_) {
      const study::Kind* kind = study::find_kind(*kind_);
      if (kind) return print(describe(*kind));
      const std::string hint = did_you_mean(*kind_, study::kind_names());
      throw InputError(
          fmt::format("no kind of model is called '{}'{}", *kind_,
                      hint.empty() ? fmt::format("; known are {}", fmt::join(study::kind_names(), ", ")) : hint));
    }
    std::string out;
    for (const study::Kind* kind : study::kinds()) out += (out.empty() ? "" : "\n") + describe(*kind);
    print(out);
  }

 private:
  std::optional<std::string> kind_;
  bool sampler_ = false;
};

}  // namespace

std::unique_ptr<Command> models_command() { return std::make_unique<Models>(); }

}  // namespace evident::cli
