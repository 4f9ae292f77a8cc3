// The likelihood of Goodwin trajectories, many parameter vectors at a time.
//
//   const GoodwinProblem problem({.times = t, .states = {0, 1}, .values = {x1, x2}}, 3, 10.0, 0.2);
//   goodwin_log_likelihood(problem, theta, out);      // rows of theta: a0, a1, a2, k1 .. k_{m-1}
//
// Method. Time is measured in units of the decay (or of the whole record, when the decay is slower) and states are
// scaled so that the feedback is 1 / (1 + v_m^rho). What is left is a chain of equal linear decays, which is solved
// exactly, driven by one smooth scalar, the feedback. On each step that scalar is a polynomial through seven Lobatto
// nodes, found by two to four fixed-point sweeps; the rule at the end of a step is of order 12. Steps are
// adaptive, end on observation times, and belong to one particle alone, as does everything else: lanes share nothing.
//
// What is promised
//   - near a fit the log likelihood is right to 1e-6 relative (1e-7 is usual; sharper feedback than rho = 10: 1e-5);
//   - for any parameters each step keeps a relative error of 1e-8 in the states, so that values far from the data,
//     stiff or not, are right to about 1e-5 relative;
//   - -inf where a parameter is not positive and finite, where the true value is below the range of a double, and
//     where more than `max_steps` steps would be needed (a decay of thousands of oscillations per record);
//   - never NaN, never an endless loop.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "evident/base/block.hpp"

namespace evident {

/// What was seen: row c of `values` is state `states[c]` (0 is x1) at each of `times`.
struct GoodwinData {
  std::vector<double> times{};  ///< increasing, above zero
  std::vector<std::size_t> states{0, 1};
  std::vector<std::vector<double>> values{};
};

/// Data and everything that does not depend on the parameters. Checked when made; throws InputError.
class GoodwinProblem {
 public:
  static constexpr std::size_t kMaxComponents = 16;

  GoodwinProblem(const GoodwinData& data, std::size_t components, double rho, double sigma,
                 std::size_t max_steps = 100000);

  struct Plan;  ///< private to the solver
  const Plan& plan() const { return *plan_; }

 private:
  std::shared_ptr<const Plan> plan_;
};

/// out[i] = log p(y | column i of theta), normalised.
void goodwin_log_likelihood(const GoodwinProblem& problem, ConstBlock theta, std::span<double> out);

/// The same, and with it what the likelihood would be if the trajectory of a column were stretched: row 2c of `sums`
/// gets the sum over the times of x^2, row 2c + 1 that of x y, for the state x and the data y of column c. They are
/// zero, or incomplete, where the log likelihood is -inf.
void goodwin_sums(const GoodwinProblem& problem, ConstBlock theta, std::span<double> out, Block sums);

/// The observed states without noise, by the plain code: those of one column at all times, then those of the next. All
/// are NaN where the log likelihood would be -inf whatever the data.
void goodwin_states(const GoodwinProblem& problem, std::span<const double> theta, std::span<double> out);

/// The same algorithm for one parameter vector in plain code; tests hold the fast one against it.
/// Adds the number of attempted steps to `steps` when given.
double goodwin_log_likelihood_scalar(const GoodwinProblem& problem, std::span<const double> theta,
                                     double* steps = nullptr);

}  // namespace evident
