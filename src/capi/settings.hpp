// Settings that a program makes key by key, as texts.
//
//   Settings settings;
//   settings.set("particles", "2000");
//   settings.options();             // for models of the caller's own: every key of [sampler]
//   settings.overrides();           // for a study from a file: what the command line may set
#pragma once

#include <string>

#include "evident/study/study.hpp"
#include "study/section.hpp"

namespace evident::capi {

class Settings {
 public:
  /// A later value replaces an earlier one. Throws InputError for an unknown key or a text that is more than one value.
  void set(const std::string& key, const std::string& value);

  /// What a study with these keys in [sampler] would be run with. Throws InputError.
  CompareOptions options() const;
  /// Throws InputError for a key that belongs into the study.
  study::Overrides overrides() const;

 private:
  study::Section section() const;

  study::Value::Table entries_;
};

}  // namespace evident::capi
