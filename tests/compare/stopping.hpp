// What tests of comparisons that are stopped share: two small models, and what asks for a stop.
//
//   Stopper stopper(3);
//   compare(two_models(), options, &stopper, stopper.token());   // throws RunError after three steps
#pragma once

#include <atomic>
#include <stop_token>
#include <vector>

#include "evident/compare/compare.hpp"
#include "problems/problems.hpp"

namespace evident {

inline std::vector<Candidate> two_models() {
  return {{"wide", 1, problems::conjugate_normal(10, 3).model, {}},
          {"lopsided", 2, problems::beta_bernoulli(2, 5).model, {}}};
}

/// Asks for a stop after so many steps or finished runs.
class Stopper final : public CompareObserver {
 public:
  explicit Stopper(std::size_t steps) : steps_(steps) {}
  std::stop_token token() const { return source_.get_token(); }
  void on_step(std::size_t, std::size_t, const Trace&) override { count(); }
  void on_finish(std::size_t, std::size_t, const Replicate&) override { count(); }

 private:
  void count() {
    if (++seen_ >= steps_) source_.request_stop();
  }
  std::atomic<std::size_t> seen_ = 0;
  std::size_t steps_;
  std::stop_source source_;
};

}  // namespace evident
