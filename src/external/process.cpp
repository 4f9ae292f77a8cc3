#include "external/process.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "evident/base/error.hpp"
#include "external/protocol.hpp"
#include "external/spawner.hpp"

namespace evident::external {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kHeardInAll = 1 << 16;  // characters of standard error that are passed on
constexpr auto kGrace = 500ms;                // for all programs together to end by themselves

std::string shown(const std::vector<std::string>& command) {
  return fmt::format("{}", fmt::join(command, " ")).substr(0, 200);
}

/// A program that is ready for batches.
struct Worker {
  std::unique_ptr<Child> child;
  std::uint64_t batches = 0;
};

/// Passes lines of standard error on, up to a bound.
class Ear {
 public:
  explicit Ear(std::function<void(std::string_view)> notice) : notice_(std::move(notice)) {}

  void tell(std::string_view line) {
    std::lock_guard lock(mutex_);
    if (notice_) notice_(line);
  }
  void hear(std::string_view line) {
    std::lock_guard lock(mutex_);
    if (!notice_ || heard_ > kHeardInAll) return;
    heard_ += line.size();
    notice_(line);
    if (heard_ > kHeardInAll) notice_("further lines of the program's standard error are not shown");
  }

 private:
  std::mutex mutex_;
  std::function<void(std::string_view)> notice_;
  std::size_t heard_ = 0;
};

class ProcessModel final : public Model {
 public:
  explicit ProcessModel(ProcessOptions options)
      : options_(std::move(options)),
        opening_(opening_text(options_.parameters.names(), options_.options, options_.columns)),
        ear_(options_.notice),
        spawner_({.file = find_program(options_.command.at(0), options_.folder),
                  .arguments = options_.command,
                  .folder = options_.folder}) {
    Worker first;
    try {
      start(first);
    } catch (const Failure& e) {
      throw InputError(complaint(e.what(), first));
    } catch (const Refusal& e) {
      throw InputError(fmt::format("the program '{}' refuses the study: {}", shown(options_.command), e.what()));
    }
    idle_.push_back(std::move(first));
    running_ = 1;
  }

  ~ProcessModel() override {
    for (Worker& w : idle_) w.child->say_goodbye();
    const auto end = Child::Clock::now() + kGrace;
    for (Worker& w : idle_)
      w.child->wait(std::max(0ms, std::chrono::duration_cast<std::chrono::milliseconds>(end - Child::Clock::now())));
  }
  ProcessModel(const ProcessModel&) = delete;
  ProcessModel& operator=(const ProcessModel&) = delete;

  const ParameterSpace& parameters() const override { return options_.parameters; }

  void log_likelihood(ConstBlock theta, std::span<double> out) const override {
    for (std::size_t tries = 0;; ++tries) {
      Worker worker = borrow();
      try {
        ask(worker, theta, out);
        return give_back(std::move(worker));
      } catch (const Failure& e) {
        const std::string what = complaint(e.what(), worker);
        drop(std::move(worker));
        // Whoever is told of a failure may ask for each vector alone, to find the one to blame; one try must do then.
        if (tries >= options_.restarts || has_failed_) {
          has_failed_ = true;
          throw FatalError(tries == 0 ? what
                                      : fmt::format("{}; {} in a row failed on the same batch", what, tries + 1));
        }
        ear_.tell(what + "; started again");
      } catch (const Refusal& e) {
        drop(std::move(worker));
        throw FatalError(fmt::format("the program '{}' reports an error: {}", shown(options_.command), e.what()));
      } catch (...) {
        drop(std::move(worker));
        throw;
      }
    }
  }

 private:
  Child::Patience patience() const { return {options_.timeout_seconds, options_.stop}; }
  std::function<void(std::string_view)> hearing() const {
    return [this](std::string_view line) { ear_.hear(line); };
  }

  void start(Worker& worker) const {
    worker.child = spawner_.start();
    AnswerReader reader;
    worker.child->exchange(
        opening_, [&](std::string_view bytes) { return reader.take(bytes); }, hearing(), patience());
  }

  void ask(Worker& worker, ConstBlock theta, std::span<double> out) const {
    if (!worker.child) start(worker);
    const std::uint64_t batch = ++worker.batches;
    AnswerReader reader(batch, out);
    worker.child->exchange(
        batch_text(batch, theta), [&](std::string_view bytes) { return reader.take(bytes); }, hearing(), patience());
  }

  std::string complaint(const std::string& what, const Worker& worker) const {
    const std::string words = worker.child ? worker.child->last_words() : "";
    return fmt::format("the program '{}' failed: {}{}", shown(options_.command), what,
                       words.empty() ? "" : fmt::format("; its last words on standard error: {}", words));
  }

  /// An idle worker, or an empty one that is to be started; waits when there are as many as may be.
  Worker borrow() const {
    std::unique_lock lock(mutex_);
    while (idle_.empty() && options_.workers > 0 && running_ >= options_.workers) {
      returned_.wait_for(lock, 100ms);
      if (options_.stop.stop_requested()) throw FatalError("stopped while waiting for a program");
    }
    if (idle_.empty()) {
      ++running_;
      return {};
    }
    Worker worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  void give_back(Worker worker) const {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
    returned_.notify_one();
  }
  void drop(Worker worker) const {
    worker.child.reset();
    std::lock_guard lock(mutex_);
    --running_;
    returned_.notify_one();
  }

  ProcessOptions options_;
  std::string opening_;
  mutable Ear ear_;
  mutable Spawner spawner_;  ///< above the workers, so that it outlives them
  mutable std::mutex mutex_;
  mutable std::condition_variable returned_;
  mutable std::vector<Worker> idle_;
  mutable std::size_t running_ = 0;
  mutable std::atomic<bool> has_failed_ = false;
};

}  // namespace

std::shared_ptr<const Model> start_process(ProcessOptions options) {
  if (options.command.empty()) throw InputError("the command is empty");
  if (options.parameters.size() == 0) throw InputError("a program needs parameters");
  return std::make_shared<const ProcessModel>(std::move(options));
}

}  // namespace evident::external
