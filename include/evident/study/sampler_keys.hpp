// The keys of [sampler] and [model.sampler].
//
//   SmcOptions options;
//   apply_sampler_keys(study_sampler, options);   // [sampler]
//   apply_sampler_keys(model_sampler, options);   // [model.sampler] has the last word
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "evident/smc/options.hpp"
#include "evident/study/section.hpp"

namespace evident::study {

/// Upper limits that keep a slip of the finger from eating the machine's memory.
inline constexpr std::uint64_t kMaxParticles = 100'000'000;
inline constexpr std::uint64_t kMaxThreads = 1024;
inline constexpr std::uint64_t kMaxReplicates = 100'000;

/// A key, for messages and for the manual.
struct SamplerKey {
  std::string_view name, type, fallback, meaning;
};
/// All keys of [sampler]; the first three (seed, replicates, threads) are for the study as a whole.
std::span<const SamplerKey> sampler_keys();
inline constexpr std::size_t kStudyWideKeys = 3;

/// Changes the options that `section` names and leaves the others. Throws InputError with file and line.
void apply_sampler_keys(const Section& section, SmcOptions& options);

}  // namespace evident::study
