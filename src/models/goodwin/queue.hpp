// The particles of a block on their way through the lanes of the Goodwin solver.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "evident/base/block.hpp"
#include "evident/base/log_math.hpp"
#include "models/goodwin/lanes.hpp"

namespace evident::goodwin {

class Queue {
 public:
  /// `sums` is empty, or gets the sums of goodwin_sums.
  Queue(const GoodwinProblem::Plan& plan, ConstBlock theta, std::span<double> out, Block sums = {})
      : plan_(plan), theta_(theta), out_(out), sums_(sums) {}

  const GoodwinProblem::Plan& plan() const { return plan_; }
  LaneState& state() { return state_; }
  bool busy() const { return occupied_ != 0; }

  /// Is any of `count` lanes at work?
  bool busy(std::size_t first, std::size_t count) const { return (occupied_ >> first & ((1U << count) - 1)) != 0; }

  /// Puts the next waiting particle into a lane; without one the lane idles.
  void load(std::size_t lane);
  /// Called when a lane has reached an observation, has come to rest or has used up its steps.
  void attend(std::size_t lane) {
    if (!busy(lane, 1)) return;
    const Start& start = start_[lane];
    const double* v = &state_.v[0][lane];
    if (state_.steps[lane] >= plan_.max_steps) return finish(lane, -kInf);
    if (state_.left[lane] == 0) {
      sum_[lane] += plan_.squares(time_[lane], start, v, kLanes);
      add_sums(lane, time_[lane]);
      if (++time_[lane] == plan_.times.size()) return finish(lane, plan_.log_likelihood(sum_[lane]));
      state_.left[lane] = start.rate * plan_.gap[time_[lane]];
    }
    if (plan_.at_rest(start, state_.g[lane], v, kLanes)) {
      add_sums(lane, plan_.times.size() - 1);
      finish(lane, plan_.log_likelihood(sum_[lane] + plan_.squares_at_rest(time_[lane], start, v, kLanes)));
    }
  }

 private:
  void add_sums(std::size_t lane, std::size_t last) {
    if (sums_.rows() == 0) return;
    double* out = sums_.data() + particle_[lane];
    plan_.add_sums(time_[lane], last, start_[lane], &state_.v[0][lane], kLanes, out, sums_.stride());
  }
  void finish(std::size_t lane, double log_likelihood);
  void place(std::size_t lane, const Start& start, double left);

  const GoodwinProblem::Plan& plan_;
  ConstBlock theta_;
  std::span<double> out_;
  Block sums_;
  std::size_t waiting_ = 0;
  unsigned occupied_ = 0;  ///< one bit a lane
  LaneState state_;
  std::array<Start, kLanes> start_{};
  std::array<std::size_t, kLanes> particle_{}, time_{};
  std::array<double, kLanes> sum_{};
};

}  // namespace evident::goodwin
