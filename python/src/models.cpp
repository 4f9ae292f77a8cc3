// Models seen from Python: their parameters, priors and likelihoods, and the models of study files.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "bindings.hpp"
#include "evident/base/error.hpp"
#include "evident/study/study.hpp"
#include "model/ordered.hpp"

namespace evident::python {
namespace {

/// The numbers of "dirichlet(1, 2, 1)"; empty when the text is another prior.
std::vector<double> dirichlet_numbers(std::string_view text) {
  constexpr std::string_view head = "dirichlet(";
  if (!text.starts_with(head) || !text.ends_with(')')) return {};
  std::vector<double> out;
  const char* at = text.data() + head.size();
  const char* const end = text.data() + text.size() - 1;
  while (at < end) {
    while (at < end && (*at == ' ' || *at == ',')) ++at;
    if (at == end) break;
    double value = 0;
    const auto [next, status] = std::from_chars(at, end, value);
    if (status != std::errc{}) throw InputError("dirichlet takes numbers: '" + std::string(text) + "'");
    out.push_back(value);
    at = next;
  }
  return out;
}

/// Adds "ordered(normal(0, 10), 3)", and says whether the text was of that kind.
bool add_if_ordered(ParameterSpace& space, const std::string& name, std::string_view text) {
  constexpr std::string_view head = "ordered(";
  if (!text.starts_with(head) || !text.ends_with(')')) return false;
  const std::string_view inside = text.substr(head.size(), text.size() - head.size() - 1);
  const std::size_t comma = inside.rfind(',');
  const std::size_t digit = comma == inside.npos ? inside.npos : inside.find_first_not_of(' ', comma + 1);
  std::size_t count = 0;
  if (digit == inside.npos ||
      std::from_chars(inside.data() + digit, inside.data() + inside.size(), count).ptr != inside.data() + inside.size())
    throw InputError("ordered takes a prior and a number of entries: 'ordered(normal(0, 10), 3)'");
  add_ordered(space, name, parse_distribution(inside.substr(0, comma)), count);
  return true;
}

nb::object array_of(std::vector<double> values, std::vector<std::size_t> shape, std::vector<std::int64_t> strides) {
  auto* kept = new std::vector<double>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double>(kept->data(), shape.size(), shape.data(), owner, strides.data()));
}

void check_columns(const Model& model, const InArray2& theta) {
  if (theta.shape(1) != model.parameters().size())
    throw InputError("parameters have " + std::to_string(theta.shape(1)) + " columns, the model has " +
                     std::to_string(model.parameters().size()) + " parameters");
}

template <class Task>
nb::object of_each(const Model& model, const InArray2& theta, const Task& task) {
  check_columns(model, theta);
  const BlockStorage block = to_block(theta);
  std::vector<double> out(theta.shape(0));
  unlocked(model, [&] { task(block.block(), std::span<double>(out)); });
  return to_array(std::span<const double>(out));
}

nb::object draw_prior(const Model& model, std::size_t n, std::uint64_t seed) {
  BlockStorage theta(model.parameters().size(), n);
  unlocked(model, [&] { model.draw_prior(Streams({.seed = seed}), 0, theta); });
  return to_array(ConstBlock(theta.block()));
}

nb::object derive(const Model& model, const InArray2& theta) {
  check_columns(model, theta);
  const BlockStorage block = to_block(theta);
  BlockStorage out(model.derived_names().size(), theta.shape(0));
  if (out.rows() > 0) unlocked(model, [&] { model.derive(block.block(), out); });
  return to_array(ConstBlock(out.block()));
}

nb::object draw_observations(const Model& model, const InArray2& theta, std::uint64_t seed) {
  check_columns(model, theta);
  std::size_t rows = 0;
  for (const Observed& o : model.observed()) rows += o.values.size();
  if (rows == 0) throw InputError("this model cannot draw observations");
  const BlockStorage block = to_block(theta);
  BlockStorage out(rows, theta.shape(0));
  unlocked(model, [&] { model.draw_observations(block.block(), Streams({.seed = seed}), 0, out); });
  return to_array(ConstBlock(out.block()));
}

/// (n, observations): the log likelihood of each observation, given the earlier ones where they depend on each other.
nb::object pointwise(const Model& model, const InArray2& theta) {
  check_columns(model, theta);
  if (!model.has_sequence()) throw InputError("this model has no likelihood of single observations");
  const BlockStorage block = to_block(theta);
  BlockStorage out(model.observation_count(), theta.shape(0));
  unlocked(model, [&] {
    for (std::size_t k = 0; k < out.rows(); ++k) model.log_likelihood_of(block.block(), k, 1, out.row(k));
  });
  return to_array(ConstBlock(out.block()));
}

nb::list observed_of(const Model& model) {
  nb::list out;
  for (const Observed& o : model.observed())
    out.append(nb::make_tuple(o.name, to_array(std::span<const double>(o.values)), o.axis_name,
                              to_array(std::span<const double>(o.axis))));
  return out;
}

std::vector<nb::object*> held_by(PyObject* self) {
  if (!nb::inst_ready(self)) return {};
  auto* holder = dynamic_cast<HoldsPython*>(nb::inst_ptr<Model>(self));
  return holder ? holder->held() : std::vector<nb::object*>();
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  for (const nb::object* object : held_by(self)) Py_VISIT(object->ptr());
  return 0;
}

int clear(PyObject* self) {
  for (nb::object* object : held_by(self)) *object = nb::none();
  return 0;
}

PyType_Slot model_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

}  // namespace

ParameterSpace make_space(const Priors& priors) {
  ParameterSpace space;
  for (const auto& [name, prior] : priors) {
    if (std::vector<double> numbers = dirichlet_numbers(prior); !numbers.empty()) {
      space.add_simplex(name, std::move(numbers));
      continue;
    }
    try {
      if (!add_if_ordered(space, name, prior)) space.add(name, parse_distribution(prior));
    } catch (const InputError& error) {
      throw InputError("prior of '" + name + "': " + error.message());
    }
  }
  return space;
}

nb::object to_array(ConstBlock block) {
  const std::size_t n = block.size(), d = block.rows();
  std::vector<double> values(n * d);
  for (std::size_t j = 0; j < d; ++j) std::memcpy(values.data() + j * n, block.row(j).data(), n * sizeof(double));
  return array_of(std::move(values), {n, d}, {1, static_cast<std::int64_t>(n)});
}

nb::object to_array(std::span<const double> values) {
  return array_of({values.begin(), values.end()}, {values.size()}, {1});
}

BlockStorage to_block(const InArray2& array) {
  BlockStorage out(array.shape(1), array.shape(0));
  const auto view = array.view();
  for (std::size_t j = 0; j < array.shape(1); ++j)
    for (std::size_t i = 0; i < array.shape(0); ++i) out(j, i) = view(i, j);
  return out;
}

nb::object as_doubles(const nb::object& values) {
  return nb::module_::import_("numpy").attr("asarray")(values, "float64");
}

namespace {

/// What is wrong with the array; empty when nothing is.
std::string oddness(const nb::object& numpy, const nb::object& array) {
  if (PyObject_IsInstance(array.ptr(), numpy.attr("ma").attr("MaskedArray").ptr()) == 1)
    return "a masked array, whose masked entries have no value; fill them, with -inf where the parameters are "
           "impossible";
  const nb::object type = array.attr("dtype");
  const std::string kind = nb::cast<std::string>(type.attr("kind"));
  if (std::string_view("buif").find(kind) != std::string_view::npos) return "";
  if (kind != "O") return "of type " + nb::cast<std::string>(nb::str(type)) + ", expected numbers";
  for (const nb::handle one : nb::iter(array.attr("flat")))
    if (PyUnicode_Check(one.ptr()) || PyBytes_Check(one.ptr()) || !PyObject_HasAttrString(one.ptr(), "__float__"))
      return "made of objects of type " +
             nb::cast<std::string>(nb::str(nb::handle((PyObject*)Py_TYPE(one.ptr())).attr("__name__"))) +
             ", expected numbers";
  return "";
}

}  // namespace

void refuse_odd_numbers(const char* what, const nb::object& result) {
  if (PyFloat_CheckExact(result.ptr()) || PyLong_CheckExact(result.ptr())) return;
  const nb::object numpy = nb::module_::import_("numpy");
  const bool is_array = PyObject_IsInstance(result.ptr(), numpy.attr("ndarray").ptr()) == 1;
  // Arrays of other libraries have numbers of their own.
  if (!is_array && PyObject_HasAttrString(result.ptr(), "__dlpack__")) return;
  const std::string odd = oddness(numpy, is_array ? result : numpy.attr("asanyarray")(result));
  if (odd.empty()) return;
  PyErr_Format(PyExc_TypeError, "%s is %s", what, odd.c_str());
  throw nb::python_error();
}

void bind_models(nb::module_& m) {
  nb::class_<Model>(m, "Model", nb::type_slots(model_slots), "A model of the core.")
      .def_prop_ro("parameters", [](const Model& model) { return model.parameters().names(); })
      .def_prop_ro("derived", [](const Model& model) { return model.derived_names(); })
      .def_prop_ro("priors",
                   [](const Model& model) {
                     std::vector<std::string> out;
                     for (std::size_t j = 0; j < model.parameters().size(); ++j)
                       out.push_back(model.parameters().prior_text(j));
                     return out;
                   })
      .def_prop_ro("calls_python", [](const Model& model) { return calls_of(model) != nullptr; })
      .def_prop_ro("has_gradient", &Model::has_gradient)
      .def_prop_ro("has_pointwise", &Model::has_sequence)
      .def_prop_ro("observations", &Model::observation_count)
      .def(
          "log_likelihood",
          [](const Model& model, const InArray2& theta) {
            return of_each(model, theta, [&](ConstBlock t, std::span<double> out) { model.log_likelihood(t, out); });
          },
          nb::arg("theta"), "Log likelihood of each row of parameters.")
      .def(
          "log_prior",
          [](const Model& model, const InArray2& theta) {
            return of_each(model, theta, [&](ConstBlock t, std::span<double> out) { model.log_prior(t, out); });
          },
          nb::arg("theta"), "Log prior density of each row of parameters.")
      .def("draw_prior", &draw_prior, nb::arg("n"), nb::arg("seed") = 1, "Rows of parameters drawn from the prior.")
      .def("derive", &derive, nb::arg("theta"), "Derived quantities of each row of parameters.")
      .def("pointwise", &pointwise, nb::arg("theta"), "Log likelihood of each observation, for each row of parameters.")
      .def_prop_ro("observed", &observed_of, "Name, values, name of the axis and axis of each series.")
      .def("draw_observations", &draw_observations, nb::arg("theta"), nb::arg("seed") = 1,
           "A row of new observations for each row of parameters.");

  nb::class_<study::Study>(m, "Study", "A study file, read and checked.")
      .def_ro("file", &study::Study::file)
      .def_prop_ro("is_family", [](const study::Study& s) { return s.family.has_value(); })
      .def_prop_ro("models", [](const study::Study& s) {
        nb::list out;
        for (const study::StudyModel& model : s.models)
          out.append(nb::make_tuple(model.candidate.name, model.kind, model.candidate.weight,
                                    std::const_pointer_cast<Model>(model.candidate.model)));
        return out;
      });
  m.def(
      "read_study",
      [](const std::string& file, bool allow_code, bool allow_outside) {
        study::Overrides overrides;
        overrides.code.allowed = allow_code;
        overrides.code.outside = allow_outside;
        return study::read_study(file, overrides);
      },
      nb::arg("file"), nb::arg("allow_code") = false, nb::arg("allow_outside") = false,
      nb::call_guard<nb::gil_scoped_release>(), "Reads and checks a study file.");
}

}  // namespace evident::python
