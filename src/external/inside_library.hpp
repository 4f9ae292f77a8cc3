// While a thread is inside of a library of the user's. A library that calls exit() would end the program with whatever
// status it likes, in the middle of a run, as if all were well; that is an error, and the library is named.
//
//   const InsideLibrary inside(file, "in evident_model_log_likelihood");
#pragma once

#include <string>
#include <string_view>

namespace evident::external {

class InsideLibrary {
 public:
  /// What is given must live as long.
  InsideLibrary(const std::string& file, std::string_view where);
  ~InsideLibrary();
  InsideLibrary(const InsideLibrary&) = delete;
  InsideLibrary& operator=(const InsideLibrary&) = delete;

  /// Before a library is loaded, and again after it: what is registered last is called first.
  static void watch_for_exit();

 private:
  static void at_exit();

  const std::string& file_;
  std::string_view where_;
  const InsideLibrary* outer_;
};

}  // namespace evident::external
