// The hand-set proposal scale of Zhou, Johansen and Aston (2016) for the Goodwin oscillator.
//
//   kernel.manual = [](std::size_t, double alpha) { return goodwin_manual_scale(alpha); };
#pragma once

namespace evident {

/// Standard deviation of the proposal at alpha, on the log scale: the same for every parameter.
inline double goodwin_manual_scale(double alpha) { return 5 / (1 + 100 * alpha); }

}  // namespace evident
