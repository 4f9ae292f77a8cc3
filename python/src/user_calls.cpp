// Calls of the user's functions, and what goes wrong in them.
#include <algorithm>

#include "bindings.hpp"
#include "evident/base/error.hpp"

namespace evident::python {
namespace {

constexpr const char* kRaised = "a function of the model raised an exception";

void attach(nb::python_error& error, const std::function<nb::object()>& parameters) {
  const nb::object value = nb::borrow(error.value());
  if (nb::hasattr(value, "parameters")) return;
  try {
    value.attr("parameters") = parameters();
  } catch (nb::python_error&) {  // an exception without attributes goes on without them
  }
}

}  // namespace

void UserCalls::guarded(const std::function<void()>& call, const std::function<nb::object()>& parameters) {
  if (failed_ || interrupted_) throw FatalError(kRaised);
  const nb::gil_scoped_acquire lock;
  const unsigned long self = PyThread_get_thread_ident();
  {
    const std::lock_guard guard(mutex_);
    inside_.push_back(self);
  }
  std::optional<nb::python_error> raised;
  try {
    call();
  } catch (nb::python_error& error) {
    attach(error, parameters);
    raised.emplace(std::move(error));
  }
  const std::lock_guard guard(mutex_);
  inside_.erase(std::ranges::find(inside_, self));
  if (!raised) return;
  if (!error_) error_.emplace(std::move(*raised));
  failed_ = true;
  throw FatalError(kRaised);
}

void UserCalls::rethrow() {
  std::optional<nb::python_error> error;
  {
    const std::lock_guard guard(mutex_);
    if (error_) error.emplace(std::move(*error_));
    error_.reset();
    failed_ = false;
    interrupted_ = false;
  }
  if (error) throw nb::python_error(std::move(*error));
}

void UserCalls::interrupt() {
  const std::lock_guard guard(mutex_);
  if (interrupted_.exchange(true)) return;
  for (const unsigned long thread : inside_) PyThreadState_SetAsyncExc(thread, PyExc_KeyboardInterrupt);
}

UserCalls* calls_of(const Model& model) {
  const auto* python = dynamic_cast<const CallsPython*>(&model);
  return python ? &python->calls() : nullptr;
}

void unlocked(const Model& model, const std::function<void()>& work) {
  std::exception_ptr failure;
  {
    const nb::gil_scoped_release unlock;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (UserCalls* calls = calls_of(model)) calls->rethrow();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace evident::python
