#include "external/spawner.hpp"

namespace evident::external {

Spawner::Spawner(Program program) : program_(std::move(program)), thread_([this] { work(); }) {}

Spawner::~Spawner() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::unique_ptr<Child> Spawner::start() {
  Order order;
  std::future<std::unique_ptr<Child>> child = order.get_future();
  {
    std::lock_guard lock(mutex_);
    orders_.push_back(std::move(order));
  }
  changed_.notify_all();
  return child.get();
}

void Spawner::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !orders_.empty(); });
    if (orders_.empty()) return;
    Order order = std::move(orders_.front());
    orders_.pop_front();
    lock.unlock();
    try {
      order.set_value(std::make_unique<Child>(program_));
    } catch (...) {
      order.set_exception(std::current_exception());
    }
    lock.lock();
  }
}

}  // namespace evident::external
