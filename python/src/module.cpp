// The extension module evident._core.
#include "base/version.hpp"
#include "bindings.hpp"
#include "run_watched.hpp"

NB_MODULE(_core, m) {
  namespace nb = nanobind;
  nb::set_leak_warnings(false);  // what lives on when the interpreter ends, in a notebook say, is no leak
  m.doc() = "The compiled core of evident.";
  m.attr("__version__") = nb::str(std::string(evident::version()).c_str());
  evident::python::bind_errors(m);
  evident::python::bind_models(m);
  evident::python::bind_function_model(m);
  evident::python::bind_pointer_model(m);
  evident::python::bind_comparison(m);
  // Called while threads of Python's can still run; later they would be ended in the middle of a run, and take the
  // process with them.
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&evident::python::end_all_work));
}
