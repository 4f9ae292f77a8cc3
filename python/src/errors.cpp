// Errors of the core as exceptions of Python, with options as arguments: vb=, resume=True, nuclide="C11".
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "base/option.hpp"
#include "bindings.hpp"
#include "evident/base/error.hpp"

namespace evident::python {
namespace {

constexpr std::array<std::string_view, 7> kSwitches = {"allow_code",        "allow_outside", "dry_run", "force",
                                                       "plasma_from_blood", "quiet",         "resume"};

/// Numbers, and the words in capitals that stand for a value.
bool needs_no_quotes(std::string_view value) {
  constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", number = "0123456789.-";
  return value.find_first_not_of(capitals) == value.npos || value.find_first_not_of(number) == value.npos;
}

std::string argument(std::string_view key, std::string_view value) {
  if (key == "replace") return "remove the folder";  // of a checkpoint: there is no argument for it
  std::string out(key == "model" ? "only" : key);
  out += '=';
  if (value.empty()) return std::ranges::find(kSwitches, key) != kSwitches.end() ? out += "True" : out;
  if (needs_no_quotes(value)) return out += value;
  return ((out += '"') += value) += '"';
}

/// An exception class of Python that is raised for every E.
template <class E>
void bind_error(nb::module_& m, const char* name, PyObject* base) {
  const nb::exception<E> type(m, name, base);
  nb::register_exception_translator(
      [](const std::exception_ptr& p, void* payload) {
        try {
          std::rethrow_exception(p);
        } catch (const E& e) {
          PyErr_SetString(static_cast<PyObject*>(payload), spelled(e.message(), argument).c_str());
        }
      },
      type.ptr());
}

/// What the standard library throws, in words of ours; anything else goes on to whoever knows it.
void translate_standard(const std::exception_ptr& p, void*) {
  try {
    std::rethrow_exception(p);
  } catch (const std::filesystem::filesystem_error& e) {
    PyErr_SetString(PyExc_OSError, message_of(e).c_str());
  } catch (const std::length_error& e) {
    PyErr_SetString(PyExc_MemoryError, message_of(e).c_str());
  } catch (const std::bad_alloc& e) {
    PyErr_SetString(PyExc_MemoryError, message_of(e).c_str());
  }
}

}  // namespace

void bind_errors(nb::module_& m) {
  nb::register_exception_translator(translate_standard);
  bind_error<InputError>(m, "InputError", PyExc_ValueError);
  bind_error<RunError>(m, "RunError", PyExc_RuntimeError);
  m.def(
      "spelled", [](const std::string& text) { return spelled(text, argument); }, nb::arg("text"),
      "A message of the program, with its marks of options as arguments.");
}

}  // namespace evident::python
