// The lines that evident and a program exchange; see external/process.hpp. Nothing here knows of processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "evident/base/block.hpp"
#include "external/parts.hpp"

namespace evident::external {

inline constexpr int kProtocolVersion = 1;

/// The program died, hung or spoke out of turn: another one may do better.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The program said "error ...".
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All up to "begin". Throws InputError for names with spaces and options with line breaks.
std::string opening_text(const std::vector<std::string>& parameters, const std::vector<TextOption>& options,
                         const std::vector<DataColumn>& columns);
std::string batch_text(std::uint64_t batch, ConstBlock theta);

/// Takes an answer as it comes, in pieces of any size. What it keeps is bounded, whatever the program writes.
class AnswerReader {
 public:
  /// Of the opening: "ready".
  AnswerReader() = default;
  /// Of a batch: out.size() numbers and "done BATCH".
  AnswerReader(std::uint64_t batch, std::span<double> out);

  /// True when the answer is whole. Throws Failure and Refusal.
  bool take(std::string_view bytes);

 private:
  void line(std::string_view text);
  [[noreturn]] void unexpected(std::string_view text, const std::string& wanted) const;

  std::span<double> out_;
  std::string last_ = "ready";  ///< the line that ends the answer
  std::string partial_;
  std::size_t lines_ = 0;
  bool whole_ = false;
};

}  // namespace evident::external
