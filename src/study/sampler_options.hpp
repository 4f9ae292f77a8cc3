// The options of the samplers. Each is declared once, in the table of sampler_options.cpp: its name, the values that it
// takes, its default, its text, the methods that it belongs to, and how it is set. Studies, flags, settings of C,
// arguments of Python and the manual are all made from the table (read_options.hpp).
//
//   const SamplerOption& option = sampler_option("cess");
//   values_text(option);                      // "number above 0 and below 1"
//   setting_of_text(option, "0.9").value;     // 0.9
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evident/compare/compare.hpp"
#include "evident/study/study.hpp"
#include "study/section.hpp"

namespace evident::study {

/// Upper limits that keep a slip of the finger from using up the machine's memory.
inline constexpr std::uint64_t kMaxParticles = 100'000'000;
inline constexpr std::uint64_t kMaxThreads = 1024;

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

/// The method that is used, and the one that the file is written for. They differ when the command line has the last
/// word; keys of the file's own method are then let pass, so that one file serves several methods.
struct MethodChoice {
  Method chosen = Method::direct, written = Method::direct;
};

/// What the options change.
struct SamplerTarget {
  MethodChoice method;
  SmcOptions& smc;
  CompareOptions* study = nullptr;        ///< null for [model.sampler]
  bool power_is_of_ladder = false;        ///< and not of the schedule
  std::string_view schedule_chosen_by{};  ///< "schedule =" or "the schedule"; empty: not chosen yet
};

// The values that an option takes, and how one of them is set. A setter throws InputError with the rest of a sentence
// that begins with the option: "must end at 1".
struct WholeNumber {
  std::uint64_t least, most;
  void (*set)(SamplerTarget&, std::uint64_t);
  std::uint64_t least_of_rjmcmc = least;
};
struct Number {
  Range range;
  void (*set)(SamplerTarget&, double);
};
struct Numbers {
  Range range;
  void (*set)(SamplerTarget&, const std::vector<double>&);
};
struct YesNo {
  void (*set)(SamplerTarget&, bool);
};
struct Word {
  std::span<const std::string_view> (*words)();
  void (*set)(SamplerTarget&, std::string_view);
};
/// A text such as "90s"; see read_duration.
struct Duration {
  void (*set)(SamplerTarget&, double seconds);
};
using Takes = std::variant<WholeNumber, Number, Numbers, YesNo, Word, Duration>;

/// Where an option may stand in a study.
enum class Place {
  study,  ///< [sampler] alone
  model,  ///< [model.sampler] too
};

/// Who may set an option of a study that is read from a file.
enum class SetBy {
  file,      ///< the file alone
  everyone,  ///< flags, settings of C and arguments of Python, too
};

struct SamplerOption {
  std::string_view name;
  Takes takes;
  std::string_view fallback, meaning;
  MethodSet methods;  ///< with which it has an effect
  Place place;
  SetBy set_by = SetBy::file;
};
/// In the order in which they are set: what an option depends on comes before it.
std::span<const SamplerOption> sampler_options();
/// Throws InputError, with the nearest name, when there is none of that name.
const SamplerOption& sampler_option(std::string_view name);

/// "whole number between 2 and 100000000"
std::string values_text(const SamplerOption& option);
/// "direct, ais", or "all methods".
std::string methods_text(const SamplerOption& option);
/// The value of a text, as a command line has it. A text that is no value of the option stays a text.
Setting setting_of_text(const SamplerOption& option, std::string_view text);

/// Seconds of "90s", "10m", "2h" or "90". Throws InputError.
double read_duration(std::string_view text);

}  // namespace evident::study
