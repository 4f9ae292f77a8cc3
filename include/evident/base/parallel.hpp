// Work spread over threads; results never depend on how many there are.
//
//   Executor executor(4);
//   executor.for_each(blocks, [&](std::size_t b) { ... });        // b = 0 .. blocks-1, any order, any thread
//
// Reductions go through `ordered_sum`, which adds fixed chunks in a fixed order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace evident {

/// Particles are worked on in blocks of this size, whatever the number of threads.
inline constexpr std::size_t kBlockSize = 64;

class Executor {
 public:
  /// `threads` = 0 means one per core.
  explicit Executor(unsigned threads = 1);
  ~Executor();
  Executor(Executor&&) noexcept;
  Executor& operator=(Executor&&) noexcept;

  unsigned threads() const;
  /// Runs task(0) .. task(count-1). An exception in a task ends the loop and is thrown here.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) const;

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

/// Number of blocks that hold n particles.
constexpr std::size_t block_count(std::size_t n) { return (n + kBlockSize - 1) / kBlockSize; }

}  // namespace evident
