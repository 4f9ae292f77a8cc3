// What can go wrong, in two kinds: the input was bad, or the run failed.
//
//   throw InputError("study.toml:7: unknown key 'partciles'; did you mean 'particles'?");
//
// The program exits with 2 for the first and with 1 for the second.
#pragma once

#include <stdexcept>
#include <string>

namespace evident {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user can mend it: an option, a file, a study. Thrown before any work starts.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The input was understood but the run could not be finished.
class RunError : public Error {
 public:
  using Error::Error;
};

}  // namespace evident
