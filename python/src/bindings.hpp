// What the files of the extension module share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evident/model/model.hpp"

namespace evident::python {

namespace nb = nanobind;

using InArray2 = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using InArray1 = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;

/// Names of parameters and their priors, as a study writes them.
using Priors = std::vector<std::pair<std::string, std::string>>;
ParameterSpace make_space(const Priors& priors);

/// Calls of the user's functions: the first exception ends the run, and then goes on to the caller as it was.
class UserCalls {
 public:
  /// Runs `call` with the interpreter lock. Throws RunError when it raised, now or earlier; `parameters` makes what is
  /// handed over with the exception, as its attribute `parameters`.
  void guarded(const std::function<void()>& call, const std::function<nb::object()>& parameters);
  /// Throws what was kept. The caller holds the interpreter lock.
  void rethrow();
  bool failed() const { return failed_; }
  /// Ends functions that are running, as soon as they run Python code again. The caller holds the interpreter lock.
  void interrupt();
  bool interrupted() const { return interrupted_; }

 private:
  std::mutex mutex_;
  std::optional<nb::python_error> error_;
  std::vector<unsigned long> inside_;  ///< threads that are in a call
  std::atomic<bool> failed_ = false, interrupted_ = false;
};

/// Models that keep objects of Python: its garbage collector must see them, or a function and its own result would keep
/// each other alive for ever. Such a model belongs to its Python object alone, except during a call.
class HoldsPython {
 public:
  virtual ~HoldsPython() = default;
  virtual std::vector<nb::object*> held() = 0;
};

/// Models whose functions are Python's share this.
class CallsPython : public HoldsPython {
 public:
  virtual UserCalls& calls() const = 0;
};
/// Of a model that calls Python; null for others.
UserCalls* calls_of(const Model& model);

/// Runs `work` without the interpreter lock; an exception of the model's functions arrives as it was.
void unlocked(const Model& model, const std::function<void()>& work);

/// A new array (n, d), each column contiguous, of a block with d rows.
nb::object to_array(ConstBlock block);
nb::object to_array(std::span<const double> values);
/// A block with a row for each column of the array.
BlockStorage to_block(const InArray2& array);
/// Whatever NumPy can make numbers of.
nb::object as_doubles(const nb::object& values);
/// Refuses what a function of the model returned when NumPy would make numbers of it that nobody meant: masked entries,
/// dates, texts, records, complex numbers. `what` returned it. Raises TypeError.
void refuse_odd_numbers(const char* what, const nb::object& result);

void bind_errors(nb::module_& m);
void bind_function_model(nb::module_& m);
void bind_pointer_model(nb::module_& m);
void bind_comparison(nb::module_& m);
void bind_models(nb::module_& m);

}  // namespace evident::python
