// Runs the lanes: each follows one particle to its last observation, then takes the next that waits.
#include "models/goodwin/solver.hpp"

#include <algorithm>

#include "base/flush_to_zero.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/goodwin/solver.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "models/goodwin/queue.hpp"
#include "models/goodwin/step-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace evident::goodwin::HWY_NAMESPACE {

/// All vectors step before any lane is attended to: the processor overlaps their long chains of operations.
template <std::size_t M, Power P>
void run(Queue& queue) {
  const std::size_t width = hn::Lanes(D());
  Stepper<M, P> step(queue.plan());
  for (std::size_t lane = 0; lane < kLanes; ++lane) queue.load(lane);
  while (queue.busy()) {
    unsigned events = 0;
    for (std::size_t first = 0; first < kLanes; first += width)
      if (queue.busy(first, width)) events |= step(queue.state(), first) << first;
    for (; events != 0; events &= events - 1) queue.attend(hwy::Num0BitsBelowLS1Bit_Nonzero32(events));
  }
}

void log_likelihood(Queue& queue) {
  const auto& plan = queue.plan();
  switch (plan.feedback.power) {
    case Power::ten:
      return plan.m == 3   ? run<3, Power::ten>(queue)
             : plan.m == 5 ? run<5, Power::ten>(queue)
                           : run<0, Power::ten>(queue);
    case Power::integer:
      return run<0, Power::integer>(queue);
    case Power::real:
      return run<0, Power::real>(queue);
  }
}

}  // namespace evident::goodwin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace evident {
namespace goodwin {
namespace {

HWY_EXPORT(log_likelihood);

}  // namespace
}  // namespace goodwin

void goodwin_log_likelihood(const GoodwinProblem& problem, ConstBlock theta, std::span<double> out) {
  goodwin::Queue queue(problem.plan(), theta, out);
  const FlushToZero guard;
  HWY_DYNAMIC_DISPATCH(goodwin::log_likelihood)(queue);
}

void goodwin_sums(const GoodwinProblem& problem, ConstBlock theta, std::span<double> out, Block sums) {
  for (std::size_t row = 0; row < sums.rows(); ++row) std::fill_n(sums.row_data(row), sums.padded_size(), 0.0);
  goodwin::Queue queue(problem.plan(), theta, out, sums);
  const FlushToZero guard;
  HWY_DYNAMIC_DISPATCH(goodwin::log_likelihood)(queue);
}

}  // namespace evident
#endif
