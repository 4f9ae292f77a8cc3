#include "models/goodwin/queue.hpp"

#include "evident/base/log_math.hpp"

namespace evident::goodwin {

void Queue::place(std::size_t lane, const Start& start, double left) {
  for (std::size_t i = 0; i < plan_.m; ++i) state_.v[i][lane] = 0;
  state_.g[lane] = 1;
  state_.h[lane] = start.step;
  state_.left[lane] = left;
  state_.b[lane] = start.b;
  state_.decay[lane] = start.decay;
  state_.floor[lane] = start.floor;
  state_.steps[lane] = 0;
  start_[lane] = start;
}

void Queue::load(std::size_t lane) {
  occupied_ &= ~(1U << lane);
  while (waiting_ < out_.size()) {
    const std::size_t i = waiting_++;
    std::array<double, kMaxM + 2> parameters{};
    for (std::size_t j = 0; j < plan_.m + 2; ++j) parameters[j] = theta_(j, i);
    const Start start = plan_.start(parameters);
    if (!start.valid) {
      out_[i] = -kInf;
      continue;
    }
    particle_[lane] = i;
    time_[lane] = 0;
    sum_[lane] = 0;
    place(lane, start, start.rate * plan_.gap[0]);
    occupied_ |= 1U << lane;
    return;
  }
  Start idle;
  idle.rate = idle.decay = idle.b = idle.floor = idle.step = 1;
  place(lane, idle, kInf);
}

void Queue::finish(std::size_t lane, double log_likelihood) {
  out_[particle_[lane]] = log_likelihood;
  load(lane);
}

}  // namespace evident::goodwin
