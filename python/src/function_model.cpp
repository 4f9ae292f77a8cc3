// A model whose log likelihood is a Python function.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"

namespace evident::python {
namespace {

/// What Python hands over; functions that are not there are None.
struct Functions {
  nb::object log_likelihood = nb::none(), gradient = nb::none(), derive = nb::none(), draw = nb::none(),
             mean = nb::none();
  std::vector<std::string> derived = {};
  std::vector<Observed> observed = {};
  bool vectorized = true;
  std::size_t count = 0;  ///< of observations
};

[[noreturn]] void wrong_shape(const char* what, const nb::object& result, const std::string& shape) {
  const nb::object numpy = nb::module_::import_("numpy");
  const std::string got = nb::cast<std::string>(nb::str(numpy.attr("shape")(result)));
  PyErr_Format(PyExc_ValueError, "%s has shape %s, expected %s", what, got.c_str(), shape.c_str());
  throw nb::python_error();
}

/// Column i of `out` becomes row i of what a function returned.
void copy_rows(const char* what, const nb::object& result, Block out) {
  refuse_odd_numbers(what, result);
  InArray2 rows;
  if (!nb::try_cast(as_doubles(result), rows) || rows.shape(0) != out.size() || rows.shape(1) != out.rows())
    wrong_shape(what, result, "(" + std::to_string(out.size()) + ", " + std::to_string(out.rows()) + ")");
  const auto view = rows.view();
  for (std::size_t j = 0; j < out.rows(); ++j)
    for (std::size_t i = 0; i < out.size(); ++i) out(j, i) = view(i, j);
}

class FunctionModel final : public Model, public CallsPython {
 public:
  FunctionModel(ParameterSpace space, Functions functions)
      : space_(std::move(space)),
        f_(std::move(functions)),
        has_gradient_(!f_.gradient.is_none()),
        has_mean_(!f_.mean.is_none()) {}
  ~FunctionModel() override {
    const nb::gil_scoped_acquire lock;
    f_ = {};
  }

  UserCalls& calls() const override { return calls_; }
  std::vector<nb::object*> held() override {
    return {&f_.log_likelihood, &f_.gradient, &f_.derive, &f_.draw, &f_.mean};
  }
  const ParameterSpace& parameters() const override { return space_; }
  std::size_t observation_count() const override { return f_.count; }
  bool has_gradient() const override { return has_gradient_; }
  std::vector<std::string> derived_names() const override { return f_.derived; }
  std::vector<Observed> observed() const override { return f_.observed; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    if (f_.vectorized) {
      calls_.guarded([&] { all(f_.log_likelihood(to_array(theta)), out); }, [&] { return to_array(theta); });
      return;
    }
    std::size_t at = 0;
    calls_.guarded([&] { one_by_one(theta, out, at); }, [&] { return row(theta, at); });
  }

  void gradient(ConstBlock theta, Block d_log_prior, Block d_log_likelihood) const override {
    space_.gradient(theta, d_log_prior);
    fill("the gradient", theta, d_log_likelihood, [&](const nb::object& array) { return f_.gradient(array); });
  }

  void derive(ConstBlock theta, Block out) const override {
    fill("what is derived", theta, out, [&](const nb::object& array) { return f_.derive(array); });
  }

  void draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const override {
    const std::uint64_t seed = streams.at({.particle = first, .purpose = Purpose::simulate}).bits();
    fill("predict", theta, out, [&](const nb::object& array) {
      return f_.draw(array, nb::module_::import_("numpy").attr("random").attr("default_rng")(seed));
    });
  }

  void predict(ConstBlock theta, Block out) const override {
    if (has_mean_) return fill("the mean", theta, out, [&](const nb::object& array) { return f_.mean(array); });
    for (std::size_t j = 0; j < out.rows(); ++j) std::ranges::fill(out.row(j), kNaN);
  }

 private:
  static nb::object row(ConstBlock theta, std::size_t i) {
    std::vector<double> values(theta.rows());
    for (std::size_t j = 0; j < theta.rows(); ++j) values[j] = theta(j, i);
    return to_array(std::span<const double>(values));
  }

  template <class Call>
  void fill(const char* what, ConstBlock theta, Block out, const Call& call) const {
    calls_.guarded([&] { copy_rows(what, call(to_array(theta)), out); }, [&] { return to_array(theta); });
  }

  static void all(const nb::object& result, std::span<double> out) {
    refuse_odd_numbers("the log likelihood", result);
    InArray1 values;
    if ((!nb::try_cast(result, values) && !nb::try_cast(as_doubles(result), values)) || values.shape(0) != out.size())
      wrong_shape("the log likelihood", result,
                  "(" + std::to_string(out.size()) + ",): one value for each row of parameters");
    const auto view = values.view();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = view(i);
  }

  void one_by_one(ConstBlock theta, std::span<double> out, std::size_t& at) const {
    for (at = 0; at < out.size() && !calls_.interrupted(); ++at) {
      const nb::object value = f_.log_likelihood(row(theta, at));
      refuse_odd_numbers("the log likelihood", value);
      out[at] = nb::cast<double>(nb::float_(value));
    }
  }

  ParameterSpace space_;
  Functions f_;
  bool has_gradient_, has_mean_;
  mutable UserCalls calls_;
};

using ObservedTuple = std::tuple<std::string, std::vector<double>, std::string, std::vector<double>>;

std::vector<Observed> observed_of(const std::vector<ObservedTuple>& tuples) {
  std::vector<Observed> out;
  for (const auto& [name, values, axis_name, axis] : tuples)
    out.push_back({.name = name, .values = values, .axis_name = axis_name, .axis = axis});
  return out;
}

}  // namespace

void bind_function_model(nb::module_& m) {
  m.def(
      "function_model",
      [](const Priors& priors, nb::object function, nb::object gradient, bool vectorized, std::size_t observations,
         const std::vector<std::string>& derived, nb::object derive, const std::vector<ObservedTuple>& observed,
         nb::object draw, nb::object mean) -> std::shared_ptr<Model> {
        return std::make_shared<FunctionModel>(
            make_space(priors), Functions{std::move(function), std::move(gradient), std::move(derive), std::move(draw),
                                          std::move(mean), derived, observed_of(observed), vectorized, observations});
      },
      nb::arg("priors"), nb::arg("function"), nb::arg("gradient") = nb::none(), nb::arg("vectorized") = true,
      nb::arg("observations") = 0, nb::arg("derived") = std::vector<std::string>(), nb::arg("derive") = nb::none(),
      nb::arg("observed") = std::vector<ObservedTuple>(), nb::arg("draw") = nb::none(), nb::arg("mean") = nb::none(),
      "A model from Python functions.");
}

}  // namespace evident::python
