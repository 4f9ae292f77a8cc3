#include <cmath>
#include <string>

#include "models/goodwin/goodwin.hpp"
#include "models/goodwin/plan.hpp"

namespace evident {

std::vector<Observed> Goodwin::observed() const {
  const GoodwinProblem::Plan& plan = problem_.plan();
  std::vector<Observed> out;
  for (std::size_t c = 0; c < plan.columns; ++c) {
    Observed one{.name = "x" + std::to_string(plan.states[c] + 1), .axis_name = "time", .axis = plan.times};
    for (std::size_t j = 0; j < plan.times.size(); ++j) one.values.push_back(plan.values[j * plan.columns + c]);
    out.push_back(std::move(one));
  }
  return out;
}

void Goodwin::predict(ConstBlock theta, Block out) const {
  std::vector<double> one(theta.rows()), states(observations_);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    for (std::size_t j = 0; j < one.size(); ++j) one[j] = theta(j, i);
    goodwin_states(problem_, one, states);
    for (std::size_t row = 0; row < states.size(); ++row) out(row, i) = states[row];
  }
}

void Goodwin::draw_observations(ConstBlock theta, const Streams& streams, std::uint32_t first, Block out) const {
  predict(theta, out);
  const double sigma = std::sqrt(0.5 / problem_.plan().inverse_two_variance);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    Stream stream = streams.at({.particle = first + static_cast<std::uint32_t>(i), .purpose = Purpose::simulate});
    for (std::size_t row = 0; row < out.rows(); ++row) out(row, i) += sigma * stream.normal();
  }
}

}  // namespace evident
