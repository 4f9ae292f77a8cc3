// A program that runs beside this one, joined to it by three pipes. It never outlives its object, nor this program.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <deque>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evident::external {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close();

 private:
  int number_ = -1;
};

/// What is to be run.
struct Program {
  std::string file = {};                    ///< with its path
  std::vector<std::string> arguments = {};  ///< the first is the program's own name
  std::string folder = {};                  ///< where it runs; empty: here
};

/// The file that a command names: with a slash relative to `folder`, else in the PATH. Throws InputError.
std::string find_program(const std::string& name, const std::string& folder);

class Child {
 public:
  using Clock = std::chrono::steady_clock;

  /// The running thread must live as long as the child: when it ends, the system ends the child. Throws Failure.
  explicit Child(const Program& program);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  struct Patience {
    double seconds = 60;
    std::stop_token stop = {};
  };
  /// Sends `text` and hands over what the program writes until `take` returns true. Lines of standard error go to
  /// `heard`. Throws Failure when the program ends, is silent for too long or answers too early; RunError when stopped.
  void exchange(std::string_view text, const std::function<bool(std::string_view)>& take,
                const std::function<void(std::string_view)>& heard, const Patience& patience);
  /// Asks the program to end; the destructor ends it in any case.
  void say_goodbye();
  /// True when the program has ended within this time.
  bool wait(std::chrono::milliseconds time) const;
  /// The last lines of standard error.
  std::string last_words() const;

 private:
  bool send(std::string_view& text);
  bool receive(const std::function<bool(std::string_view)>& take, const std::function<void(std::string_view)>& heard);
  bool listen(const std::function<void(std::string_view)>& heard);
  void keep(std::string line, const std::function<void(std::string_view)>& heard);
  std::string how_it_ended() const;

  pid_t pid_ = -1;
  std::string mark_;           ///< of what it starts
  Descriptor in_, out_, err_;  ///< the program's standard input, output and error
  std::string partial_;        ///< a line of standard error that has no end yet
  std::deque<std::string> last_lines_;
};

}  // namespace evident::external
