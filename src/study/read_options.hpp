// From sections and settings to options, by the table of sampler_options.hpp.
//
//   const Section given = section_of(settings);             // of a command line, of C, of Python
//   const MethodChoice method = read_method(sampler, given);
//   CompareOptions options = read_options(sampler, method); // [sampler]
//   apply_model_options(model_sampler, method, smc);        // [model.sampler] comes after it
//   apply_given(given, method.chosen, options);             // has the last word
//
// An option that has no effect with the chosen method is an error: it would only look as if it did something.
#pragma once

#include <optional>

#include "study/sampler_options.hpp"

namespace evident::study {

/// Settings as a section; its messages name options by their keys (base/option.hpp).
Section section_of(const Settings& settings);

/// That of `given`, else that of `sampler`.
MethodChoice read_method(const Section& sampler, const Section& given);

/// The islands that a section asks for, by their number, by the recipe, or by replicates, which take their place.
std::optional<std::size_t> islands_of(const Section& section);

/// The options of a comparison: the defaults of its recipe, and what the section says. `islands` has the last word on
/// their number. Throws InputError, as all of these do.
CompareOptions read_options(const Section& sampler, const MethodChoice& method,
                            std::optional<std::size_t> islands = {});
/// The same without a study.
CompareOptions options_of(const Settings& settings);

/// Changes the options that `section` names and leaves the others.
void apply_options(const Section& section, const MethodChoice& method, CompareOptions& options);
/// The same for [model.sampler].
void apply_model_options(const Section& section, const MethodChoice& method, SmcOptions& options);

/// Throws when `given` has a setting that a study from a file does not take, or that has no effect with its method, or
/// whose value is wrong. `options` are those of the study.
void check_given(const Section& given, CompareOptions options);
/// Changes what the settings of a study from a file name; goals take the place of all of the file's.
void apply_given(const Section& given, Method method, CompareOptions& options);
/// The same for one of its models.
void apply_given(const Section& given, Method method, SmcOptions& options);

}  // namespace evident::study
