// The nearest known name to a mistyped word, for messages.
//
//   constexpr std::string_view known[] = {"particles", "seed"};
//   throw InputError("unknown key 'partciles'" + did_you_mean("partciles", known));
//   // unknown key 'partciles'; did you mean 'particles'?
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace evident {

/// The entry of `known` with the fewest typing errors to `word`, the first of equals; empty when none is close.
/// Case counts for nothing, and '-', '_' and ' ' are the same.
std::string nearest(std::string_view word, std::span<const std::string_view> known);

/// "; did you mean 'x'?", or empty when nothing is close.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace evident
