// One thread that starts all the programs of a model and lives as long as the model does.
//
// The system can end a program when the thread that started it ends. Threads of a pool come and go; this one stays, so
// a program ends when the model does, and even when this program is killed.
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "external/child.hpp"

namespace evident::external {

class Spawner {
 public:
  explicit Spawner(Program program);
  ~Spawner();
  Spawner(const Spawner&) = delete;
  Spawner& operator=(const Spawner&) = delete;

  /// From any thread. Throws Failure.
  std::unique_ptr<Child> start();

 private:
  using Order = std::promise<std::unique_ptr<Child>>;
  void work();

  Program program_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace evident::external
