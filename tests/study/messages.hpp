// The message of the InputError that a call throws.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "evident/base/error.hpp"

namespace evident::study {

template <class F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const InputError& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace evident::study
