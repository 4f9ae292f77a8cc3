// evident models: which kinds of models a study can name, and what they take.
#include <fmt/format.h>

#include <optional>

#include "base/suggest.hpp"
#include "choices.hpp"
#include "command.hpp"
#include "evident/base/error.hpp"
#include "output.hpp"
#include "study/kinds.hpp"
#include "study/sampler_keys.hpp"

namespace evident::cli {
namespace {

constexpr std::size_t kNameWidth = 22;

// One field or key: its name, its meaning, and below that its type and default.
template <class T>
std::string entry(const T& field) {
  const std::string fallback = field.fallback.empty() ? "required" : fmt::format("default {}", field.fallback);
  return fmt::format("  {:<{}}{}\n  {:<{}}({}; {})\n", field.name, kNameWidth, field.meaning, "", kNameWidth,
                     field.type, fallback);
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
  for (const study::SamplerKey& key : study::sampler_keys()) {
    const bool of_model = key.place == study::KeyPlace::model;
    const std::string name = fmt::format("{}{}", key.name, of_model ? " *" : "");
    out += entry(study::Field{name, key.type, key.fallback, key.meaning});
    out += fmt::format("  {:<{}}with {}\n", "", kNameWidth, study::methods_text(key));
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
