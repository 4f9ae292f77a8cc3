// A model whose log likelihood is compiled: the address of a C function, called without the interpreter lock.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "bindings.hpp"

namespace evident::python {
namespace {

/// double f(const double* theta, int64_t d): one parameter vector.
using ScalarFunction = double (*)(const double*, std::int64_t);
/// void f(const double* theta, int64_t n, int64_t d, double* out): n of them, one after another.
using BatchFunction = void (*)(const double*, std::int64_t, std::int64_t, double*);

class PointerModel final : public Model, public HoldsPython {
 public:
  PointerModel(ParameterSpace space, std::uintptr_t address, bool batch, nb::object owner, std::size_t count)
      : space_(std::move(space)), address_(address), batch_(batch), owner_(std::move(owner)), count_(count) {}
  ~PointerModel() override {
    const nb::gil_scoped_acquire lock;
    owner_.reset();
  }

  std::vector<nb::object*> held() override { return {&owner_}; }
  const ParameterSpace& parameters() const override { return space_; }
  std::size_t observation_count() const override { return count_; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    const std::size_t n = theta.size(), d = theta.rows();
    thread_local std::vector<double> rows;
    rows.resize(n * d);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < n; ++i) rows[i * d + j] = theta(j, i);
    if (batch_) {
      reinterpret_cast<BatchFunction>(address_)(rows.data(), static_cast<std::int64_t>(n), static_cast<std::int64_t>(d),
                                                out.data());
      return;
    }
    const auto function = reinterpret_cast<ScalarFunction>(address_);
    for (std::size_t i = 0; i < n; ++i) out[i] = function(rows.data() + i * d, static_cast<std::int64_t>(d));
  }

 private:
  ParameterSpace space_;
  std::uintptr_t address_;
  bool batch_;
  nb::object owner_;  // keeps the code alive
  std::size_t count_;
};

}  // namespace

void bind_pointer_model(nb::module_& m) {
  m.def(
      "pointer_model",
      [](const Priors& priors, std::uintptr_t address, bool batch, nb::object owner,
         std::size_t observations) -> std::shared_ptr<Model> {
        return std::make_shared<PointerModel>(make_space(priors), address, batch, std::move(owner), observations);
      },
      nb::arg("priors"), nb::arg("address"), nb::arg("batch"), nb::arg("owner"), nb::arg("observations"),
      "A model from the address of a compiled function.");
}

}  // namespace evident::python
