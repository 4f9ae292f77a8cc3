// The keys of [sampler] and [model.sampler].
//
//   const MethodChoice method = read_method(study_sampler, {});
//   apply_sampler_keys(study_sampler, method, options);   // [sampler]
//   apply_model_keys(model_sampler, method, smc);         // [model.sampler] has the last word
//
// A key that has no effect with the chosen method is an error: it would only look as if it did something.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "evident/compare/compare.hpp"
#include "study/section.hpp"

namespace evident::study {

/// Upper limits that keep a slip of the finger from eating the machine's memory.
inline constexpr std::uint64_t kMaxParticles = 100'000'000;
inline constexpr std::uint64_t kMaxThreads = 1024;
inline constexpr std::uint64_t kMaxReplicates = 100'000;

/// A set of methods.
class MethodSet {
 public:
  constexpr MethodSet(std::initializer_list<Method> methods) {
    for (const Method m : methods) bits_ |= 1u << static_cast<unsigned>(m);
  }
  constexpr bool has(Method m) const { return (bits_ >> static_cast<unsigned>(m) & 1u) != 0; }

 private:
  unsigned bits_ = 0;
};

/// Where a key may stand.
enum class KeyPlace {
  study,  ///< [sampler] alone
  model,  ///< [model.sampler] too
};

/// A key, for messages and for the manual.
struct SamplerKey {
  std::string_view name, type, fallback, meaning;
  MethodSet methods;  ///< with which it has an effect
  KeyPlace place;
};
std::span<const SamplerKey> sampler_keys();
/// Throws InputError for a name that is not a key.
const SamplerKey& sampler_key(std::string_view name);
/// "direct, ais", or "all methods".
std::string methods_text(const SamplerKey& key);

/// The method that is used, and the one that the file is written for. They differ when the command line has the last
/// word; keys of the file's own method are then let pass, so that one file serves several methods.
struct MethodChoice {
  Method chosen = Method::direct, written = Method::direct;
};
/// `sampler` may be missing. Throws InputError with file and line.
MethodChoice read_method(const std::optional<Section>& sampler, const std::optional<Method>& override_by);

/// Seconds of "90s", "10m", "2h" or "90". Throws InputError.
double read_duration(std::string_view text);

/// The options of a comparison: the defaults of its recipe, and what the section, which may be missing, says. `islands`
/// has the last word on their number. Throws InputError with file and line.
CompareOptions read_options(const std::optional<Section>& section, const MethodChoice& method,
                            std::optional<std::size_t> islands = {});
/// Changes the options that `section` names and leaves the others. Throws InputError with file and line.
void apply_sampler_keys(const Section& section, const MethodChoice& method, CompareOptions& options);
/// The same for [model.sampler].
void apply_model_keys(const Section& section, const MethodChoice& method, SmcOptions& options);

}  // namespace evident::study
