// Tracer in tissue, by solving the differential equations of the compartments.
//
// Up to three tissue compartments: plasma feeds the first (K1), which gives back (k2) and exchanges with a second (k3,
// k4) and a third (k5, k6):
//
//   dC1/dt = K1 CP - (k2 + k3 + k5) C1 + k4 C2 + k6 C3,   dC2/dt = k3 C1 - k4 C2,   dC3/dt = k5 C1 - k6 C3
//
//   const RateConstants putamen{.K1 = 0.44, .k2 = 0.07, .k3 = 0.15, .k4 = 0.19};      // per minute, as in print
//   const auto curve = tissue_averages(putamen, feng_blood(), starts, durations);     // one value a frame
//
// Nothing here is shared with the model that analyses such data: no exponentials, no convolutions.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace evident::imaging {

/// Per minute; K1 in mL plasma per cm3 tissue and minute. A compartment without inflow (k3 or k5 is 0) is not there.
struct RateConstants {
  double K1 = 0, k2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0;

  /// How many compartments.
  int order() const { return 1 + (k3 > 0) + (k5 > 0); }
  /// V_T = K1/k2 (1 + k3/k4 + k5/k6), in mL per cm3.
  double volume() const { return K1 / k2 * (1 + (k3 > 0 ? k3 / k4 : 0) + (k5 > 0 ? k5 / k6 : 0)); }
};

/// What flows through the vessels: functions of the time in seconds since the injection, in kBq/mL.
struct PhantomBlood {
  std::function<double(double)> parent;       ///< unchanged tracer in plasma: what enters the tissue
  std::function<double(double)> whole_blood;  ///< everything, red cells included
  std::function<double(double)> fraction;     ///< of the plasma's activity that is parent, in (0, 1]
  std::vector<double> sample_times;           ///< when blood is drawn
  std::vector<double> kinks;                  ///< times at which `parent` or `whole_blood` has no derivative
  double last_time = 0;                       ///< until when it is known
};

/// The curve of Feng, Huang and Wang (1993), scaled to a peak of some 25 kBq/mL. The parent's share falls from 1
/// towards 0.2; whole blood has 0.8 times the activity of plasma.
PhantomBlood feng_blood();
/// Straight lines between samples, from 0 at time 0. All of the plasma's activity is parent. `whole_blood` may be
/// empty: then it is 0.8 times the plasma. Throws InputError when the samples cannot be used.
PhantomBlood sampled_blood(std::vector<double> times, std::vector<double> parent, std::vector<double> whole_blood);

/// Average activity of the tissue over each frame. Frames in seconds, one after another from 0 or later on. Throws
/// InputError when frames, blood and rate constants do not fit together.
std::vector<double> tissue_averages(const RateConstants& rates, const PhantomBlood& blood,
                                    std::span<const double> starts, std::span<const double> durations);
/// The same of whole blood.
std::vector<double> whole_blood_averages(const PhantomBlood& blood, std::span<const double> starts,
                                         std::span<const double> durations);

}  // namespace evident::imaging
