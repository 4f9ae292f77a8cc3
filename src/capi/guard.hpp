// No exception crosses the C interface: what a function throws becomes its result and the error text of the handle,
// where options are called what they are called in C.
//
//   return guarded(study, [&] { study->load(required(file, "file")); });
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/option.hpp"
#include "evident/base/error.hpp"
#include "evident/evident.h"

namespace evident::capi {

/// The caller asked for the end of the run.
class Cancelled : public Error {
 public:
  using Error::Error;
};

/// What a caller of the C interface writes to set an option.
inline std::string c_option(std::string_view key, std::string_view value) {
  if (key == "allow_code" || key == "allow_outside") return "evident_study_" + std::string(key) + "(study, 1)";
  if (key == "force") return "force = 1";  // of evident_result_write_folder, as the next
  if (key == "out") return "argument folder";
  std::string out = "setting '" + std::string(key) + "'";
  return value.empty() ? out : (out += " = ") += value;
}

/// Sets the text, however little memory there is.
inline void set_error(std::string& error, std::string_view text) noexcept {
  try {
    error = text;
  } catch (...) {
    error.clear();
  }
}
inline void set_error(std::string& error, const std::exception& problem) noexcept {
  try {
    error = spelled(message_of(problem), c_option);
  } catch (...) {
    error.clear();
  }
}

template <class F>
int guarded(std::string& error, F&& f) noexcept {
  error.clear();
  try {
    f();
    return EVIDENT_OK;
  } catch (const InputError& e) {
    set_error(error, e);
    return EVIDENT_INPUT_ERROR;
  } catch (const Cancelled& e) {
    set_error(error, e);
    return EVIDENT_CANCELLED;
  } catch (const std::bad_alloc&) {
    set_error(error, "out of memory");
  } catch (const std::exception& e) {
    set_error(error, e);
  } catch (...) {
    set_error(error, "an unknown error");
  }
  return EVIDENT_RUN_ERROR;
}

/// For functions with another result than a status: what `f` gives, or `otherwise`.
template <class T, class F>
T or_else(T otherwise, F&& f) noexcept {
  try {
    return f();
  } catch (...) {
    return otherwise;
  }
}

/// A text of the caller, which may be null, long or without an end within reason. `most` is in bytes.
inline std::string required(const char* text, std::string_view what, std::size_t most = 10'000) {
  if (text == nullptr) throw InputError(std::string(what) + " is NULL");
  std::size_t size = 0;
  while (size <= most && text[size] != '\0') ++size;
  if (size > most) throw InputError(std::string(what) + " has more than " + std::to_string(most) + " bytes");
  return {text, size};
}

}  // namespace evident::capi
