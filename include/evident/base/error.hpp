// What can go wrong, in two kinds: the input was bad, or the run failed.
//
//   try {
//     compare(candidates, options);
//   } catch (const InputError& error) {  // found before any work starts: "... did you mean 'particles'?"
//     std::cerr << error.what() << '\n';
//   }
//
// The program exits with 2 for the first kind and with 1 for the second. A message marks the options that it names, so
// that each front end writes them as its users do.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace evident {

class Error : public std::runtime_error {
 public:
  /// what() is the message with its options in plain words: "option vb".
  explicit Error(const std::string& message);
  /// The message with its options marked, for whoever wraps it or spells them for a user.
  std::string message() const { return marked_.what(); }
  /// The keys of the options that it names, in their order.
  std::vector<std::string> options() const;

 private:
  std::runtime_error marked_;  // a string whose copy cannot throw
};

/// The user can correct it: an option, a file, a study. Thrown before any work starts.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The input was understood but the run could not be finished.
class RunError : public Error {
 public:
  using Error::Error;
};

/// The run cannot go on, whatever it was doing: the user's model failed, a disk is full, or it was asked to stop. Other
/// RunErrors may be a doubt about a result, of an algorithm that found no answer; this one never is, and no result may
/// be kept after it.
class FatalError : public RunError {
 public:
  using RunError::RunError;
};

}  // namespace evident
